//! Activations as layers. In your own code, call the methods of tensors: `x.relu()`.

use tensor_core::{Axis, Float, Module, Shape, Tensor, select, shape};

use super::{Layer, Pass};
use crate::numbers::finite;

/// An element-wise layer without parameters, such as the activation between the two
/// linear layers of a [`TransformerBlock`](super::TransformerBlock).
///
/// ```
/// use tensor_core::{Float, Shape, Tensor, tensor};
/// use tensor_nn::layers::{Activation, Relu};
///
/// #[derive(Clone)]
/// struct SquaredRelu;
///
/// impl Activation for SquaredRelu {
///     fn activate<S: Shape, T: Float>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
///         Relu.forward(x).square()
///     }
/// }
///
/// assert_eq!(SquaredRelu.activate(&tensor![-1.0, 3.0]), tensor![0.0, 9.0]);
/// ```
pub trait Activation {
    /// The activation of every element, `[..s] → [..s]`.
    fn activate<S: Shape, T: Float>(&self, x: &Tensor<S, T>) -> Tensor<S, T>;
}

/// `max(x, 0)`, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Relu;
/// assert_eq!(Relu.forward(&tensor![-1.0, 2.0]), tensor![0.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Relu;

/// `x · Φ(x)`, with the normal distribution `Φ`, `[..s] → [..s]`.
///
/// Source: Hendrycks and Gimpel, "Gaussian error linear units", 2016.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Gelu;
/// assert_eq!(Gelu.forward(&tensor![0.0, 100.0]), tensor![0.0, 100.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Gelu;

/// [`Gelu`] in its tanh approximation, as in GPT-2, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::GeluTanh;
/// assert_eq!(GeluTanh.forward(&tensor![0.0, 100.0]), tensor![0.0, 100.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct GeluTanh;

/// `x · σ(x)`, `[..s] → [..s]`, also called swish.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Silu;
/// assert_eq!(Silu.forward(&tensor![0.0, 100.0]), tensor![0.0, 100.0]);
/// ```
#[doc(alias = "Swish")]
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Silu;

/// The hyperbolic tangent, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Tanh;
/// assert_eq!(Tanh.forward(&tensor![0.0, 100.0]), tensor![0.0, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Tanh;

/// `1 / (1 + e^-x)`, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Sigmoid;
/// assert_eq!(Sigmoid.forward(&tensor![0.0, 100.0]), tensor![0.5, 1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Sigmoid;

/// `ln(1 + e^x)`, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Softplus;
/// assert_eq!(Softplus.forward(&tensor![100.0]), tensor![100.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Softplus;

/// `x` where it is positive, and `slope · x` elsewhere, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::LeakyRelu;
/// assert_eq!(LeakyRelu { slope: 0.25 }.forward(&tensor![-4.0, 2.0]), tensor![-1.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Module, PartialEq)]
pub struct LeakyRelu {
    /// The slope on the negative side, a finite number; 0.01 by default.
    #[module(value = 0.01)]
    pub slope: f64,
}

impl Default for LeakyRelu {
    fn default() -> Self {
        Self { slope: 0.01 }
    }
}

/// `x` where it is positive, and `alpha · (e^x - 1)` elsewhere, `[..s] → [..s]`.
///
/// Source: Clevert, Unterthiner and Hochreiter, "Fast and accurate deep network learning by exponential
/// linear units", 2015.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Elu;
/// assert_eq!(Elu { alpha: 2.0 }.forward(&tensor![-100.0, 2.0]), tensor![-2.0, 2.0]);
/// ```
#[derive(Clone, Copy, Debug, Module, PartialEq)]
pub struct Elu {
    /// The negative of the limit for `x → -∞`, a finite number; 1 by default.
    #[module(value = 1.0)]
    pub alpha: f64,
}

impl Default for Elu {
    fn default() -> Self {
        Self { alpha: 1.0 }
    }
}

/// The identity: returns the input unchanged, `[..s] → [..s]`.
///
/// ```
/// # use tensor_core::tensor;
/// # use tensor_nn::layers::Identity;
/// assert_eq!(Identity.forward(&tensor![-1.0]), tensor![-1.0]);
/// ```
#[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
pub struct Identity;

