//! Comparison of pairs of elements: equality, exact or within tolerances.

use crate::element::{Element, Float};
use crate::layout::ErasedView;
use crate::plan::Loops;

/// The number of pairs that are compared between two checks for an early exit.
const CHUNK: usize = 256;

/// Whether two elements are close to each other.
pub fn is_close<T: Float>(relative: f64, absolute: f64) -> impl Fn(T, T) -> bool {
    move |a, b| {
        let (a, b) = (a.to_f64(), b.to_f64());
        a == b || (b.is_finite() && (a - b).abs() <= absolute + relative * b.abs())
    }
}

/// Whether `holds` is true for every pair of elements of tensors of the same sizes.
#[track_caller]
pub fn all_pairs<T: Element>(
    a: ErasedView<'_, T>,
    b: ErasedView<'_, T>,
    holds: impl Fn(T, T) -> bool,
) -> bool {
    if let (Some(a), Some(b)) = (a.as_slice(), b.as_slice()) {
        // Without an early exit within a chunk, the loop is vectorised.
        let all =
            |(a, b): (&[T], &[T])| a.iter().zip(b).fold(true, |all, (&a, &b)| all & holds(a, b));
        return a.chunks(CHUNK).zip(b.chunks(CHUNK)).all(all);
    }
    let strides = [&a.strides()[..], &b.strides()];
    let loops = Loops::from_strides(a.sizes, strides, [a.offset(), b.offset()]);
    let [rows, columns] = loops.block();
    let (a_elements, b_elements) = (a.elements(), b.elements());
    let mut all = true;
    loops.for_each_block(|start| {
        let pair = |row: usize, column: usize| {
            let [a_at, b_at] = [0, 1].map(|k| {
                let steps = row as isize * rows.strides[k] + column as isize * columns.strides[k];
                (start[k] + steps) as usize
            });
            holds(a_elements[a_at], b_elements[b_at])
        };
        all = all && (0..rows.size).all(|row| (0..columns.size).all(|column| pair(row, column)));
    });
    all
}
