//! What may stand beside a tensor in an operator.

use super::Element;

/// A number or `bool`: also types that are no elements, so that the error for `&x / x.len()` is that its
/// types differ.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither a tensor nor a number",
    label = "expected a tensor such as `&x`, or a number",
    note = "operators take tensors, owned or borrowed, and numbers of the type of their elements; a `Result` of a tensor gives it with `?` or `.unwrap()` [T501]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait Scalar {}

impl<T: Element> Scalar for T {}

macro_rules! scalars {
    ($($N:ty)*) => {$(
        #[diagnostic::do_not_recommend]
        impl Scalar for $N {}
    )*};
}

scalars!(usize isize u128 i128 &f32 &f64 &i32 &i64 &usize);
