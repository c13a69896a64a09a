//! Reductions of any strides against nested loops, forwards and backwards, with gaps and stretched:
//! more than tensors can have yet.

use proptest::prelude::*;

use super::{reduce_all, reduce_axis};
use crate::array::kernel::extreme::{place_along_axis, place_of_all};
use crate::array::kernel::lanes::{All, BLOCK, Reduction, join_all, reduce_slice};
use crate::array::kernel::lines::Source;
use crate::array::kernel::reductions::{Elements, Maximum, Minimum, Products, Sum};
use crate::array::kernel::summaries::{exponentials, moments};
use crate::array::storage::Storage;
use crate::element::Instructions;

/// A tensor with any strides.
#[derive(Clone, Debug)]
struct Any {
    sizes: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
    elements: Vec<i32>,
}

impl Any {
    fn source(&self) -> Source<'_, i32> {
        Source {
            elements: &self.elements,
            offset: self.offset,
            sizes: &self.sizes,
            strides: &self.strides,
        }
    }

    /// The elements in row-major order.
    fn elements(&self) -> Vec<i32> {
        let mut places = vec![self.offset as isize];
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            places = places
                .iter()
                .flat_map(|place| (0..size as isize).map(move |step| place + step * stride))
                .collect();
        }
        places.into_iter().map(|place| self.elements[place as usize]).collect()
    }

    /// The elements of each line along an axis.
    fn lines(&self, axis: usize) -> Vec<Vec<i32>> {
        let elements = self.elements();
        let inner: usize = self.sizes[axis + 1..].iter().product();
        let count = elements.len().checked_div(self.sizes[axis]).unwrap_or_else(|| {
            self.sizes.iter().enumerate().filter(|&(a, _)| a != axis).map(|(_, s)| s).product()
        });
        let element = |line: usize, step: usize| {
            elements[(line / inner * self.sizes[axis] + step) * inner + line % inner]
        };
        (0..count)
            .map(|line| (0..self.sizes[axis]).map(|step| element(line, step)).collect())
            .collect()
    }
}

