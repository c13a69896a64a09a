//! The kernel against nested loops: which element of every operand meets which.
//!
//! Every element of an operand holds its own position, so that equal results mean equal reads.

use std::cell::RefCell;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Again, Costly, Once, Ordered, each1, each2, each3, each4};
use crate::array::plan::{Loops, StaticPlan};

/// An operand with any strides: each axis present or stretched, in any order in memory, forwards or
/// backwards, with gaps.
#[derive(Clone, Debug)]
struct Operand {
    strides: Vec<isize>,
    offset: usize,
    elements: Vec<u32>,
}

impl Operand {
    fn at(&self, index: &[usize]) -> u32 {
        let steps = index.iter().zip(&self.strides).map(|(&i, &stride)| i as isize * stride);
        self.elements[(self.offset as isize + steps.sum::<isize>()) as usize]
    }
}

/// How one axis of an operand lies in memory.
#[derive(Clone, Copy, Debug)]
struct Along {
    stretched: bool,
    backwards: bool,
    gap: usize,
    /// Axes with a smaller rank here lie further in.
    rank: u8,
}

fn along() -> impl Strategy<Value = Along> {
    let common = (any::<bool>(), Just(false), Just(0), Just(0));
    let any = (any::<bool>(), any::<bool>(), 0..3_usize, any::<u8>());
    prop_oneof![common, any].prop_map(|(stretched, backwards, gap, rank)| Along {
        stretched,
        backwards,
        gap,
        rank,
    })
}

fn operand(sizes: &[usize], along: &[Along]) -> Operand {
    let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
    order.sort_by_key(|&axis| along[axis].rank);
    let mut strides = vec![0; sizes.len()];
    let (mut step, mut first) = (1, 0);
    for axis in order {
        let Along { stretched, backwards, gap, .. } = along[axis];
        if stretched {
            continue;
        }
        let (size, stride) = (sizes[axis].max(1), step * (gap as isize + 1));
        strides[axis] = if backwards { -stride } else { stride };
        if backwards {
            first += stride as usize * (size - 1);
        }
        step = stride * size as isize;
    }
    Operand { strides, offset: first, elements: (0..step as u32).collect() }
}

/// Sizes that reach every way through the kernel: none, short rows, rows longer than the buffer,
/// squares, and more axes than a plan holds.
fn sizes() -> impl Strategy<Value = Vec<usize>> {
    prop_oneof![
        4 => vec(0..5_usize, 0..6),
        2 => vec(prop_oneof![Just(1_usize), 2..20_usize], 0..4),
        2 => (1..4_usize, 200..600_usize).prop_map(|(rows, columns)| vec![rows, columns]),
        2 => (30..80_usize, 1..20_usize).prop_map(|(rows, columns)| vec![rows, columns]),
        1 => vec(1..3_usize, 9..13),
        1 => vec(30..50_usize, 2),
        2 => vec(2..9_usize, 3..5),
        1 => (250..270_usize, 250..300_usize).prop_map(|(rows, columns)| vec![rows, columns]),
        1 => (1..4_usize, 1100..1200_usize).prop_map(|(rows, columns)| vec![rows, columns]),
        1 => (1..4_usize, 30..40_usize, 30..40_usize).prop_map(|(a, b, c)| vec![b, a, c]),
    ]
}

fn case(operands: usize) -> impl Strategy<Value = (Vec<usize>, Vec<Operand>)> {
    sizes().prop_flat_map(move |sizes| {
        let rank = sizes.len();
        vec(vec(along(), rank), operands).prop_map(move |along| {
            let operands = along.iter().map(|along| operand(&sizes, along)).collect();
            (sizes.clone(), operands)
        })
    })
}

/// All indices, in row-major order.
fn indices(sizes: &[usize]) -> Vec<Vec<usize>> {
    let mut all = vec![vec![]];
    for &size in sizes {
        all = all
            .into_iter()
            .flat_map(|index| (0..size).map(move |i| [&index[..], &[i]].concat()))
            .collect();
    }
    all
}

fn expected(sizes: &[usize], operands: &[Operand]) -> Vec<Vec<u32>> {
    let read = |index: &Vec<usize>| operands.iter().map(|operand| operand.at(index)).collect();
    indices(sizes).iter().map(read).collect()
}

