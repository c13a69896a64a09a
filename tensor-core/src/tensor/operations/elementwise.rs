//! Functions of every element of one tensor.

use super::apply::map;
use super::collect::Shared;
use crate::element::{Element, Float, Number, Signed};
use crate::shape::Shape;
use crate::tensor::Tensor;

/// `x²`. A function that knows no shape, so that the loop that calls it is one for all shapes.
#[inline(always)]
pub(crate) fn square<T: Number>(x: T) -> T {
    x.mul(x)
}

/// `x` to a power.
fn powi<T: Number>(power: i32) -> impl Fn(T) -> T {
    move |x| x.powi(power)
}

/// Methods `[..s] → [..s]` that call the function of the same name on every element.
macro_rules! methods {
    ($($Bound:ident { $($(#[$doc:meta])* $name:ident $(= $with:ident)?;)+ })+) => {
        impl<S: Shape, T: Element> Tensor<S, T> {$($(
            $(#[$doc])*
            pub fn $name(&self) -> Self
            where
                <T as $Bound>::Checked: Sized,
                T: $Bound,
            {
                map(self.view(), of_element::$name())
            }
        )+)+}

        /// The functions as closures, which loops take in where they would call a function.
        mod of_element {
            use crate::element::{Float, Number, Signed};
            use crate::tensor::operations::collect::{Shared, SharedWith, WorkOnSlice};

            $($(
                pub(super) fn $name<T: $Bound>() -> impl WorkOnSlice<T, T> {
                    methods!(@work $Bound: $name $($with)?)
                }
            )+)+
        }
    };
    (@work $Bound:ident: $name:ident) => {
        Shared(
            #[inline(always)]
            |x| <T as $Bound>::$name(x),
        )
    };
    (@work $Bound:ident: $name:ident $with:ident) => {
        SharedWith(
            #[inline(always)]
            |instructions, x| <T as $Bound>::$with(x, instructions),
        )
    };
}

methods! {
    Number {
        /// The absolute values; the smallest integer of a type stays as it is.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![-1.5, 2.0].abs(), tensor![1.5, 2.0]);
        /// ```
        abs;
        /// -1, 0 or 1 by the sign; NaN for NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![-7, 0, 3].sign(), tensor![-1, 0, 1]);
        /// ```
        sign;
    }
    Signed {
        /// The numbers with the other sign, as unary minus.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1, -2].neg(), tensor![-1, 2]);
        /// ```
        neg;
    }
    Float {
        /// `e^x`.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0, f64::NEG_INFINITY].exp(), tensor![1.0, 0.0]);
        /// ```
        exp = exp_with;
        /// `e^x - 1`, exact near 0.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1e-20].exp_m1(), tensor![1e-20]);
        /// ```
        exp_m1 = exp_m1_with;
        /// The natural logarithm.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.0, 0.0].ln(), tensor![0.0, f64::NEG_INFINITY]);
        /// ```
        ln = ln_with;
        /// `ln(1 + x)`, exact near 0.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1e-20].ln_1p(), tensor![1e-20]);
        /// ```
        ln_1p = ln_1p_with;
        /// The square roots.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![4.0, 9.0].sqrt(), tensor![2.0, 3.0]);
        /// ```
        sqrt;
        /// `1 / √x`.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![4.0, 16.0].rsqrt(), tensor![0.5, 0.25]);
        /// ```
        rsqrt;
        /// `1 / x`.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![4.0, -2.0].reciprocal(), tensor![0.25, -0.5]);
        /// ```
        reciprocal;
        /// The sine, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].sin(), tensor![0.0]);
        /// ```
        sin = sin_with;
        /// The cosine, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].cos(), tensor![1.0]);
        /// ```
        cos = cos_with;
        /// The tangent, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].tan(), tensor![0.0]);
        /// ```
        tan;
        /// The inverse sine, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].asin(), tensor![0.0]);
        /// ```
        asin;
        /// The inverse cosine, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.0].acos(), tensor![0.0]);
        /// ```
        acos;
        /// The inverse tangent, in radians.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].atan(), tensor![0.0]);
        /// ```
        atan;
        /// The hyperbolic sine.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].sinh(), tensor![0.0]);
        /// ```
        sinh;
        /// The hyperbolic cosine.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].cosh(), tensor![1.0]);
        /// ```
        cosh;
        /// The hyperbolic tangent.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0, f64::INFINITY].tanh(), tensor![0.0, 1.0]);
        /// ```
        tanh = tanh_with;
        /// The inverse hyperbolic sine.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].asinh(), tensor![0.0]);
        /// ```
        asinh;
        /// The inverse hyperbolic cosine.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.0].acosh(), tensor![0.0]);
        /// ```
        acosh;
        /// The inverse hyperbolic tangent.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].atanh(), tensor![0.0]);
        /// ```
        atanh;
        /// The error function, `2/√π ∫₀ˣ e^(-t²) dt`.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0, f64::INFINITY].erf(), tensor![0.0, 1.0]);
        /// ```
        erf = erf_with;
        /// The logistic function, `1 / (1 + e^-x)`.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].sigmoid(), tensor![0.5]);
        /// ```
        sigmoid = sigmoid_with;
        /// `max(x, 0)`; NaN for NaN.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![-1.0, 2.0].relu(), tensor![0.0, 2.0]);
        /// ```
        relu;
        /// `x · Φ(x)` with the normal distribution function Φ
        /// ([Hendrycks and Gimpel, 2016](https://arxiv.org/abs/1606.08415)); its approximation by
        /// tanh is [`gelu_tanh`](Tensor::gelu_tanh).
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert!(tensor![1.0].gelu().all_close(&tensor![0.8413447460685429], 1e-12, 0.0));
        /// ```
        gelu = gelu_with;
        /// `x/2 · (1 + tanh(√(2/π) (x + 0.044715 x³)))`, the approximation of
        /// [`gelu`](Tensor::gelu) from the same paper.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert!(tensor![1.0].gelu_tanh().all_close(&tensor![0.8411919906082768], 1e-12, 0.0));
        /// ```
        gelu_tanh = gelu_tanh_with;
        /// `x · sigmoid(x)`, also called swish.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.0].silu(), tensor![0.0]);
        /// ```
        silu = silu_with;
        /// `ln(1 + e^x)`, without overflow.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1000.0].softplus(), tensor![1000.0]);
        /// ```
        softplus = softplus_with;
        /// The largest whole number not above x.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.5, -1.5].floor(), tensor![1.0, -2.0]);
        /// ```
        floor;
        /// The smallest whole number not below x.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.5, -1.5].ceil(), tensor![2.0, -1.0]);
        /// ```
        ceil;
        /// The nearest whole number, the even one of two, as NumPy and PyTorch round.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![0.5, 1.5, -1.6].round(), tensor![0.0, 2.0, -2.0]);
        /// ```
        round;
        /// The whole number toward zero.
        ///
        /// ```
        /// # use tensor_core::tensor;
        /// assert_eq!(tensor![1.5, -1.5].trunc(), tensor![1.0, -1.0]);
        /// ```
        trunc;
    }
}

impl<S: Shape, T: Element> Tensor<S, T> {
    /// `x · x`.
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// assert_eq!(tensor![3, -4].square(), tensor![9, 16]);
    /// ```
    pub fn square(&self) -> Self
    where
        <T as Number>::Checked: Sized,
        T: Number,
    {
        map(self.view(), Shared(square))
    }

    /// `x` raised to a whole power. Integers with a negative power give `1 / x^|power|` rounded
    /// toward zero.
    ///
    /// # Panics
    ///
    /// When an integer is 0 and the power negative.
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// assert_eq!(tensor![2, -3].powi(3), tensor![8, -27]);
    /// ```
    #[track_caller]
    pub fn powi(&self, power: i32) -> Self
    where
        <T as Number>::Checked: Sized,
        T: Number,
    {
        map(self.view(), Shared(powi(power)))
    }

    /// Which elements are NaN.
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// assert_eq!(tensor![1.0, f64::NAN].is_nan(), tensor![false, true]);
    /// ```
    pub fn is_nan(&self) -> Tensor<S, bool>
    where
        <T as Number>::Checked: Sized,
        T: Number,
    {
        map(self.view(), Shared(T::is_nan))
    }

    /// Which elements are neither NaN nor infinite.
    ///
    /// ```
    /// # use tensor_core::tensor;
    /// assert_eq!(tensor![1.0, f64::INFINITY].is_finite(), tensor![true, false]);
    /// ```
    pub fn is_finite(&self) -> Tensor<S, bool>
    where
        <T as Number>::Checked: Sized,
        T: Number,
    {
        map(self.view(), Shared(T::is_finite))
    }
}
