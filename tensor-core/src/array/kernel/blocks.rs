//! Operations along an axis that keep the sizes: each block `[n, ..inner]` of the result is a copy
//! of the source at first, and is then changed where it is.

use core::mem::MaybeUninit;

use super::elementwise::copy_strided;
use super::parallel::for_each_part;
use crate::array::plan::Loops;
use crate::element::Element;

/// Writes the elements of a source in row-major order to `results`, and changes every block of
/// `block` elements, one soon after it is written.
pub(crate) fn blocks_of_slice<T: Element>(
    source: &[T],
    block: usize,
    results: &mut [MaybeUninit<T>],
    change: impl Fn(&mut [T]) + Sync,
) {
    assert_eq!(source.len(), results.len());
    if source.is_empty() {
        return;
    }
    for_each_part(results, block, |start, results| {
        let source = &source[start..][..results.len()];
        for (results, source) in results.chunks_exact_mut(block).zip(source.chunks_exact(block)) {
            change(results.write_copy_of_slice(source));
        }
    });
}

/// [`blocks_of_slice`] for a source of any strides.
pub(crate) fn blocks_of_strides<T: Element>(
    source: &[T],
    loops: &Loops<'_, 1>,
    block: usize,
    results: &mut [MaybeUninit<T>],
    change: impl Fn(&mut [T]) + Sync,
) {
    copy_strided(source, loops, results);
    if results.is_empty() {
        return;
    }
    // SAFETY: the kernel has written every element.
    let results = unsafe { results.assume_init_mut() };
    for_each_part(results, block, |_, results| results.chunks_exact_mut(block).for_each(&change));
}
