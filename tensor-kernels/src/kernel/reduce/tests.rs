//! Tests of reductions with any strides against nested loops, forwards and backwards, with gaps and
//! broadcast: more than tensors can have yet.

use proptest::prelude::*;

use super::ReduceKernel;
use super::contiguous::BLOCK;
use super::loops::{ErasedAccumulator, RawLines, ReduceLoops};
use super::lowered::{exponentials, mean_and_m2};
use super::pairwise::{PairwiseSum, reduce_slice};
use crate::element::Element;
use crate::layout::{ErasedView, StridedLayout};
use crate::ops::products::DotSlices;
use crate::ops::reductions::{FloatReductions, NumberReductions};
use crate::rows::Reduction;

/// A tensor with any strides.
#[derive(Clone, Debug)]
struct Any {
    sizes: Vec<usize>,
    strides: Vec<isize>,
    offset: usize,
    elements: Vec<i32>,
}

/// The layout of any strides.
fn strided(offset: usize, strides: &[isize]) -> StridedLayout {
    StridedLayout::new(offset, strides.into())
}

/// The results of a reduction along an axis.
fn along<T: Element, O: Element>(
    reduction: &Reduction<T, O>,
    view: ErasedView<'_, T>,
    axis: usize,
) -> Vec<O> {
    let kept = view.sizes.iter().enumerate().filter(|&(other, _)| other != axis);
    let count = kept.map(|(_, size)| size).product();
    reduction.axes(view, &[axis], count, 0).as_slice()[..count].to_vec()
}

impl Any {
    fn layout(&self) -> StridedLayout {
        strided(self.offset, &self.strides)
    }

    fn view<'a>(&'a self, layout: &'a StridedLayout) -> ErasedView<'a, i32> {
        ErasedView::new(&self.sizes, Some(layout), &self.elements)
    }

    /// The elements in row-major order.
    fn elements(&self) -> Vec<i32> {
        let mut positions = vec![self.offset as isize];
        for (&size, &stride) in self.sizes.iter().zip(&self.strides) {
            positions = positions
                .iter()
                .flat_map(|position| (0..size as isize).map(move |step| position + step * stride))
                .collect();
        }
        positions.into_iter().map(|position| self.elements[position as usize]).collect()
    }

    /// The elements of each lane along an axis.
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
            let (size, (backwards, _), gap, broadcast_strides) = axes[axis];
            if broadcast_strides == 0 {
                continue;
            }
            let (stride, reach) = (step * gap, size.max(1) - 1);
            strides[axis] = if backwards { -stride } else { stride };
            offset += if backwards { stride as usize * reach } else { 0 };
            step = stride * size.max(1) as isize;
        }
        // Numbers that repeat now and then, so that ties occur: the first of equal maxima is expected.
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
        let layout = x.layout();
        let sums = along(i32::SUM_ROW, x.view(&layout), axis);
        for (index, line) in lines.iter().enumerate() {
            prop_assert_eq!(sums[index], line.iter().sum::<i32>());
        }
        if x.sizes[axis] == 0 {
            return Ok(());
        }
        let largest = along(i32::ARGMAX_ROW, x.view(&layout), axis);
        let smallest = along(i32::ARGMIN_ROW, x.view(&layout), axis);
        for (index, line) in lines.iter().enumerate() {
            let first = |extreme: &i32| line.iter().position(|x| x == extreme).unwrap() as i64;
            prop_assert_eq!(largest[index], first(line.iter().max().unwrap()));
            prop_assert_eq!(smallest[index], first(line.iter().min().unwrap()));
        }
    }

    #[test]
    fn any_strides_to_one(x in any_tensor()) {
        let all = x.elements();
        let sum = all.iter().fold(0_i32, |sum, &x| sum.wrapping_add(x));
        let layout = x.layout();
        prop_assert_eq!(i32::SUM_ROW.all(x.view(&layout), 0), sum);
        if let Some(largest) = all.iter().max() {
            prop_assert_eq!(i32::MAX_ROW.all(x.view(&layout), 0), *largest);
            let first = all.iter().position(|x| x == largest).unwrap() as i64;
            prop_assert_eq!(i32::ARGMAX_ROW.all(x.view(&layout), 0), first);
        }
    }
}