fn any_tensor() -> impl Strategy<Value = Any> {
    let axis = (
        prop_oneof![4 => 0..5_usize, 2 => 5..40_usize, 1 => 60..140_usize],
        any::<(bool, u8)>(),
        1..3_isize,
        0..5_u8,
    );
    (prop::collection::vec(axis, 1..4), any::<u32>()).prop_map(|(axes, seed)| {
        let mut order: Vec<usize> = (0..axes.len()).collect();
        order.sort_by_key(|&axis| axes[axis].1.1);
        let mut strides = vec![0; axes.len()];
        let (mut step, mut offset) = (1, 0);
        for axis in order {
            let (size, (backwards, _), gap, stretched) = axes[axis];
            if stretched == 0 {
                continue;
            }
            let (stride, reach) = (step * gap, size.max(1) - 1);
            strides[axis] = if backwards { -stride } else { stride };
            offset += if backwards { stride as usize * reach } else { 0 };
            step = stride * size.max(1) as isize;
        }
        // Numbers that repeat now and then, so that the first of several largest counts.
        let elements = (0..step as u32)
            .map(|index| (index.wrapping_add(seed).wrapping_mul(2_654_435_769) >> 20) as i32)
            .collect();
        let sizes = axes.iter().map(|axis| axis.0).collect();
        Any { sizes, strides, offset, elements }
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_strides_along_an_axis(x in any_tensor(), axis: prop::sample::Index) {
        let axis = axis.index(x.sizes.len());
        let lines = x.lines(axis);
        let about: Vec<i32> = (0..lines.len() as i32).collect();
        // SAFETY: the kernels write every result.
        let [sums, products] = unsafe {[
            Storage::build(lines.len(), |results| {
                reduce_axis(x.source(), axis, Sum(Elements), All(()), results);
            }),
            Storage::build(lines.len(), |results| {
                reduce_axis(x.source(), axis, Sum(Products), &about[..], results);
            }),
        ]};
        for (index, line) in lines.iter().enumerate() {
            let sum = line.iter().sum::<i32>();
            prop_assert_eq!(sums.as_slice()[index], sum);
            prop_assert_eq!(products.as_slice()[index], sum.wrapping_mul(index as i32));
        }
        if x.sizes[axis] == 0 {
            return Ok(());
        }
        // SAFETY: the kernels write every result.
        let [largest, smallest] = unsafe {[
            Storage::build(lines.len(), |results| {
                place_along_axis(x.source(), axis, Maximum, results);
            }),
            Storage::build(lines.len(), |results| {
                place_along_axis(x.source(), axis, Minimum, results);
            }),
        ]};
        for (index, line) in lines.iter().enumerate() {
            let first = |extreme: &i32| line.iter().position(|x| x == extreme).unwrap() as i64;
            prop_assert_eq!(largest.as_slice()[index], first(line.iter().max().unwrap()));
            prop_assert_eq!(smallest.as_slice()[index], first(line.iter().min().unwrap()));
        }
    }

    #[test]
    fn any_strides_to_one(x in any_tensor()) {
        let all = x.elements();
        let sum = all.iter().fold(0_i32, |sum, &x| sum.wrapping_add(x));
        prop_assert_eq!(reduce_all(x.source(), Sum(Elements), ()), sum);
        if let Some(largest) = all.iter().max() {
            prop_assert_eq!(reduce_all(x.source(), Maximum, ()), *largest);
            let first = all.iter().position(|x| x == largest).unwrap();
            prop_assert_eq!(place_of_all(x.source(), Maximum), first);
        }
    }
}

#[test]
fn gathered_sums_stay_exact() {
    let elements = vec![0.1_f32; 2_000_000];
    let source = Source { elements: &elements, offset: 0, sizes: &[1_000_000], strides: &[2] };
    let expected = 1e6 * f64::from(0.1_f32);
    let near = |sum: f32| (f64::from(sum) / expected - 1.0).abs() < 1e-6;
    assert!(near(reduce_all(source, Sum(Elements), ())));
    // SAFETY: the kernel writes every result.
    let sum = unsafe {
        Storage::build(1, |results| reduce_axis(source, 0, Sum(Elements), All(()), results))
    };
    assert!(near(sum.as_slice()[0]));
}

/// Any numbers: products modulo 2^32, from -1 to 1.
fn numbers(count: usize) -> Vec<f32> {
    (0..count as u32).map(|i| i.wrapping_mul(2_654_435_769) as i32 as f32 / 2e9).collect()
}

/// Blocks may be reduced anywhere and by any instruction set: here by the least of this machine,
/// for the loops are part of this function.
#[test]
fn blocks_join_to_the_whole() {
    fn check<R: Reduction<f32, About = ()>>(reduction: R, numbers: &[f32]) -> [R::Result; 2] {
        let whole = reduce_slice(reduction, numbers, All(()));
        let blocks: Vec<R::Partial> =
            numbers.chunks(BLOCK).map(|block| reduction.of_slice(block, All(()))).collect();
        let joined = join_all(reduction, blocks.into_iter()).unwrap();
        [reduction.finish(whole, ()), reduction.finish(joined, ())]
    }
    for count in [1, 2, 7, 31, 64, 65, 1000, 5 * BLOCK + 17] {
        let numbers = numbers(count);
        let [whole, joined] = check(Sum(Elements), &numbers);
        assert_eq!(whole.to_bits(), joined.to_bits());
        let [whole, joined] = check(moments::<f32>(), &numbers);
        assert_eq!(whole.map(f32::to_bits), joined.map(f32::to_bits));
        let [whole, joined] = check(exponentials::<f32>(Instructions::OF_THE_BUILD), &numbers);
        assert_eq!(whole.map(f32::to_bits), joined.map(f32::to_bits));
    }
}

/// A column comes out the same, whichever columns are beside it, as long as some are: columns may be
/// reduced anywhere.
#[test]
fn columns_do_not_depend_on_their_neighbours() {
    fn check<R: Reduction<f32, About = (), Result = f32>>(reduction: R, rows: usize) {
        const COLUMNS: usize = 300;
        let numbers = numbers(rows * COLUMNS);
        let results = |columns: core::ops::Range<usize>| {
            let (sizes, strides) = ([rows, columns.len()], [COLUMNS as isize, 1]);
            let offset = columns.start;
            let source = Source { elements: &numbers, offset, sizes: &sizes, strides: &strides };
            // SAFETY: the kernel writes every result.
            let results = unsafe {
                Storage::build(columns.len(), |results| {
                    reduce_axis(source, 0, reduction, All(()), results);
                })
            };
            results.as_slice()[..columns.len()].iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        let all = results(0..COLUMNS);
        for columns in [0..2, 0..16, 1..20, 5..70, 13..300] {
            assert_eq!(results(columns.clone()), all[columns]);
        }
    }
    for rows in [1, 5, 64, 70, 500] {
        check(Sum(Elements), rows);
        check(crate::array::kernel::summaries::variance::<f32>(rows, true), rows);
        check(crate::array::kernel::summaries::log_of_exponentials::<f32>(), rows);
    }
}
