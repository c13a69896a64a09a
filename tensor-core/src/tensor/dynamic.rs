//! Conversion between [`DynTensor`] and typed tensors.

use core::fmt;
use core::ops::{Add, BitAnd, BitOr, BitXor, Div, Mul, Rem, Shl, Shr, Sub};

use crate::shape::Shape;
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::unwrap_or_panic;
use crate::tensor::typed_view::SizesOf;
use tensor_array::array::dynamic::DynTensor;
use tensor_array_macros::usage;
use tensor_kernels::element::{Bits, Element, Integer, Number};
use tensor_kernels::sizes::error::ShapeError;

/// The conversion of a [`DynTensor`] to a [`Tensor`], as a method.
///
/// Without this trait in scope, `Tensor::<shape![2, 3]>::try_from(x)?` does the same, and where the shape is known from
/// elsewhere `x.try_into()?`.
///
/// ```
/// use tensor_core::{DynTensor, IntoTensor, shape};
///
/// let x = DynTensor::full(&[2, 3], 1).into_tensor::<shape![2, 3]>()?;
/// assert_eq!(x.sum_axis::<0>().to_vec(), [2, 2, 2]);
/// # Ok::<(), tensor_core::IntoTensorError<i32>>(())
/// ```
pub trait IntoTensor<T: Element>: Sized {
    /// The tensor with shape `S`, if it has these sizes: `[..s] → [..s]`. Without a copy.
    ///
    /// # Errors
    ///
    /// If the rank or the size of a static axis differs, or if a named axis has two sizes. The error
    /// returns the tensor.
    ///
    /// ```
    /// use tensor_core::{DynTensor, IntoTensor, Tensor, axis, shape};
    ///
    /// axis!(Batch);
    /// let x: Tensor<shape![Batch, 3], i32> = DynTensor::full(&[2, 3], 1).into_tensor()?;
    /// assert_eq!(x.shape(), shape![Batch(2), 3]);
    ///
    /// let error = DynTensor::full(&[2, 4], 1).into_tensor::<shape![Batch, 3]>().unwrap_err();
    /// assert_eq!(error.into_tensor().sizes(), [2, 4]);
    /// # Ok::<(), tensor_core::IntoTensorError<i32>>(())
    /// ```
    #[usage(x.into_tensor::<shape![2, 3]>())]
    fn into_tensor<S: Shape>(self) -> Result<Tensor<S, T>, IntoTensorError<T>>;
}

impl<T: Element> IntoTensor<T> for DynTensor<T> {
    fn into_tensor<S: Shape>(self) -> Result<Tensor<S, T>, IntoTensorError<T>> {
        match S::from_sizes(self.sizes()) {
            Ok(shape) => {
                let (_, layout, storage) = self.into_parts();
                Ok(Tensor { axes: shape, layout, storage })
            }
            Err(error) => Err(IntoTensorError { error, tensor: self }),
        }
    }
}

/// The error for a [`DynTensor`] that does not have the shape of the type;
/// [`into_tensor`](Self::into_tensor) returns the tensor.
#[derive(Clone)]
pub struct IntoTensorError<T: Element> {
    error: ShapeError,
    tensor: DynTensor<T>,
}

impl<T: Element> IntoTensorError<T> {
    /// The mismatch.
    ///
    /// ```
    /// use tensor_core::{DynTensor, IntoTensor, ShapeError, shape};
    ///
    /// let error = DynTensor::full(&[2, 4], 1).into_tensor::<shape![2, 3]>().unwrap_err();
    /// assert!(matches!(error.error(), ShapeError::StaticSize { .. }));
    /// ```
    pub fn error(&self) -> &ShapeError {
        &self.error
    }

    /// The tensor that was to be converted.
    ///
    /// ```
    /// use tensor_core::{DynTensor, IntoTensor, shape};
    ///
    /// let error = DynTensor::full(&[2, 4], 1).into_tensor::<shape![2, 3]>().unwrap_err();
    /// assert_eq!(error.into_tensor().sizes(), [2, 4]);
    /// ```
    pub fn into_tensor(self) -> DynTensor<T> {
        self.tensor
    }
}

tensor_kernels::__debug_as_display!(IntoTensorError<T>, [T: Element]);

