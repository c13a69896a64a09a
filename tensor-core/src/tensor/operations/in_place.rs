//! Operations along an axis whose result has the shape of the tensor: normalizations and sums so far.

use crate::array::kernel::blocks::{blocks_of_slice, blocks_of_strides};
use crate::array::kernel::cumulate::cumulate;
use crate::array::kernel::normalize::{Normalization, normalize_slice, normalize_strides};
use crate::array::layout::{AnyView, View};
use crate::array::plan::Loops;
use crate::array::storage::Storage;
use crate::element::{Element, Float, Number};
use crate::shape::axis_index::{HasAxis, Removed};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;

/// The elements of a view in row-major order, every line along an axis normalized.
#[inline]
pub(super) fn normalized<S: Shape, T: Float>(
    view: View<'_, S, T>,
    axis: usize,
    normalization: impl Normalization<T>,
) -> Storage<T> {
    normalized_any(view.any(&mut Sizes::new()), axis, normalization)
}

/// [`normalized`] without the type of the shape.
#[inline(never)]
fn normalized_any<T: Float>(
    view: AnyView<'_, T>,
    axis: usize,
    normalization: impl Normalization<T>,
) -> Storage<T> {
    let sizes = view.sizes;
    let inner = sizes[axis + 1..].iter().product();
    let block = [sizes[axis] * inner, inner];
    match view.as_slice() {
        Some(elements) => normalized_slice(elements, block, normalization),
        None => {
            let loops = Loops::of_strides(sizes, [&view.strides()], [view.offset()]);
            let len = sizes.iter().product();
            normalized_strides(view.elements, &loops, len, block, normalization)
        }
    }
}

fn normalized_slice<T: Float>(
    elements: &[T],
    block: [usize; 2],
    normalization: impl Normalization<T>,
) -> Storage<T> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(elements.len(), |results| {
            normalize_slice(elements, block, results, normalization);
        })
    }
}

fn normalized_strides<T: Float>(
    elements: &[T],
    loops: &Loops<'_, 1>,
    len: usize,
    block: [usize; 2],
    normalization: impl Normalization<T>,
) -> Storage<T> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            normalize_strides(elements, loops, block, results, normalization);
        })
    }
}

/// The elements of a view in row-major order, where `change(block, inner)` has changed each block
/// `[n, inner]` of the axis and the axes behind it.
fn in_blocks<S: Shape, T: Element>(
    view: View<'_, S, T>,
    axis: usize,
    change: impl Fn(&mut [T], usize) + Sync,
) -> Storage<T> {
    let sizes = view.shape.sizes();
    let inner = sizes[axis + 1..].iter().product();
    let block = sizes[axis] * inner;
    match view.as_slice() {
        Some(elements) => of_slice(elements, block, inner, change),
        None => {
            let loops = Loops::of_strides(&sizes, [&view.strides()], [view.offset()]);
            of_strides(view.elements, &loops, sizes.iter().product(), [block, inner], change)
        }
    }
}

fn of_slice<T: Element>(
    elements: &[T],
    block: usize,
    inner: usize,
    change: impl Fn(&mut [T], usize) + Sync,
) -> Storage<T> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(elements.len(), |results| {
            blocks_of_slice(elements, block, results, |block| change(block, inner));
        })
    }
}

fn of_strides<T: Element>(
    elements: &[T],
    loops: &Loops<'_, 1>,
    len: usize,
    [block, inner]: [usize; 2],
    change: impl Fn(&mut [T], usize) + Sync,
) -> Storage<T> {
    // SAFETY: the kernel writes every result.
    unsafe {
        Storage::build(len, |results| {
            blocks_of_strides(elements, loops, block, results, |block| change(block, inner));
        })
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The sums so far along axis `I`, `[..a, n, ..b] → [..a, n, ..b]`: element `i` is the sum of
    /// the elements `0..=i`, added one after the other.
    ///
    /// Integers wrap around on overflow; 16-bit floats are summed in `f32`.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// let x = tensor![[1, 2, 3], [4, 5, 6]];
    /// assert_eq!(x.cumsum::<-1>(), tensor![[1, 3, 6], [4, 9, 15]]);
    /// assert_eq!(x.cumsum::<0>(), tensor![[1, 2, 3], [5, 7, 9]]);
    /// ```
    pub fn cumsum<const I: isize>(&self) -> Tensor<S, T>
    where
        Removed<S, I>: Sized,
        <T as Number>::Checked: Sized,
        S: HasAxis<I>,
        T: Number,
    {
        let storage = in_blocks(self.view(), <S as HasAxis<I>>::INDEX, cumulate::<T>);
        Tensor::from_storage(self.shape, storage)
    }
}
