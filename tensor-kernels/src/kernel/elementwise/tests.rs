//! Tests of the kernel against nested loops: which elements of the operands are combined.
//!
//! Every element of an operand holds its own position, so that equal results mean equal reads.

use std::cell::RefCell;
use std::ptr::null;

use proptest::collection::vec;
use proptest::prelude::*;

use super::{Call, driver, run_part};
use crate::element::Element;
use crate::kernel::closure;
use crate::layout::ErasedView;
use crate::ops::{
    CallPolicy, ContiguousLoops, ElementBinary, ElementMoves, IsaFns, Kernel, NumberBinary, Params,
};
use crate::plan::{Loops, StaticPlan};

/// An operand with any strides: each axis present or broadcast, in any order in memory, forwards or
/// backwards, with gaps.
#[derive(Clone, Debug)]
struct StridedOperand {
    strides: Vec<isize>,
    offset: usize,
    elements: Vec<u32>,
}

impl StridedOperand {
    fn erased(&self) -> ErasedView<'_> {
        let (first, len) = (self.elements.as_ptr().cast(), self.elements.len());
        // SAFETY: these are the elements.
        unsafe { ErasedView::contiguous(&[], first, len) }
    }

    fn at(&self, index: &[usize]) -> u32 {
        let mut position = self.offset as isize;
        for (&i, &stride) in index.iter().zip(&self.strides) {
            position += i as isize * stride;
        }
        self.elements[position as usize]
    }
}

/// The memory layout of one axis of an operand.
#[derive(Clone, Copy, Debug)]
struct AxisLayout {
    stretched: bool,
    backwards: bool,
    gap: usize,
    /// Axes with a smaller rank have smaller strides.
    rank: u8,
}

fn along() -> impl Strategy<Value = AxisLayout> {
    let common = (any::<bool>(), Just(false), Just(0), Just(0));
    let any = (any::<bool>(), any::<bool>(), 0..3_usize, any::<u8>());
    prop_oneof![common, any].prop_map(|(stretched, backwards, gap, rank)| AxisLayout {
        stretched,
        backwards,
        gap,
        rank,
    })
}

