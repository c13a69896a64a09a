//! Copies of contiguous elements, in a loop over vectors of 32 bytes.
//!
//! The `memcpy` of the C library reads the end of a row before the rest of it, which the hardware prefetcher
//! takes for the end of a stream: rows of 1 KiB outside L2 take twice as long.

use core::mem::MaybeUninit;

use super::isa_fns::with_avx2;

/// Copies of fewer bytes than this use `memcpy`: calling a loop for the available instructions does not pay.
const SHORT: usize = 256;

/// Copies all elements of `from` to `to`.
///
/// # Panics
///
/// If the lengths differ.
#[inline]
pub(super) fn copy_slice<T: Copy>(from: &[T], to: &mut [MaybeUninit<T>]) {
    if size_of_val(from) >= SHORT {
        copy_long(from, to);
    } else {
        to.write_copy_of_slice(from);
    }
}

#[inline(never)]
fn copy_long<T: Copy>(from: &[T], to: &mut [MaybeUninit<T>]) {
    with_avx2(
        #[inline(always)]
        |_| copy_slice_inline(from, to),
    );
}

/// [`copy_slice`], inlined and so compiled for the instruction set of the caller.
///
/// # Panics
///
/// The same.
#[inline(always)]
pub(super) fn copy_slice_inline<T: Copy>(from: &[T], to: &mut [MaybeUninit<T>]) {
    assert_eq!(from.len(), to.len(), "a slot for each element");
    match const { size_of::<T>() } {
        1 => vectors::<T, 32>(from, to),
        2 => vectors::<T, 16>(from, to),
        4 => vectors::<T, 8>(from, to),
        8 => vectors::<T, 4>(from, to),
        _ => _ = to.write_copy_of_slice(from),
    }
}

/// Copies slices of the same length, `N` elements at a time.
#[inline(always)]
fn vectors<T: Copy, const N: usize>(from: &[T], to: &mut [MaybeUninit<T>]) {
    let Some(last) = to.len().checked_sub(N) else {
        to.write_copy_of_slice(from);
        return;
    };
    to[last..].write_copy_of_slice(&from[last..]);
    let (from, to) = (from.as_chunks::<N>().0, to.as_chunks_mut::<N>().0);
    let (from, from_rest) = from.as_chunks::<4>();
    let (to, to_rest) = to.as_chunks_mut::<4>();
    // A loop over single vectors would be compiled to a call of `memcpy`.
    for (from, to) in from.iter().zip(to) {
        to[0].write_copy_of_slice(&from[0]);
        to[1].write_copy_of_slice(&from[1]);
        to[2].write_copy_of_slice(&from[2]);
        to[3].write_copy_of_slice(&from[3]);
    }
    for index in 0..3 {
        if let (Some(from), Some(to)) = (from_rest.get(index), to_rest.get_mut(index)) {
            to.write_copy_of_slice(from);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests lengths around whole vectors and blocks, and one that takes the loop for the instruction set.
    #[test]
    fn every_length_is_copied() {
        fn check<T: Copy + PartialEq + core::fmt::Debug>(element: impl Fn(usize) -> T) {
            for len in (0..300).chain([4_096, 5_001]) {
                let from: Vec<T> = (0..len).map(&element).collect();
                for copy in [copy_slice::<T>, copy_slice_inline::<T>] {
                    let mut to = vec![MaybeUninit::new(element(7)); len];
                    copy(&from, &mut to);
                    // SAFETY: every slot was initialised above.
                    let to = to.iter().map(|slot| unsafe { slot.assume_init() });
                    assert_eq!(to.collect::<Vec<T>>(), from, "{len} elements");
                }
            }
        }
        check(|index| index as u8);
        check(|index| [index as u8; 2]);
        check(|index| index as u32);
        check(|index| index as u64);
        check(|index| [index as u32; 3]);
    }
}
