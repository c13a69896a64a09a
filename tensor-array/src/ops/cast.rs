//! Conversion of elements to another type: `cast`.

use core::any::Any;
use core::marker::PhantomData;

use tensor_array_macros::usage;
use tensor_kernels::element::CastTo;
use tensor_kernels::instances::instances;
use tensor_kernels::kernel::function;

use super::prelude::*;
use crate::array::gradients::rule::cast_like;
use crate::array::history::{AnyArray, Backward, Gradients, Recorded};
use crate::array::row_calls::track;

operation_rows! {
    topic "Conversion" {
        cast: 1 "Element" "astype" "Tensor.to" "convert";
    }
}

/// A conversion to another element type.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion;

primitive!(Conversion, |_| "cast", |_, _, result| count(result), |_, to| {
    to.builder.convert(&to.x[0], to.element)
});

/// The elements as another type.
#[derive(Debug)]
struct Cast<U>(PhantomData<U>);

primitive!(
    Cast<U> where U: Element,
    |_| Conversion.name(),
    |_, x, result| Conversion.cost(x, result),
    |_, to| Conversion.lower(to),
);

impl<T: Element + CastTo<U>, U: Element> Evaluate<(T,)> for Cast<U> {
    type Output = U;

    fn evaluate(&self, &(x,): &(&DynTensor<T>,), _: &[usize]) -> Storage<U> {
        function::cast().map(x.as_view())
    }

    fn rule(&self, _: &(&DynTensor<T>,)) -> Option<Rule> {
        Some(CastRule.into())
    }
}

/// The gradient has the element type of the operand.
pub(crate) struct CastRule;

impl Backward for CastRule {
    fn saves(&self) -> Saves {
        Saves::OPERANDS
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        smallvec![Some(cast_like(gradient, &at.operand(0)))]
    }
}

/// The elements as another type, by a function that converts as [`Cast`] does.
#[derive(Debug)]
struct Convert<T, U>(fn(T) -> U);

primitive!(
    Convert<T, U> where T: Element; U: Element,
    |_| Conversion.name(),
    |_, x, result| Conversion.cost(x, result),
    |_, to| Conversion.lower(to),
);

evaluate!(
    Convert<T, U> => (x: T) -> U where T: Element, U: Element,
    |convert, _| Storage::from_vec(x.iter().map(|&x| (convert.0)(x)).collect()),
);

impl<T: Element> DynTensor<T> {
    /// The elements as another type, for code that is generic in it: `[..s] → [..s]`. The function has to convert as
    /// [`cast`](Self::cast) does. The result is a constant.
    #[doc(hidden)]
    #[track_caller]
    pub fn converted<U: Element>(&self, convert: fn(T) -> U) -> DynTensor<U> {
        if let Some(same) = (self as &dyn Any).downcast_ref::<DynTensor<U>>() {
            return same.clone();
        }
        apply::<(T,), _>(Convert(convert), (self,), self.sizes.clone())
    }
}

impl<I: Integer> DynTensor<I> {
    /// The integers as `i64`: `[..s] → [..s]`; the largest one for those beyond it.
    #[doc(hidden)]
    #[track_caller]
    pub fn to_i64(&self) -> DynTensor<i64> {
        self.converted(|integer| integer.to_i128().try_into().unwrap_or(i64::MAX))
    }
}

/// # Conversion
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The elements as another type, as Rust's `as` converts them, `[..s] → [..s]`; without a copy if they have it.
    /// Panics: If the result has more than `isize::MAX` bytes.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![1.9, -1.9]).cast::<i32>().to_vec(), [1, -1]);
    /// ```
    #[doc(alias = "astype")]
    #[usage(x.cast::<f64>())]
    #[inline(never)]
    pub fn cast<U: Element>(&self) -> DynTensor<U>
    where
        T: CastTo<U>,
    {
        if let Some(same) = (self as &dyn Any).downcast_ref::<DynTensor<U>>() {
            return same.clone();
        }
        track::<U>();
        self.cast_to()
    }

    /// [`cast`](Self::cast) to a type of which tensors may have gradients already.
    #[track_caller]
    pub(crate) fn cast_to<U: Element>(&self) -> DynTensor<U>
    where
        T: CastTo<U>,
    {
        apply::<(T,), _>(Cast::<U>(PhantomData), (self,), self.sizes.clone())
    }
}

/// Instantiates the conversions between the usual element types.
macro_rules! casts {
    ($($T:ty, to $($O:ty),+;)+) => {
        instances!($($(DynTensor::<$T>::cast::<$O>),+),+);
    };
}

casts! {
    f32, to f64, i64, bool;
    f64, to f32, i64, bool;
    i64, to f32, f64, bool;
    bool, to f32, f64, i64;
}
