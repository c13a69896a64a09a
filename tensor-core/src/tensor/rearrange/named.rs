//! Items in the expansion of [`rearrange!`](crate::rearrange!), besides the traits of `shape/rearrange.rs`.

use tensor_array::array::dynamic::einsum::contraction::LEADING;
use tensor_array::array::dynamic::rearrange::moved;
use tensor_kernels::element::Element;
use tensor_kernels::layout::checked_num_elements;

use crate::shape::axis::{Axis, check_layout, layouts};
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

/// The size of the part of an axis that is left out: the whole divided by the other parts.
///
/// # Panics
///
/// If no size gives the parts all elements, or if `A` is static and has another size.
#[doc(hidden)]
#[track_caller]
pub fn left_out<A: Axis, W: Axis, S: Shape>(whole: W, parts: S) -> A {
    const { check_layout(layouts::<W>(), layouts::<A>()) };
    unwrap_or_panic(shapes::left_out(whole.size(), parts))
}

/// Checks that the sizes of the parts multiply to the size of the axis.
///
/// # Panics
///
/// If the parts do not multiply to it.
#[doc(hidden)]
#[track_caller]
pub fn all_parts<W: Axis, S: Shape>(whole: W, parts: S) {
    const { check_layout(layouts::<W>(), S::LAST_LAYOUT) };
    unwrap_or_panic(shapes::check_parts(whole.size(), parts));
}

/// The axis `A` that these parts merge into.
///
/// # Panics
///
/// If it is static and has another size; if the product is too large.
#[doc(hidden)]
#[track_caller]
pub fn merged_as<A: Axis, S: Shape>(parts: S) -> A {
    const { check_layout(S::LAST_LAYOUT, layouts::<A>()) };
    unwrap_or_panic(shapes::merged_as(parts))
}

/// Rearranges the axes of `x` into shape `R`: the last `named` axes are split into axes of the sizes
/// `split`, which are then permuted by `order`. In `order`, `usize::MAX` means all leading axes;
/// without it they come first.
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
    let mut sizes = x.axes.sizes();
    sizes.truncate(leading);
    sizes.extend_from_slice(split);
    let in_front = if order.contains(&LEADING) { 0..0 } else { 0..leading };
    let axes = order.iter().flat_map(|&axis| match axis {
        LEADING => 0..leading,
        axis => leading + axis..leading + axis + 1,
    });
    let order: Sizes = in_front.chain(axes).collect();
    debug_assert_eq!(checked_num_elements(&sizes), Some(x.len()));
    let moved = moved(&x.erased(), &sizes, &order, &shape.sizes());
    typed(unwrap_or_panic(moved), shape)
}
