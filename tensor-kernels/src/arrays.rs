//! Arrays of a constant length from a function.
//!
//! [`core::array::from_fn`] and the `map` of an array generate eight functions for each closure, and a closure in generic
//! code is compiled for each element type: they were a twelfth of what the compiler was given of this crate.

use core::mem::MaybeUninit;

/// `[f(0), f(1), …]`.
#[inline(always)]
#[track_caller]
pub(crate) fn from_fn<T, const N: usize>(mut f: impl FnMut(usize) -> T) -> [T; N] {
    let (mut results, mut index) = (MaybeUninit::<[T; N]>::uninit(), 0);
    while index < N {
        // SAFETY: there is room for `N` results. If `f` panics, those before it are leaked.
        unsafe { (&raw mut results).cast::<T>().add(index).write(f(index)) };
        index += 1;
    }
    // SAFETY: the loop wrote every result.
    unsafe { results.assume_init() }
}

#[cfg(test)]
mod tests {
    use super::from_fn;

    #[test]
    fn an_array_has_the_result_of_each_index() {
        assert_eq!(from_fn(|index| format!("{index}")), ["0", "1", "2"]);
        assert_eq!(from_fn(|_| -> u8 { unreachable!() }), [0_u8; 0]);
    }
}
