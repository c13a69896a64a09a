//! What [`rearrange!`](crate::rearrange!) expands to, besides the traits of `shape/rearrange.rs`.

use crate::array::dynamic::einsum::contraction::LEADING;
use crate::array::dynamic::rearrange::moved;
use crate::array::layout::checked_num_elements;
use crate::element::Element;
use crate::shape::axis::Axis;
use crate::shape::rearrange as shapes;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::einsum::typed;
use crate::tensor::operations::dispatch::unwrap_or_panic;

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
/// sizes `split`, which then have the order `order`. In it `usize::MAX` stands for all leading axes, which are in
/// front where it does not.
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
    let in_front = if order.contains(&LEADING) { 0..0 } else { 0..leading };
    let axes = order.iter().flat_map(|&axis| match axis {
        LEADING => 0..leading,
        axis => leading + axis..leading + axis + 1,
    });
    let order: Sizes = in_front.chain(axes).collect();
    debug_assert_eq!(checked_num_elements(&sizes), Some(x.len()));
    let moved = moved(&x.clone().into(), &sizes, &order, &shape.sizes());
    typed(unwrap_or_panic(moved), shape)
}