#[test]
fn sums_of_strided_elements_stay_exact() {
    let elements = vec![0.1_f32; 2_000_000];
    let layout = strided(0, &[2]);
    let view = ErasedView::new(&[1_000_000], Some(&layout), &elements);
    let expected = 1e6 * f64::from(0.1_f32);
    let near = |sum: f32| (f64::from(sum) / expected - 1.0).abs() < 1e-6;
    assert!(near(f32::SUM_ROW.all(view, 0)));
    assert!(near(along(f32::SUM_ROW, view, 0)[0]));
}

#[test]
fn inner_products_of_any_lengths() {
    for len in [1, 7, 8, 31, 32, 64, 100, 1000, BLOCK + 1, 3 * BLOCK + 5] {
        let a: Vec<i32> = (0..len as i32).collect();
        let b: Vec<i32> = a.iter().map(|x| x.wrapping_mul(7) - 3).collect();
        let expected =
            a.iter().zip(&b).fold(0, |sum: i32, (a, b)| sum.wrapping_add(a.wrapping_mul(*b)));
        assert_eq!(i32::dot_slices(&a, &b), expected);
        let unsigned = |x: &[i32]| x.iter().map(|&x| x as u32).collect::<Vec<_>>();
        assert_eq!(u32::dot_slices(&unsigned(&a), &unsigned(&b)), expected as u32);
    }
}

#[test]
#[should_panic(expected = "the strides stay within the elements")]
fn strides_that_leave_the_elements() {
    let layout = strided(1, &[3, 1]);
    let view = ErasedView::new(&[4, 3], Some(&layout), &[0_i32; 12]);
    i32::SUM_ROW.all(view, 0);
}

#[test]
#[should_panic(expected = "the strides stay within the elements")]
fn strides_beyond_all_memory() {
    let layout = strided(0, &[isize::MAX / 2, 1]);
    let view = ErasedView::new(&[4, 3], Some(&layout), &[0_i32; 12]);
    along(i32::SUM_ROW, view, 0);
}

/// Pseudo-random numbers: products modulo 2^32, from -1 to 1.
fn numbers(count: usize) -> Vec<f32> {
    (0..count as u32).map(|i| i.wrapping_mul(2_654_435_769) as i32 as f32 / 2e9).collect()
}

/// The bytes of an accumulator.
fn bits(loops: &ReduceLoops, accumulator: &ErasedAccumulator) -> Vec<u8> {
    // SAFETY: the accumulator has this many initialised bytes.
    unsafe { core::slice::from_raw_parts(accumulator.as_ptr(), loops.accumulator) }.to_vec()
}

/// Blocks may be reduced on any thread and by any instruction set: here by all available ones.
#[test]
fn blocks_combine_to_the_whole() {
    fn check(loops: &ReduceLoops, numbers: &[f32], fused: bool) {
        let first = numbers.as_ptr().cast::<u8>();
        // SAFETY: these are initialised elements of the loops' type.
        let whole = unsafe { reduce_slice(loops, first, numbers.len()) };
        let sets = loops.lines.runnable();
        for reduce in &sets[usize::from(fused && numbers.len() >= 32).min(sets.len() - 1)..] {
            let mut all = PairwiseSum::new(loops);
            for block in numbers.chunks(BLOCK) {
                let (first, len) = (block.as_ptr().cast(), block.len());
                let mut accumulator = ErasedAccumulator::UNINIT;
                // SAFETY: as above, and the instruction set is available.
                unsafe {
                    let lines = RawLines { first, stride: 0, len, count: 1 };
                    reduce(loops, lines, accumulator.as_mut_ptr());
                    all.push(accumulator);
                }
            }
            let all = all.finish().unwrap();
            if fused && numbers.len() < 32 {
                continue;
            }
            assert_eq!(bits(loops, &whole), bits(loops, &all), "{}", numbers.len());
        }
    }
    for count in [1, 2, 7, 31, 64, 65, 1000, 5 * BLOCK + 17] {
        let numbers = numbers(count);
        check(&ReduceKernel::sum::<f32>().get().loops, &numbers, false);
        check(&ReduceKernel::product::<f32>().get().loops, &numbers, false);
        check(&ReduceKernel::min::<f32>().get().loops, &numbers, false);
        check(&mean_and_m2::<f32>(), &numbers, false);
        // The exponentials of the baseline differ in the last bits, as it has no fused multiply-adds.
        check(&exponentials::<f32>(), &numbers, true);
    }
}

