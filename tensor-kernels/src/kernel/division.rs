//! Detection of integer divisions by zero before they are computed: inner loops know neither the
//! location of the user's call nor the index of an element.

use core::fmt;

use crate::element::Element;
use crate::layout::{ErasedView, checked_num_elements};
use crate::ops::{Block, BlockOperand, Kernel, Params};
use crate::plan::{Loop, for_each_index};

/// The message of a division by zero: the shapes of dividend and divisor, and the index of the 0.
struct DivisionByZero<'a> {
    element: &'a str,
    dividend: &'a [usize],
    divisor: &'a [usize],
    index: Vec<usize>,
}

impl fmt::Display for DivisionByZero<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { element, dividend, divisor, index } = self;
        write!(f, "attempt to divide by zero: `{element}`")?;
        match dividend {
            [] => write!(f, " number")?,
            sizes => write!(f, " elements of shape {sizes:?}")?,
        }
        match divisor {
            [] => write!(f, " by the number 0"),
            sizes => write!(f, " by a divisor of shape {sizes:?}, which is 0 at index {index:?}"),
        }
    }
}

/// Refuses a division of integers by zero.
///
/// # Panics
///
/// If an element of the divisor is 0, unless there is nothing to divide.
#[inline]
#[track_caller]
pub fn check_divisor<T: Element>(
    element: &'static str,
    dividend: &[usize],
    divisor: ErasedView<'_, T>,
) {
    if let Err(message) = try_divisor(element, dividend, divisor) {
        panic!("{message}");
    }
}

/// [`check_divisor`] with an error instead of the panic.
///
/// # Errors
///
/// The message of the panic.
pub fn try_divisor<T: Element>(
    element: &'static str,
    dividend: &[usize],
    divisor: ErasedView<'_, T>,
) -> Result<(), String> {
    let is_empty = |sizes| checked_num_elements(sizes) == Some(0);
    if is_empty(dividend) || is_empty(divisor.sizes) {
        return Ok(());
    }
    match index_of_zero(divisor.untyped(), size_of::<T>()) {
        Some(index) => {
            Err(DivisionByZero { element, dividend, divisor: divisor.sizes, index }.to_string())
        }
        None => Ok(()),
    }
}

/// Refuses a division of integers by zero within a block.
///
/// # Panics
///
/// If an element of the divisor is 0.
///
/// # Safety
///
/// As [`InnerLoop`](crate::ops::InnerLoop) requires, except for the results.
#[inline]
#[track_caller]
pub(super) unsafe fn check_block<const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    block: &Block<N>,
) {
    let Some(element) = kernel.divides else { return };
    // The exponent of `powi` is a parameter; a negative one is a division.
    // SAFETY: the kernel with one operand takes an `i32`.
    let divides = N > 1 || unsafe { *params.cast::<i32>() } < 0;
    let ([_, rows, columns], bytes) = (block.sizes, kernel.operand_bytes[N - 1]);
    let BlockOperand { first, strides: [stride, _], is_splat, .. } = block.operands[N - 1];
    let (rows, columns) = (if stride == 0 { 1 } else { rows }, if is_splat { 1 } else { columns });
    // SAFETY: the rows have this number of integers of this size.
    let has_zero = |row| unsafe {
        first_zero(first.wrapping_add(row * stride * bytes), bytes, columns).is_some()
    };
    if divides && (0..rows).any(has_zero) {
        panic!("attempt to divide by zero: a divisor of type `{element}` is 0");
    }
}

/// The index of the first element that is 0.
fn index_of_zero(view: ErasedView<'_>, bytes: usize) -> Option<Vec<usize>> {
    // Elements that a broadcast view repeats are tested once.
    let (strides, offset) = match view.layout {
        Some(layout) => (Some(&layout.strides), layout.offset),
        None => (None, 0),
    };
    let is_repeated = |axis: usize| strides.is_some_and(|strides| strides[axis] == 0);
    let sizes = view.sizes.iter().enumerate();
    let sizes: Vec<usize> =
        sizes.map(|(axis, &size)| if is_repeated(axis) { 1 } else { size }).collect();
    let count = checked_num_elements(&sizes)?;
    let number = match strides {
        None => {
            assert!(count <= view.len, "the elements of all indices");
            // SAFETY: the view has `count` initialised integers of this size, aligned for it.
            unsafe { first_zero(view.first, bytes, count) }
        }
        Some(strides) => {
            let axes = sizes.iter().zip(strides).rev();
            let loops: Vec<Loop<1>> =
                axes.map(|(&size, &stride)| Loop { size, strides: [stride] }).collect();
            let (mut number, mut found) = (0, None);
            for_each_index(&loops, [offset as isize], &mut |[position]| {
                assert!((position as usize) < view.len, "the elements of all indices");
                let element = view.first.wrapping_add(position as usize * bytes);
                // SAFETY: `element` is an initialised integer of this size, aligned for it, as was checked.
                if found.is_none() && unsafe { first_zero(element, bytes, 1) }.is_some() {
                    found = Some(number);
                }
                number += 1;
            });
            found
        }
    };
    let mut rest = number?;
    let mut index = vec![0; sizes.len()];
    for (at, &size) in index.iter_mut().zip(&sizes).rev() {
        *at = rest % size;
        rest /= size;
    }
    Some(index)
}

/// The position of the first 0 among `count` contiguous integers.
///
/// # Safety
///
/// The integers are initialised, have this size in bytes, and are aligned for it.
unsafe fn first_zero(first: *const u8, bytes: usize, count: usize) -> Option<usize> {
    /// The position of the first 0 of a typed slice.
    fn find<T: PartialEq + From<bool>>(elements: &[T]) -> Option<usize> {
        let zero = T::from(false);
        // There is no early exit within a block, so that the loop is vectorised.
        let has_zero = |block: &[T]| block.iter().fold(false, |found, x| found | (*x == zero));
        let block = elements.chunks(1024).position(has_zero)?;
        let within = elements[1024 * block..].iter().position(|x| *x == zero)?;
        Some(1024 * block + within)
    }
    // SAFETY: as the caller promises; every bit pattern is an integer, and 0 has all bits zero.
    unsafe {
        match bytes {
            1 => find(core::slice::from_raw_parts(first, count)),
            2 => find(core::slice::from_raw_parts(first.cast::<u16>(), count)),
            4 => find(core::slice::from_raw_parts(first.cast::<u32>(), count)),
            8 => find(core::slice::from_raw_parts(first.cast::<u64>(), count)),
            bytes => unreachable!("integers of {bytes} bytes"),
        }
    }
}
