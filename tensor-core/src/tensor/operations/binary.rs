//! The methods of operations on two and three operands that broadcast, made of the
//! [table](crate::ops).

use super::dispatch::{binary, ternary};
use crate::element::{Element, Float, Number};
use crate::ops;
use crate::shape::Shape;
use crate::shape::broadcast::{ElementWise3, ElementWiseRhs};
use crate::tensor::Tensor;
use crate::tensor::operand::selection::{Choice, ChoiceOf, MaskOf};
use crate::tensor::operand::{ElementWith, OperandOf};
use crate::tensor::rules;

/// The type of the results.
macro_rules! output {
    (T) => {
        ElementWith<R, T>
    };
    ($Other:ident) => {
        $Other
    };
}

/// The methods of a group; operators have none.
macro_rules! methods {
    ([$Bound:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt $gradient:tt;
    )+})+) => {$(
        #[doc = concat!("# ", $topic)]
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            methods!(@$kind [$(#[$meta])*] $Bound $name $Op $Out);
        )+}
    )+};
    (@operator $meta:tt $Bound:ident $name:ident $Op:ident $Out:tt) => {};
    (@method [$(#[$meta:meta])*] $Bound:ident $name:ident $Op:ident $Out:tt) => {
        $(#[$meta])*
        #[cfg_attr(doc, tensor_macros::readable_bounds)]
        #[track_caller]
        pub fn $name<R: OperandOf<T>>(&self, other: R) -> Tensor<<R::Shape as ElementWiseRhs<S>>::Output, output!($Out)>
        where
            <T as $Bound>::Checked: Sized,
            R::Shape: ElementWiseRhs<S>,
            T: $Bound,
        {
            binary::<ops::$Op, S, R::Shape, T>(self.as_view(), other.as_view())
        }
    };
}

element_binary!(methods![Element]);
number_binary!(methods![Number]);
float_binary!(methods![Float]);

/// # Limits
#[cfg_attr(doc, tensor_macros::readable_bounds)]
impl<S: Shape, T: Element> Tensor<S, T> {
    /// Element-wise limits: not below `low` and not above `high`, tensors or scalars,
    /// `[..s], [..l], [..h] → [..(s ⊕ l ⊕ h)]`. NaN stays NaN. Where `low` is above `high`, the result
    /// is `high`, as in NumPy and PyTorch.
    ///
    /// # Panics
    ///
    /// If two operands give a named axis different sizes.
    ///
    /// ```
    /// use tensor_core::tensor;
    ///
    /// assert_eq!(tensor![-3, 0, 9].clamp(-1, 5), tensor![-1, 0, 5]);
    /// assert_eq!(tensor![1, 1].clamp(&tensor![[0], [2]], 3), tensor![[1, 1], [2, 2]]);
    /// ```
    #[doc(alias = "clip")]
    #[track_caller]
    pub fn clamp<L: OperandOf<T>, H: OperandOf<T>>(
        &self,
        low: L,
        high: H,
    ) -> Tensor<<S as ElementWise3<L::Shape, H::Shape>>::Output, T>
    where
        <T as Number>::Checked: Sized,
        S: ElementWise3<L::Shape, H::Shape>,
        T: Number,
    {
        let (x, low, high) = (self.as_view(), low.as_view(), high.as_view());
        // SAFETY: the kernel and the function are those of elements of type `T`.
        unsafe { ternary(const { &(T::CLAMP, &rules::Clamp) }, T::call_ternary, x, low, high) }
    }
}

/// `then` where `mask` is true, `otherwise` elsewhere, each a tensor or a scalar,
/// `[..m], [..t], [..o] → [..(m ⊕ t ⊕ o)]`; NumPy's and PyTorch's `where`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// ```
/// use tensor_core::{select, tensor};
///
/// let scores = tensor![[1.0, 2.0], [3.0, 4.0]];
/// let causal = tensor![[true, false], [true, true]];
/// let masked = select(&causal, &scores, f64::NEG_INFINITY);
/// assert_eq!(masked, tensor![[1.0, f64::NEG_INFINITY], [3.0, 4.0]]);
/// ```
#[doc(alias = "where")]
#[cfg_attr(doc, tensor_macros::readable_bounds)]
#[track_caller]
pub fn select<M, S, A, B, T>(
    mask: M,
    then: A,
    otherwise: B,
) -> Tensor<<S as ElementWise3<S::Then, S::Otherwise>>::Output, T>
where
    <M as MaskOf>::Shape: Sized,
    M: MaskOf<Shape = S>,
    <S as Choice<A, B, T>>::Then: Sized,
    S: Shape + ChoiceOf<A, B, T>,
    <S as ElementWise3<S::Then, S::Otherwise>>::Output: Sized,
    S: ElementWise3<S::Then, S::Otherwise>,
    T: Element,
{
    let (then, otherwise) = (S::then(&then), S::otherwise(&otherwise));
    let mask = mask.mask();
    // SAFETY: the kernel chooses between elements of this size by a `bool`; the function is that of type `T`.
    unsafe {
        ternary(const { &(T::SELECT, &rules::Select) }, T::call_masked, mask, then, otherwise)
    }
}