/// Short lanes give the same result alone and together, by each instruction set.
#[test]
fn short_lanes_have_the_same_bits_by_each_instruction_set() {
    fn check(loops: &ReduceLoops, numbers: &[f32], len: usize, count: usize) {
        let lanes = |first: &[f32], count| {
            let first = first.as_ptr().cast();
            RawLines { first, stride: len as isize, len, count }
        };
        let all = lanes(numbers, count);
        for lines in loops.lines.runnable() {
            let mut found = vec![ErasedAccumulator::UNINIT; count];
            // SAFETY: these are initialised elements of the loops' type, and there is room for the accumulators.
            unsafe { lines(loops, all, found.as_mut_ptr().cast()) };
            let found = found.as_ptr().cast::<u8>();
            for (index, line) in numbers.chunks_exact(len).enumerate().take(count) {
                let mut alone = ErasedAccumulator::UNINIT;
                // SAFETY: as above; there are `count` accumulators.
                let found = unsafe {
                    (loops.lines.baseline())(loops, lanes(line, 1), alone.as_mut_ptr());
                    let found = found.add(index * loops.accumulator);
                    core::slice::from_raw_parts(found, loops.accumulator)
                };
                assert_eq!(bits(loops, &alone), found, "lane {index} of {count}, of {len}");
            }
        }
    }
    for len in 1..70 {
        for count in [1, 7, 8, 19] {
            let mut numbers = numbers(len * count);
            // A lane with a NaN.
            numbers[len * count / 2] = f32::NAN;
            for loops in [
                &ReduceKernel::sum::<f32>().get().loops,
                &ReduceKernel::product::<f32>().get().loops,
                &ReduceKernel::max::<f32>().get().loops,
                &ReduceKernel::min::<f32>().get().loops,
                &mean_and_m2::<f32>(),
            ] {
                check(loops, &numbers, len, count);
            }
        }
    }
}

/// The result of a column does not depend on its neighbours, if there are any: columns may be reduced
/// on any thread.
#[test]
fn columns_do_not_depend_on_their_neighbours() {
    fn check(reduction: &Reduction<f32, f32>, rows: usize) {
        const COLUMNS: usize = 300;
        let numbers = numbers(rows * COLUMNS);
        let results = |columns: core::ops::Range<usize>| {
            let layout = strided(columns.start, &[COLUMNS as isize, 1]);
            let sizes = [rows, columns.len()];
            let view = ErasedView::new(&sizes, Some(&layout), &numbers);
            along(reduction, view, 0).iter().map(|x| x.to_bits()).collect::<Vec<_>>()
        };
        let all = results(0..COLUMNS);
        for columns in [0..2, 0..16, 1..20, 5..70, 13..300] {
            assert_eq!(results(columns.clone()), all[columns]);
        }
    }
    for rows in [1, 5, 64, 70, 500] {
        check(f32::SUM_ROW, rows);
        check(f32::STD_ROW, rows);
        check(f32::LOGSUMEXP_ROW, rows);
    }
}
