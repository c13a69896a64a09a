//! The tensors that gradients are taken with respect to, and the tensors that are these gradients.

use tensor_array::array::gradients::variable;
use tensor_array::array::history::AnyArray;
use tensor_kernels::element::Float;

use crate::shape::Shape;
use crate::tensor::recording::Recordable;
use crate::tensor::{DynTensor, Tensor};

/// What [`gradients`](Tensor::gradients) are taken with respect to: a tensor by reference, or tuples and arrays of them.
///
/// ```
/// use tensor_core::autograd::GradientInputs;
/// use tensor_core::{Tensor, tensor};
///
/// fn slopes<V: GradientInputs<f64>>(loss: &Tensor<(), f64>, of: V) -> V::Gradients {
///     loss.gradients(of)
/// }
///
/// let (a, b) = (Tensor::scalar(3.0).requires_grad(), Tensor::scalar(4.0).requires_grad());
/// assert_eq!(slopes(&(&a * &b), (&a, &b)), (Tensor::scalar(4.0), Tensor::scalar(3.0)));
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a reference to a tensor with elements of type `{T}`",
    label = "expected `&x`, or several as `(&x, &w)`"
)]
pub trait GradientInputs<T: Float> {
    /// The gradients: tensors of the same shapes.
    type Gradients: TensorList<T>;

    #[doc(hidden)]
    fn tensors(&self) -> Self::Gradients;
}

/// Tensors with the same element type, in tuples and arrays: the gradients of
/// [`GradientInputs`].
///
/// ```
/// use tensor_core::autograd::TensorList;
/// use tensor_core::{Tensor, tensor};
///
/// fn takes<L: TensorList<f64>>(_: &L) {}
/// takes(&(tensor![1.0, 2.0], [Tensor::scalar(3.0), Tensor::scalar(4.0)]));
/// ```
pub trait TensorList<T: Float>: Sized {
    #[doc(hidden)]
    #[allow(private_interfaces, reason = "users do not call it")]
    fn collect(&self, tensors: &mut Vec<AnyArray>);

    /// Tensors of the same shapes, each created by `tensor` from its sizes.
    #[doc(hidden)]
    fn with(&self, tensor: &mut dyn FnMut(&[usize]) -> DynTensor<T>) -> Self;

    /// The tensors as leaves of the graph.
    #[doc(hidden)]
    fn leaves(&self) -> Self {
        let mut tensors = Vec::new();
        self.collect(&mut tensors);
        let mut tensors = tensors.into_iter();
        self.with(&mut |_| {
            let array = tensors.next().expect("one for each tensor");
            let layout = variable::<T>(array.sizes().into(), array.layout());
            let tensor: &DynTensor<T> = array.get().expect("elements of one type");
            let (sizes, _, storage) = tensor.contiguous().into_parts();
            DynTensor::from_parts(sizes, layout, storage)
        })
    }

    /// The tensors as constants.
    #[doc(hidden)]
    fn constants(&self) -> Self {
        let mut tensors = Vec::new();
        self.collect(&mut tensors);
        let mut tensors = tensors.into_iter();
        self.with(&mut |_| {
            let array = tensors.next().expect("one for each tensor").forget();
            array.get::<DynTensor<T>>().expect("elements of one type").clone()
        })
    }
}

impl<S: Shape, T: Float> GradientInputs<T> for &Tensor<S, T> {
    type Gradients = Tensor<S, T>;

    fn tensors(&self) -> Tensor<S, T> {
        (*self).clone()
    }
}

#[allow(private_interfaces, reason = "users do not call it")]
impl<S: Shape, T: Float> TensorList<T> for Tensor<S, T> {
    fn collect(&self, tensors: &mut Vec<AnyArray>) {
        tensors.push(self.to_any());
    }

    fn with(&self, tensor: &mut dyn FnMut(&[usize]) -> DynTensor<T>) -> Self {
        let (sizes, layout, storage) = tensor(&self.axes.sizes()).into_parts();
        assert_eq!(sizes, self.axes.sizes(), "the sizes of a tensor");
        Self { axes: self.axes, layout, storage }
    }
}

impl<T: Float, V: GradientInputs<T>, const N: usize> GradientInputs<T> for [V; N] {
    type Gradients = [V::Gradients; N];

    fn tensors(&self) -> Self::Gradients {
        self.each_ref().map(GradientInputs::tensors)
    }
}

#[allow(private_interfaces, reason = "users do not call it")]
impl<T: Float, L: TensorList<T>, const N: usize> TensorList<T> for [L; N] {
    fn collect(&self, tensors: &mut Vec<AnyArray>) {
        self.iter().for_each(|list| list.collect(tensors));
    }

    fn with(&self, tensor: &mut dyn FnMut(&[usize]) -> DynTensor<T>) -> Self {
        self.each_ref().map(|list| list.with(tensor))
    }
}

impl<T: Float, V: GradientInputs<T>> GradientInputs<T> for &[V] {
    type Gradients = Vec<V::Gradients>;

    fn tensors(&self) -> Self::Gradients {
        self.iter().map(GradientInputs::tensors).collect()
    }
}

#[allow(private_interfaces, reason = "users do not call it")]
impl<T: Float, L: TensorList<T>> TensorList<T> for Vec<L> {
    fn collect(&self, tensors: &mut Vec<AnyArray>) {
        self.iter().for_each(|list| list.collect(tensors));
    }

    fn with(&self, tensor: &mut dyn FnMut(&[usize]) -> DynTensor<T>) -> Self {
        self.iter().map(|list| list.with(tensor)).collect()
    }
}

macro_rules! tuples {
    ($($($V:ident $v:ident)+;)+) => {$(
        impl<T: Float, $($V: GradientInputs<T>),+> GradientInputs<T> for ($($V,)+) {
            type Gradients = ($($V::Gradients,)+);

            fn tensors(&self) -> Self::Gradients {
                let ($($v,)+) = self;
                ($($v.tensors(),)+)
            }
        }

        #[allow(private_interfaces, reason = "users do not call it")]
        impl<T: Float, $($V: TensorList<T>),+> TensorList<T> for ($($V,)+) {
            fn collect(&self, tensors: &mut Vec<AnyArray>) {
                let ($($v,)+) = self;
                $($v.collect(tensors);)+
            }

            fn with(&self, tensor: &mut dyn FnMut(&[usize]) -> DynTensor<T>) -> Self {
                let ($($v,)+) = self;
                ($($v.with(tensor),)+)
            }
        }
    )+};
}

tuples! {
    A a;
    A a B b;
    A a B b C c;
    A a B b C c D d;
    A a B b C c D d E e;
    A a B b C c D d E e F f;
    A a B b C c D d E e F f G g;
    A a B b C c D d E e F f G g H h;
}