proptest! {
    #[test]
    fn one_operand((sizes, operands) in case(1)) {
        let [a] = &operands[..] else { unreachable!() };
        let loops = Loops::of_strides(&sizes, [&a.strides], [a.offset]);
        let mut results = vec![vec![]; sizes.iter().product()];
        each1::<Once, _, _>(&loops, &mut results, &a.elements, |_, result, a| result.push(a));
        prop_assert_eq!(&results, &expected(&sizes, &operands));
        each1::<Again, _, _>(&loops, &mut results, &a.elements, |_, result, a| *result = vec![!a]);
        let negated = |line: &Vec<u32>| line.iter().map(|x| !x).collect::<Vec<_>>();
        prop_assert_eq!(results, expected(&sizes, &operands).iter().map(negated).collect::<Vec<_>>());
    }

    #[test]
    fn two_operands((sizes, operands) in case(2)) {
        let [a, b] = &operands[..] else { unreachable!() };
        let loops = Loops::of_strides(&sizes, [&a.strides, &b.strides], [a.offset, b.offset]);
        let mut results = vec![vec![]; sizes.iter().product()];
        let order = RefCell::new(vec![]);
        each2::<Ordered, _, _, _>(&loops, &mut results, &a.elements, &b.elements, |_, result, a, b| {
            result.extend([a, b]);
            order.borrow_mut().push(vec![a, b]);
        });
        prop_assert_eq!(&results, &order.into_inner());
        prop_assert_eq!(&results, &expected(&sizes, &operands));
        each2::<Again, _, _, _>(&loops, &mut results, &a.elements, &b.elements, |_, result, a, b| {
            *result = vec![b, a];
        });
        let turned = |pair: &Vec<u32>| vec![pair[1], pair[0]];
        prop_assert_eq!(results, expected(&sizes, &operands).iter().map(turned).collect::<Vec<_>>());
    }

    #[test]
    fn three_operands((sizes, operands) in case(3)) {
        let [a, b, c] = &operands[..] else { unreachable!() };
        let loops = Loops::of_strides(
            &sizes,
            [&a.strides, &b.strides, &c.strides],
            [a.offset, b.offset, c.offset],
        );
        let mut results = vec![vec![]; sizes.iter().product()];
        let (a, b, c) = (&a.elements, &b.elements, &c.elements);
        each3::<Costly, _, _, _, _>(&loops, &mut results, a, b, c, |_, result, a, b, c| {
            *result = vec![a, b, c];
        });
        prop_assert_eq!(results, expected(&sizes, &operands));
    }

    #[test]
    fn four_operands((sizes, operands) in case(4)) {
        let [a, b, c, d] = &operands[..] else { unreachable!() };
        let loops = Loops::of_strides(
            &sizes,
            [&a.strides, &b.strides, &c.strides, &d.strides],
            [a.offset, b.offset, c.offset, d.offset],
        );
        let mut results = vec![vec![]; sizes.iter().product()];
        each4::<Again, _, _, _, _, _>(
            &loops,
            &mut results,
            &a.elements,
            &b.elements,
            &c.elements,
            &d.elements,
            |_, result, a, b, c, d| *result = vec![a, b, c, d],
        );
        prop_assert_eq!(results, expected(&sizes, &operands));
    }

    /// The plan of a constant and the plan of the strides are the same plan.
    #[test]
    fn constant_plans(sizes in sizes(), ones in vec(any::<(bool, bool)>(), 12), cut in 0..12_usize) {
        let pick = |first: bool| -> Vec<usize> {
            let of = |(axis, &size): (usize, &usize)| {
                let stretched = if first { ones[axis].0 } else { ones[axis].1 };
                if stretched { 1 } else { size }
            };
            sizes.iter().enumerate().map(of).collect()
        };
        let (a, b) = (pick(true), pick(false));
        let b = &b[cut.min(b.len())..];
        let along = |operand: &[usize]| {
            let strides = crate::array::plan::row_major(operand);
            crate::array::plan::stretched(operand, &strides, sizes.len())
        };
        let loops = Loops::of_strides(&sizes, [&along(&a), &along(b)], [0, 0]);
        if sizes.contains(&0) {
            return Ok(());
        }
        match StaticPlan::of_sizes(&sizes, [&a, b]) {
            Some(plan) => {
                prop_assert_eq!(loops.plan(), Some(&plan.loops));
                let known = Loops::constant(&plan);
                let (found, known) = (&mut None, known.spread(&mut None).copied());
                prop_assert_eq!(loops.spread(found).copied(), known);
            }
            None => prop_assert_eq!(loops.plan(), None),
        }
    }
}

#[test]
#[should_panic(expected = "the loops cover the results")]
fn results_of_another_length() {
    let loops = Loops::of_strides(&[3], [&[1]], [0]);
    each1::<Again, _, _>(&loops, &mut [0_u8; 4], &[1, 2, 3], |_, result, a| *result = a);
}
