//! Results that floats alone have: see [`FloatResult`](crate::element::FloatResult).

use crate::element::{Element, FloatResult};
use crate::shape::Shape;
use crate::shape::axis_index::{AxisState, Resolved};
use crate::shape::axis_list::AxesState;
use crate::tensor::Tensor;

/// The element type `T` of a result, as a one-element tuple.
///
/// Of a method without an axis it is a parameter, which this bound decides: of a projection as the result, rustc
/// would report a missing method.
#[cfg_attr(doc, doc(hidden))]
pub trait FloatTensor<T: Element> {
    /// `T`
    type Element: Element;

    /// The result itself.
    #[doc(hidden)]
    fn result<S: Shape>(y: Tensor<S, T>) -> Tensor<S, Self::Element>;
}

impl<T: Element> FloatTensor<T> for (T,) {
    type Element = T;

    #[inline(always)]
    fn result<S: Shape>(y: Tensor<S, T>) -> Tensor<S, T> {
        y
    }
}

/// `T`, where it is of floats.
pub type FloatOf<T> = <T as FloatResult<Resolved>>::Element;

/// The type of the elements of a result along axis `I`: `T`, where it is of floats.
pub type FloatAlong<S, const I: isize, T> = <T as FloatResult<AxisState<S, I>>>::Element;

/// The same along the axes of the list `P`.
pub type FloatAlongAxes<S, P, T> = <T as FloatResult<AxesState<S, P>>>::Element;

/// The element type of a result along axes: of a row whose results are as its elements, which are floats,
/// `$Floats`.
#[cfg(not(doc))]
macro_rules! result_element {
    (Float T $Floats:ty) => {
        $Floats
    };
    ($Bound:ident $Result:ident $Floats:ty) => {
        $Result
    };
}

/// The documentation shows what it is.
#[cfg(doc)]
macro_rules! result_element {
    ($Bound:ident $Result:ident $Floats:ty) => {
        $Result
    };
}

pub(crate) use result_element;
