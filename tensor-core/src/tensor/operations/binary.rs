//! The methods of operations on two and three operands that broadcast, generated from the
//! [table](tensor_kernels::ops).

use tensor_array_macros::usage;
use tensor_kernels::element::{Element, Float, Number};
use tensor_kernels::ops;

use super::dispatch::{binary, result_shape};
use crate::shape::Shape;
use crate::shape::broadcast::{After, Broadcast, Broadcasted, ElementWise3};
use crate::tensor::Tensor;
use crate::tensor::operand::selection::{ChoiceOf, IsMask};
use crate::tensor::operand::{ElementWith, Operand};

/// The element type of the result.
macro_rules! output {
    (T) => {
        ElementWith<R, T>
    };
    ($Other:ident) => {
        $Other
    };
}

/// Generates the methods of a group; operators have none.
macro_rules! methods {
    ([$Bound:ident $here:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {$(
        #[doc = concat!("# ", $topic)]
        impl<S: Shape, T: Element> Tensor<S, T> {$(
            methods!(@$kind $here [$(#[$meta])*] $Bound $name $Op $Out);
        )+}
    )+};
    (@operator $here:ident $meta:tt $Bound:ident $name:ident $Op:ident $Out:tt) => {};
    (@method $here:ident [$(#[$meta:meta])*] $Bound:ident $name:ident $Op:ident $Out:tt) => {
        $(#[$meta])*
        #[tensor_array_macros::bounds_without_source]
        #[usage(x.$name(&y); $here)]
        #[track_caller]
        pub fn $name<R, SR>(&self, other: R) -> Tensor<Broadcasted<S, SR>, output!($Out)>
        where
            R: Operand<T, Shape = SR>,
            S: Broadcast<SR>,
            SR: Shape,
            T: $Bound,
        {
            binary::<ops::$Op, S, SR, T>(self.as_view(), other.as_view())
        }
    };
}

element_binary!(methods![Element here]);
number_binary!(methods![Number here]);
float_binary!(methods![Float here]);

/// # Limits
#[tensor_array_macros::method_docs]
#[tensor_array_macros::bounds_without_source]
impl<S: Shape, T: Element> Tensor<S, T> {
    #[doc = doc_clamp!()]
    /// The limits are tensors or scalars.
    /// Panics: If two operands give a named axis different sizes.
    /// ```
    /// assert_eq!(tensor![-3, 0, 9].clamp(-1, 5), tensor![-1, 0, 5]);
    /// assert_eq!(tensor![1, 1].clamp(&tensor![[0], [2]], 3), tensor![[1, 1], [2, 2]]);
    /// ```
    #[doc(alias = "clip")]
    pub fn clamp<L, H, SL, SH>(
        &self,
        low: L,
        high: H,
    ) -> Tensor<<SH as ElementWise3<S, SL>>::Output, T>
    where
        L: Operand<T, Shape = SL>,
        H: Operand<After<SL, T>, Shape = SH>,
        SL: Shape,
        SH: ElementWise3<S, SL>,
        T: Number,
    {
        let (low, high) = (low.as_view(), high.as_view());
        let shape = result_shape!(
            <SH as ElementWise3<S, SL>>::Output,
            <SH as ElementWise3<S, SL>>::result_shape,
            (self.axes, low.shape, high.shape)
        );
        Tensor::with_result(shape, self.erased().clamp(&low.erased(), &high.erased()))
    }
}

#[doc = doc_select!()]
/// `then` and `otherwise` are tensors or scalars.
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
#[tensor_array_macros::bounds_without_source]
#[track_caller]
pub fn select<M, S, A, B, T>(
    mask: M,
    then: A,
    otherwise: B,
) -> Tensor<<S::Otherwise as ElementWise3<S, S::Then>>::Output, T>
where
    M: IsMask<Shape = S>,
    S: Shape + ChoiceOf<A, B, T>,
    S::Otherwise: ElementWise3<S, S::Then>,
    T: Element,
{
    let (then, otherwise) = (S::then(&then), S::otherwise(&otherwise));
    let mask = mask.mask();
    let shape = result_shape!(
        <S::Otherwise as ElementWise3<S, S::Then>>::Output,
        <S::Otherwise as ElementWise3<S, S::Then>>::result_shape,
        (mask.shape, then.shape, otherwise.shape)
    );
    Tensor::with_result(shape, mask.erased().select(&then.erased(), &otherwise.erased()))
}
