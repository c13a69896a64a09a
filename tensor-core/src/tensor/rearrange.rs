//! Axes split, moved and merged by their names: [`rearrange!`](crate::rearrange!) and
//! [`DynTensor::rearrange`].
//!
//! All is done by views: axes are split, permuted and merged. Only the last step copies, where strides
//! do not describe the merged axes.

pub(crate) mod pattern;

use crate::array::layout::checked_num_elements;
use crate::element::Element;
use crate::shape::axis::Axis;
use crate::shape::error::ShapeError;
use crate::shape::rearrange as shapes;
use crate::shape::{Shape, Sizes};
use crate::tensor::einsum::contraction::typed;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use crate::tensor::{DynTensor, Tensor};

/// The tensor with axes of the sizes `split`, these in the order `order`, and then merged into axes of
/// the sizes `merged`.
///
/// # Errors
///
/// If a shape does not fit into memory, which then does not have as many elements.
pub(crate) fn moved<T: Element>(
    x: &DynTensor<T>,
    split: &[usize],
    order: &[usize],
    merged: &[usize],
) -> Result<DynTensor<T>, ShapeError> {
    let x = x.reshape(split)?;
    let is_in_order = order.iter().enumerate().all(|(place, &axis)| place == axis);
    let x = match is_in_order {
        true => x,
        false => x.permute(&order.iter().map(|&axis| axis as isize).collect::<Vec<_>>())?,
    };
    x.reshape(merged)
}

/// The size of an axis.
#[doc(hidden)]
pub fn size<A: Axis>(axis: A) -> usize {
    axis.size()
}

/// What the other parts leave of an axis.
///
/// # Panics
///
/// If no size gives the parts all elements, or if `A` is static and has another size.
#[doc(hidden)]
#[track_caller]
pub fn left_out<A: Axis, W: Axis, S: Shape>(whole: W, parts: S) -> A {
    unwrap_or_panic(shapes::left_out(whole.size(), parts))
}

/// Compares the size of an axis with those of its parts.
///
/// # Panics
///
/// If the parts do not multiply to it.
#[doc(hidden)]
#[track_caller]
pub fn all_parts<W: Axis, S: Shape>(whole: W, parts: S) {
    unwrap_or_panic(shapes::check_parts(whole.size(), parts));
}

/// The axis `A` of which these are the parts.
///
/// # Panics
///
/// If it is static and has another size; if the product is too large.
#[doc(hidden)]
#[track_caller]
pub fn merged_as<A: Axis, S: Shape>(parts: S) -> A {
    unwrap_or_panic(shapes::merged_as(parts))
}

/// The tensor of this shape, whose axes are those of `x`: the last `named` ones split into axes of the
/// sizes `split`, which then have the order `order`.
///
/// # Panics
///
/// If the shape has two sizes for one name.
#[doc(hidden)]
#[track_caller]
pub fn rearrange<R: Shape, S: Shape, T: Element>(
    x: &Tensor<R, T>,
    named: usize,
    split: &[usize],
    order: &[usize],
    shape: S,
) -> Tensor<S, T> {
    let leading = R::RANK - named;
    let mut sizes = x.shape.sizes();
    sizes.truncate(leading);
    sizes.extend_from_slice(split);
    let order: Sizes = (0..leading).chain(order.iter().map(|&axis| leading + axis)).collect();
    debug_assert_eq!(checked_num_elements(&sizes), Some(x.len()));
    let moved = moved(&x.clone().into(), &sizes, &order, &shape.sizes());
    typed(unwrap_or_panic(moved), shape)
}