fn operand(sizes: &[usize], along: &[AxisLayout]) -> StridedOperand {
    let mut order: Vec<usize> = (0..sizes.len()).rev().collect();
    order.sort_by_key(|&axis| along[axis].rank);
    let mut strides = vec![0; sizes.len()];
    let (mut step, mut first) = (1, 0);
    for axis in order {
        let AxisLayout { stretched, backwards, gap, .. } = along[axis];
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
    StridedOperand { strides, offset: first, elements: (0..step as u32).collect() }
}

/// Sizes that reach every path through the kernel: none, short rows, rows longer than the buffer,
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

fn case(operands: usize) -> impl Strategy<Value = (Vec<usize>, Vec<StridedOperand>)> {
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
    let mut next = vec![0; sizes.len()];
    let mut all = Vec::new();
    for _ in 0..sizes.iter().product() {
        all.push(next.clone());
        for axis in (0..sizes.len()).rev() {
            next[axis] += 1;
            if next[axis] < sizes[axis] {
                break;
            }
            next[axis] = 0;
        }
    }
    all
}

/// The results of a kernel on operands of some sizes, which are the same if they bypass the caches, wherever they start.
fn results<const N: usize, O: Element>(
    sizes: &[usize],
    operands: &[StridedOperand],
    (kernel, params): (&Kernel<N>, Params),
) -> Vec<O> {
    let operands: [&StridedOperand; N] = core::array::from_fn(|k| &operands[k]);
    let loops = Loops::from_strides(
        sizes,
        operands.map(|operand| &operand.strides[..]),
        operands.map(|operand| operand.offset),
    );
    let erased = operands.map(StridedOperand::erased);
    let len = sizes.iter().product();
    let mut results = vec![O::ZERO; len];
    let mut call = Call::new(kernel, params, &erased);
    // SAFETY: the operands have the types of the kernel, as the caller promises, and there is room for the
    // results.
    unsafe { driver(kernel, loops.len())(&call, &loops, results.as_mut_ptr().cast()) };
    if kernel.policy != CallPolicy::Sequential {
        call.bypasses = true;
        for start in [0, 1, 5] {
            let mut bypassing = vec![O::ZERO; start + len];
            // SAFETY: as above.
            unsafe { run_part(&call, &loops, bypassing[start..].as_mut_ptr().cast()) };
            assert!(bypassing[start..] == results, "they start at element {start}");
        }
    }
    results
}

/// The kernel with the loops of one instruction set, for each that this machine can run.
fn by_instruction_set<const N: usize>(kernel: &Kernel<N>) -> Vec<Kernel<N>> {
    let sets = kernel.inner.runnable().iter().enumerate();
    let of_set = |(set, &inner): (usize, &_)| {
        let contiguous = kernel.contiguous.map(|contiguous| ContiguousLoops {
            loops: IsaFns::baseline_only(contiguous.loops.runnable()[set]),
            ..contiguous
        });
        // An inner loop may call that of the baseline.
        let inner = IsaFns::baseline_only(inner).with_baseline(kernel.inner);
        Kernel { inner, contiguous, ..*kernel }
    };
    sets.map(of_set).collect()
}

/// A hash of a list of numbers.
fn mix(elements: &[u32]) -> u64 {
    elements.iter().fold(0, |mixed: u64, &element| {
        mixed.wrapping_mul(1_000_000_007).wrapping_add(u64::from(element) + 1)
    })
}

fn expected(sizes: &[usize], operands: &[StridedOperand]) -> Vec<u64> {
    let read = |index: &Vec<usize>| {
        mix(&operands.iter().map(|operand| operand.at(index)).collect::<Vec<_>>())
    };
    indices(sizes).iter().map(read).collect()
}

proptest! {
    #[test]
    fn one_operand((sizes, operands) in case(1)) {
        let f = |_, a: u32| mix(&[a]);
        let expected = expected(&sizes, &operands);
        let sequential = closure::of_one::sequential::<u32, u64, _>(&f);
        prop_assert_eq!(&results::<1, u64>(&sizes, &operands, sequential.function().untyped()), &expected);
        let parallel = closure::of_one::parallel::<u32, u64, _>(&f);
        prop_assert_eq!(results::<1, u64>(&sizes, &operands, parallel.function().untyped()), expected);
    }

    #[test]
    fn two_operands((sizes, operands) in case(2)) {
        let order = RefCell::new(vec![]);
        let f = |_, a: u32, b: u32| {
            order.borrow_mut().push(mix(&[a, b]));
            mix(&[a, b])
        };
        let sequential = closure::of_two::sequential::<u32, u32, u64, _>(&f);
        let in_order = results::<2, u64>(&sizes, &operands, sequential.function().untyped());
        prop_assert_eq!(&in_order, &order.into_inner());
        prop_assert_eq!(&in_order, &expected(&sizes, &operands));
        let f = |_, a: u32, b: u32| mix(&[a, b]);
        let parallel = closure::of_two::parallel::<u32, u32, u64, _>(&f);
        prop_assert_eq!(results::<2, u64>(&sizes, &operands, parallel.function().untyped()), in_order);
    }

    #[test]
    fn three_operands((sizes, operands) in case(3)) {
        let f = |_, a: u32, b: u32, c: u32| mix(&[a, b, c]);
        let kernel = closure::of_three::parallel::<u32, u32, u32, u64, _>(&f);
        prop_assert_eq!(results::<3, u64>(&sizes, &operands, kernel.function().untyped()), expected(&sizes, &operands));
    }

    #[test]
    fn four_operands((sizes, operands) in case(4)) {
        let f = |_, a: u32, b: u32, c: u32, d: u32| mix(&[a, b, c, d]);
        let kernel = closure::of_four::parallel::<u32, u32, u32, u32, u64, _>(&f);
        prop_assert_eq!(results::<4, u64>(&sizes, &operands, kernel.function().untyped()), expected(&sizes, &operands));
    }

    /// Kernels of the table, whose vectors overlap.
    #[test]
    fn kernels_of_the_table((sizes, operands) in case(2)) {
        let at = |index: &Vec<usize>| (operands[0].at(index), operands[1].at(index));
        let indices = indices(&sizes);
        let sums: Vec<u32> = indices.iter().map(at).map(|(a, b)| a + b).collect();
        for add in by_instruction_set(<u32 as NumberBinary>::Add) {
            prop_assert_eq!(&results::<2, u32>(&sizes, &operands, (&add, null())), &sums);
        }
        let less: Vec<bool> = indices.iter().map(at).map(|(a, b)| a < b).collect();
        for kernel in by_instruction_set(<u32 as ElementBinary>::Less) {
            prop_assert_eq!(&results::<2, bool>(&sizes, &operands, (&kernel, null())), &less);
        }
        let greater: Vec<bool> = indices.iter().map(at).map(|(a, b)| a > b).collect();
        let kernel = Kernel { ..*<u32 as ElementBinary>::Greater };
        prop_assert_eq!(results::<2, bool>(&sizes, &operands, (&kernel, null())), greater);
        let copies: Vec<u32> = indices.iter().map(|index| operands[0].at(index)).collect();
        let copy = Kernel { ..*<u32 as ElementMoves>::COPY };
        prop_assert_eq!(results::<1, u32>(&sizes, &operands, (&copy, null())), copies);
    }

    /// The results overwrite either operand.
    #[test]
    fn in_place((sizes, operands) in case(1), position in 0..2_usize) {
        let len = sizes.iter().product::<usize>();
        let other = &operands[0];
        let targets = |index: usize| 7 * index as u32;
        if len > 10_000 {
            return Ok(());
        }
        let all = indices(&sizes);
        let expected: Vec<u32> = (0..len).map(|index| {
            let (target, other) = (targets(index), other.at(&all[index]));
            if position == 0 { target.wrapping_sub(other) } else { other.wrapping_sub(target) }
        }).collect();
        let plain = crate::plan::row_major_strides(&sizes);
        for is_closure in [false, true] {
            let mut results: Vec<u32> = (0..len).map(targets).collect();
            let (mut strides, mut offsets) = ([&plain[..]; 2], [0; 2]);
            strides[1 - position] = &other.strides;
            offsets[1 - position] = other.offset;
            let loops = Loops::from_strides(&sizes, strides, offsets);
            let out = results.as_mut_ptr();
            let first = out.cast_const().cast();
            // SAFETY: these are the results, which the kernel alone writes.
            let mut erased = [unsafe { ErasedView::contiguous(&[], first, len) }; 2];
            erased[1 - position] = other.erased();
            let f = |_, a: u32, b: u32| a.wrapping_sub(b);
            let closure = closure::of_two::sequential::<u32, u32, u32, _>(&f);
            let (kernel, params) = if is_closure {
                closure.function().untyped()
            } else {
                (<u32 as NumberBinary>::Sub, null())
            };
            // SAFETY: the target is contiguous, and the results overwrite it.
            unsafe {
                let call = Call::new(kernel, params, &erased);
                driver(kernel, len)(&call, &loops, out.cast());
            }
            prop_assert_eq!(&results, &expected);
        }
    }

    /// The plan made at compile time equals the plan made from the strides.
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
            let strides = crate::plan::row_major_strides(operand);
            crate::plan::broadcast_strides(operand, &strides, sizes.len())
        };
        let loops = Loops::from_strides(&sizes, [&along(&a), &along(b)], [0, 0]);
        if sizes.contains(&0) {
            return Ok(());
        }
        match StaticPlan::from_sizes(&sizes, [&a, b]) {
            Some(plan) => {
                prop_assert_eq!(loops.plan(), Some(&plan.loops));
                let known = Loops::constant(&plan);
                let (found, known) = (&mut None, known.materialize(&mut None).copied());
                prop_assert_eq!(loops.materialize(found).copied(), known);
            }
            None => prop_assert_eq!(loops.plan(), None),
        }
    }
}

