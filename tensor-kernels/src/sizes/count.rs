//! The number of elements of a shape, for every shape, result and plan.

use crate::sizes::error::ShapeError;

/// The compile-time error for static sizes; [`ShapeError::TooLarge`] is the one for run-time sizes.
pub const TOO_LARGE: &str =
    "a tensor of this shape does not fit into memory: it has more than isize::MAX bytes";

/// The number of elements of these sizes; `None` above `isize::MAX`, which exceeds any memory.
///
/// If one size is 0, there are no elements, however large the others are.
#[inline]
pub const fn checked_num_elements(sizes: &[usize]) -> Option<usize> {
    let mut axis = 0;
    while axis < sizes.len() {
        if sizes[axis] == 0 {
            return Some(0);
        }
        axis += 1;
    }
    let (mut count, mut axis) = (1_usize, 0);
    while axis < sizes.len() {
        count = match count.checked_mul(sizes[axis]) {
            Some(count) if count <= isize::MAX as usize => count,
            _ => return None,
        };
        axis += 1;
    }
    Some(count)
}

/// [`checked_num_elements`] for elements of `element_bytes` bytes; `None` also above `isize::MAX` bytes.
#[inline]
pub const fn checked_len(sizes: &[usize], element_bytes: usize) -> Option<usize> {
    match checked_num_elements(sizes) {
        Some(len) => match len.checked_mul(element_bytes) {
            Some(bytes) if bytes <= isize::MAX as usize => Some(len),
            _ => None,
        },
        None => None,
    }
}

/// [`checked_num_elements`] of run-time sizes, or a panic.
///
/// # Panics
///
/// If they are above `isize::MAX`.
#[inline]
#[track_caller]
pub fn num_elements(sizes: &[usize]) -> usize {
    match checked_num_elements(sizes) {
        Some(count) => count,
        None => too_large(sizes),
    }
}

/// [`checked_len`] of a tensor to be allocated, or a panic.
///
/// # Panics
///
/// If it has more than `isize::MAX` bytes.
#[inline]
#[track_caller]
pub fn len_in_memory(sizes: &[usize], element_bytes: usize) -> usize {
    match checked_len(sizes, element_bytes) {
        Some(len) => len,
        None => too_large(sizes),
    }
}

#[cold]
#[track_caller]
fn too_large(sizes: &[usize]) -> ! {
    panic!("{}", ShapeError::TooLarge { sizes: sizes.to_vec() })
}

#[cfg(test)]
mod tests {
    use super::{checked_len, checked_num_elements};

    const HALF: usize = 1 << (usize::BITS / 2);

    #[test]
    fn counts_are_products_up_to_the_largest_that_memory_holds() {
        assert_eq!(checked_num_elements(&[]), Some(1));
        assert_eq!(checked_num_elements(&[2, 3, 4]), Some(24));
        assert_eq!(checked_num_elements(&[HALF / 2, HALF - 1]), Some(HALF / 2 * (HALF - 1)));
        assert_eq!(checked_num_elements(&[isize::MAX as usize, 1]), Some(isize::MAX as usize));
        for too_large in [
            &[isize::MAX as usize + 1] as &[usize],
            &[HALF / 2, HALF],
            &[HALF, HALF],
            &[usize::MAX, usize::MAX, usize::MAX],
            // The product wraps around to 2 and to 0.
            &[usize::MAX, usize::MAX - 1],
            &[HALF, HALF, 7],
        ] {
            assert_eq!(checked_num_elements(too_large), None, "{too_large:?}");
        }
    }

    #[test]
    fn a_size_of_zero_leaves_none() {
        for sizes in
            [[0, HALF, HALF], [HALF, 0, HALF], [HALF, HALF, 0], [usize::MAX, usize::MAX, 0]]
        {
            assert_eq!(checked_num_elements(&sizes), Some(0));
            assert_eq!(checked_len(&sizes, 8), Some(0));
        }
    }

    #[test]
    fn bytes_are_counted_too() {
        let largest = isize::MAX as usize;
        assert_eq!(checked_len(&[largest / 4], 4), Some(largest / 4));
        assert_eq!(checked_len(&[largest / 4 + 1], 4), None);
        assert_eq!(checked_len(&[largest], 1), Some(largest));
        assert_eq!(checked_len(&[largest], 2), None);
    }
}