/// Implements each activation as a layer.
macro_rules! activations {
    ($($Name:ident: $example:literal, |$this:ident, $x:ident| $value:expr;)*) => {$(
        impl $Name {
            /// The activation of every element, `[..s] → [..s]`.
            ///
            /// # Panics
            ///
            /// If the slope or the alpha of a layer that has one is not finite.
            ///
            /// ```
            /// # use tensor_core::tensor;
            /// # use tensor_nn::layers::*;
            #[doc = concat!("assert_eq!(", $example, ".forward(&tensor![0.0]).len(), 1);")]
            /// ```
            #[track_caller]
            pub fn forward<S: Shape, T: Float>(&self, $x: &Tensor<S, T>) -> Tensor<S, T> {
                let $this = self;
                $value
            }
        }

        impl Activation for $Name {
            fn activate<S: Shape, T: Float>(&self, x: &Tensor<S, T>) -> Tensor<S, T> {
                self.forward(x)
            }
        }

        impl<S: Shape, T: Float> Layer<Tensor<S, T>> for $Name {
            type Output = Tensor<S, T>;

            fn apply(&self, input: &Tensor<S, T>, _: &mut Pass) -> Tensor<S, T> {
                self.forward(input)
            }
        }
    )*};
}

activations! {
    Relu: "Relu", |_this, x| x.relu();
    Gelu: "Gelu", |_this, x| x.gelu();
    GeluTanh: "GeluTanh", |_this, x| x.gelu_tanh();
    Silu: "Silu", |_this, x| x.silu();
    Tanh: "Tanh", |_this, x| x.tanh();
    Sigmoid: "Sigmoid", |_this, x| x.sigmoid();
    Softplus: "Softplus", |_this, x| x.softplus();
    Identity: "Identity", |_this, x| x.clone();
    LeakyRelu: "LeakyRelu::default()", |this, x| {
        finite("the slope of LeakyRelu", this.slope);
        select(x.greater(T::ZERO), x, x * T::from_f64(this.slope))
    };
    // The exponential is taken of the negative part only, so that it never overflows.
    Elu: "Elu::default()", |this, x| {
        finite("the alpha of Elu", this.alpha);
        select(x.greater(T::ZERO), x, x.minimum(T::ZERO).exp_m1() * T::from_f64(this.alpha))
    };
}

/// Implements the layers that work along the last axis.
macro_rules! along_the_last_axis {
    ($($(#[$doc:meta])* $Name:ident: $method:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, Module, PartialEq, Eq)]
        pub struct $Name;

        impl $Name {
            /// Applies the layer along the last axis, `[..lead, n] → [..lead, n]`.
            ///
            /// ```
            /// # use tensor_core::tensor;
            /// # use tensor_nn::layers::*;
            #[doc = concat!("assert_eq!(", stringify!($Name), ".forward(&tensor![0.0, 1.0]).len(), 2);")]
            /// ```
            pub fn forward<Lead: Shape, N: Axis, T: Float>(
                &self,
                x: &Tensor<shape![Lead.., N], T>,
            ) -> Tensor<shape![Lead.., N], T> {
                x.$method::<-1>()
            }
        }

        impl<Lead: Shape, N: Axis, T: Float> Layer<Tensor<shape![Lead.., N], T>> for $Name {
            type Output = Tensor<shape![Lead.., N], T>;

            fn apply(&self, input: &Tensor<shape![Lead.., N], T>, _: &mut Pass) -> Self::Output {
                self.forward(input)
            }
        }
    )*};
}

along_the_last_axis! {
    /// Probabilities along the last axis, `[..lead, n] → [..lead, n]`. For a loss, pass the input of this
    /// layer, not its output, to [`cross_entropy`](crate::losses::cross_entropy).
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// # use tensor_nn::layers::Softmax;
    /// assert_eq!(Softmax.forward(&tensor![3.0, 3.0]), tensor![0.5, 0.5]);
    /// ```
    Softmax: softmax;
    /// The logarithms of probabilities along the last axis, `[..lead, n] → [..lead, n]`.
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// # use tensor_nn::layers::LogSoftmax;
    /// assert_eq!(LogSoftmax.forward(&tensor![3.0]), tensor![0.0]);
    /// ```
    LogSoftmax: log_softmax;
}
