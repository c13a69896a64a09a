//! Types of elements, and what can be done with one element.

use core::fmt::{Debug, Display};

use crate::shape::Shape;
use crate::tensor::Tensor;

mod cast;
mod float;
mod isa;
mod math;
mod number;

pub use cast::CastTo;
pub use float::Float;
pub use isa::Instructions;
pub use number::{Bits, Integer, Number, Signed};

/// A type of elements: `f32 f64 i8 i16 i32 i64 u8 u16 u32 u64 bool`, and `f16 bf16` with the
/// feature `half`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of tensor elements",
    note = "elements are f32, f64, i8 to i64, u8 to u64 and bool; with the feature `half` of tensor-core f16 and bf16, too [T501]"
)]
pub trait Element:
    sealed::Sealed + Copy + Default + PartialEq + PartialOrd + Debug + Display + Send + Sync + 'static
{
    /// What methods name beside this bound, so that a message is about the call alone: see
    /// [`bounds`](crate::bounds).
    #[doc(hidden)]
    type Checked;

    /// The name as Rust writes it.
    const NAME: &'static str;
    /// 0, or `false`.
    const ZERO: Self;
    /// 1, or `true`.
    const ONE: Self;
}

/// Zero of every type of elements has all bits zero, which memory relies on.
mod sealed {
    pub trait Sealed: crate::fuse::HasFunctions {}
}

/// Two operands with elements of one type: there is no silent promotion.
#[diagnostic::on_unimplemented(
    message = "cannot combine elements of type `{Self}` with elements of type `{U}`",
    label = "elements of type `{U}`, where the left side has `{Self}`",
    note = "there is no silent promotion: convert one side, for example with `.cast::<{Self}>()` [T502]"
)]
pub trait SameElement<U> {
    /// The element itself.
    #[doc(hidden)]
    fn same(other: U) -> Self;

    /// The tensor itself.
    #[doc(hidden)]
    fn same_tensor<S: Shape>(other: Tensor<S, U>) -> Tensor<S, Self>
    where
        Self: Element,
        U: Element;
}

impl<T: Element> SameElement<T> for T {
    #[inline(always)]
    fn same(other: T) -> T {
        other
    }

    #[inline(always)]
    fn same_tensor<S: Shape>(other: Tensor<S, T>) -> Tensor<S, T> {
        other
    }
}

macro_rules! elements {
    ($($T:ident: $zero:expr, $one:expr;)*) => {$(
        impl sealed::Sealed for $T {}

        #[diagnostic::do_not_recommend]
        impl Element for $T {
            type Checked = Self;

            const NAME: &'static str = stringify!($T);
            const ZERO: Self = $zero;
            const ONE: Self = $one;
        }
    )*};
}

elements! {
    f32: 0.0, 1.0;
    f64: 0.0, 1.0;
    i8: 0, 1;
    i16: 0, 1;
    i32: 0, 1;
    i64: 0, 1;
    u8: 0, 1;
    u16: 0, 1;
    u32: 0, 1;
    u64: 0, 1;
    bool: false, true;
}

#[cfg(feature = "half")]
use half::{bf16, f16};

#[cfg(feature = "half")]
elements! {
    f16: f16::ZERO, f16::ONE;
    bf16: bf16::ZERO, bf16::ONE;
}