impl<T: Element> fmt::Display for IntoTensorError<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<T: Element> std::error::Error for IntoTensorError<T> {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.error)
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// The tensor without its shape type; it shares the elements.
    pub(crate) fn erased(&self) -> DynTensor<T> {
        self.as_view().erased()
    }

    /// The tensor as one of this shape.
    ///
    /// # Panics
    ///
    /// If it has other sizes: what users implement is not trusted.
    #[track_caller]
    pub(crate) fn with_shape(shape: S, tensor: DynTensor<T>) -> Self {
        Self::with_result(shape, Ok(tensor))
    }

    /// The result of an operation as a tensor of this shape.
    ///
    /// # Panics
    ///
    /// If there is none, or if it has other sizes.
    #[track_caller]
    pub(crate) fn with_result(shape: S, result: Result<DynTensor<T>, ShapeError>) -> Self {
        let (layout, storage) = if const { S::STATIC_SIZES.is_some() } {
            DynTensor::parts_of_result(result, SizesOf::<S>::STATIC)
        } else {
            DynTensor::parts_of_result(result, &shape.sizes())
        };
        Self { axes: shape, layout, storage }
    }

    /// The result of a type-erased operation as a tensor of this shape.
    ///
    /// # Panics
    ///
    /// If there is none, or if it does not have the shape.
    #[track_caller]
    pub(crate) fn from_erased(result: Result<DynTensor<T>, ShapeError>) -> Self {
        let tensor = unwrap_or_panic(result);
        Self::with_shape(unwrap_or_panic(S::from_sizes(tensor.sizes())), tensor)
    }
}

impl<S: Shape, T: Element> From<Tensor<S, T>> for DynTensor<T> {
    fn from(tensor: Tensor<S, T>) -> Self {
        let Tensor { axes: shape, layout, storage } = tensor;
        Self::from_parts(shape.sizes(), layout, storage)
    }
}

impl<S: Shape, T: Element> TryFrom<DynTensor<T>> for Tensor<S, T> {
    type Error = IntoTensorError<T>;

    fn try_from(tensor: DynTensor<T>) -> Result<Self, Self::Error> {
        tensor.into_tensor()
    }
}

/// Rejects an operator on a typed tensor and a `DynTensor`, with this message: there is no impl.
#[diagnostic::on_unimplemented(
    message = "one side is a `DynTensor`, and the other is `{Self}`",
    label = "both sides need to be of one kind",
    note = "convert one side: `Tensor::<shape![2, 3]>::try_from(x)?` checks a `DynTensor`, and `DynTensor::from(y)` takes a `Tensor`, of any shape [T211]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait DynOperand {
    /// The result, which never resolves, as there is no impl.
    type Refused;
}

/// Generates impls that reject a group of operators between a `DynTensor` and a typed tensor.
macro_rules! refused_operators {
    ([$Bound:ident] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt
    )+})+) => {
        $($( refused_operators!(@$kind $Bound $name $Op); )+)+
    };
    (@method $Bound:ident $name:ident $Op:ident) => {};
    (@operator $Bound:ident $name:ident $Op:ident) => {
        refused_operators!(@pair $Bound $name $Op DynTensor<T>, Tensor<S, U>);
        refused_operators!(@pair $Bound $name $Op DynTensor<T>, &Tensor<S, U>);
        refused_operators!(@pair $Bound $name $Op &DynTensor<T>, Tensor<S, U>);
        refused_operators!(@pair $Bound $name $Op &DynTensor<T>, &Tensor<S, U>);
    };
    (@pair $Bound:ident $name:ident $Op:ident $Left:ty, $Right:ty) => {
        #[cfg(not(doc))]
        impl<S: Shape, T: $Bound, U: Element> $Op<$Right> for $Left
        where
            Tensor<S, U>: DynOperand,
        {
            type Output = <Tensor<S, U> as DynOperand>::Refused;

            fn $name(self, _: $Right) -> Self::Output {
                unreachable!("no tensor is a `DynOperand`")
            }
        }
    };
}

number_binary!(refused_operators![Number]);
bits_binary!(refused_operators![Bits]);
integer_binary!(refused_operators![Integer]);