/// Operands that lack some elements of the loops.
#[test]
#[should_panic(expected = "the operands have all rows")]
fn loops_that_leave_an_operand() {
    let operand = StridedOperand { strides: vec![1], offset: 0, elements: vec![1, 2] };
    let f = |_, a: u32| mix(&[a]);
    let closure = closure::of_one::sequential::<u32, u64, _>(&f);
    results::<1, u64>(&[3], &[operand], closure.function().untyped());
}

/// More axes than a plan holds, most of them of size 1: these need no loop.
#[test]
fn many_axes_of_size_one() {
    let sizes = [[1; 11].as_slice(), &[2; 9]].concat();
    let along = |stretched: fn(usize) -> bool| -> Vec<AxisLayout> {
        let one = |axis| AxisLayout {
            stretched: stretched(axis),
            backwards: false,
            // Every gap doubles the elements that the operand has.
            gap: usize::from(axis % 4 == 0),
            rank: 0,
        };
        (0..sizes.len()).map(one).collect()
    };
    let operands = [along(|axis| axis % 2 == 0), along(|axis| axis % 3 == 0), along(|_| false)];
    let operands = operands.map(|along| operand(&sizes, &along));
    let f = |_, a: u32, b: u32, c: u32| mix(&[a, b, c]);
    let kernel = closure::of_three::parallel::<u32, u32, u32, u64, _>(&f);
    assert_eq!(
        results::<3, u64>(&sizes, &operands, kernel.function().untyped()),
        expected(&sizes, &operands)
    );
}

/// New results bypass the caches from some size on, and results that overwrite an operand never do.
#[test]
fn results_in_place_stay_in_the_caches() {
    let mut elements = vec![1_u32; 100];
    let out = elements[10..].as_mut_ptr().cast::<u8>();
    let (first, len) = (elements.as_ptr().cast(), elements.len());
    // SAFETY: these are the elements.
    let operands = &[unsafe { ErasedView::contiguous(&[], first, len) }];
    let call = || Call::new(<u32 as ElementMoves>::COPY, null(), operands);
    let large = isize::MAX as usize;
    assert!(!call().bypassing_for(large, out).bypasses);
    let other = [0_u8; 4].as_mut_ptr();
    assert_eq!(call().bypassing_for(large, other).bypasses, cfg!(target_arch = "x86_64"));
    assert!(!call().bypassing_for(64, other).bypasses);
}
