//! The rules of the rows of the [table](tensor_kernels::ops), and of other element-wise operations.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

use tensor_kernels::element::Float;
use tensor_kernels::ops;

use super::operations::fits;
use super::rule::{At, GradientRule, GradientsOf, of_operands};
use crate::array::dynamic::DynTensor;
use crate::array::history::{HasRule, Rule, Saves};

/// Rules: what each keeps, and the gradients of its operands as functions of `g`, the gradient of the result, and of
/// what it keeps.
macro_rules! elementwise_rules {
    ($(
        $Op:ident: $saves:ident |$($name:ident),+| $first:expr $(, $second:expr)?;
    )+) => {$(
        impl<T: Float> HasRule<T> for ops::$Op {
            fn rule() -> Option<Rule> {
                Some(Rule::of::<T>(ops::$Op))
            }
        }

        impl GradientRule for ops::$Op {
            const SAVES: Saves = Saves::$saves;

            fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
                kept! { at gradient $saves $($name)+ }
                wanted! { at $first $(, $second)? }
            }
        }
    )+};
}

/// The gradients that are required, computed without closures: these rules are many.
macro_rules! wanted {
    ($at:ident $first:expr) => {
        of_operands([if $at.wants(0) { Some($first) } else { None }])
    };
    ($at:ident $first:expr, $second:expr) => {
        of_operands([
            if $at.wants(0) { Some($first) } else { None },
            if $at.wants(1) { Some($second) } else { None },
        ])
    };
}

/// Names the gradient of the result, and what a rule keeps.
macro_rules! kept {
    ($at:ident $gradient:ident NOTHING $g:ident) => {
        let $g = $gradient;
    };
    ($at:ident $gradient:ident OPERANDS $g:ident $x:ident) => {
        let ($g, $x) = ($gradient, &$at.operand::<T>(0));
    };
    ($at:ident $gradient:ident OPERANDS $g:ident $a:ident $b:ident) => {
        let ($g, $a, $b) = ($gradient, &$at.operand::<T>(0), &$at.operand::<T>(1));
    };
    ($at:ident $gradient:ident RESULT $g:ident $y:ident) => {
        let ($g, $y) = ($gradient, &$at.result::<T>());
    };
    ($at:ident $gradient:ident BOTH $g:ident $a:ident $b:ident $y:ident) => {
        let ($g, $a, $b) = ($gradient, &$at.operand::<T>(0), &$at.operand::<T>(1));
        let $y = &$at.result::<T>();
    };
}

/// Operations whose gradient is zero or undefined.
macro_rules! without_gradient {
    ($($Op:ident)+) => {$(
        impl<T: Float> HasRule<T> for ops::$Op {}
    )+};
}

elementwise_rules! {
    Abs: OPERANDS |g, x| g.with_sign(x);
    Square: OPERANDS |g, x| g.times(x).scale(2.0);
    Negate: NOTHING |g| g.neg();
    Exp: RESULT |g, y| g.times(y);
    ExpM1: RESULT |g, y| g.times(y.shift(1.0));
    Ln: OPERANDS |g, x| g.over(x);
    Ln1p: OPERANDS |g, x| g.over(x.shift(1.0));
    Exp2: RESULT |g, y| g.times(y).scale(LN_2);
    Log2: OPERANDS |g, x| g.over(x.scale(LN_2));
    Log10: OPERANDS |g, x| g.over(x.scale(LN_10));
    Sqrt: RESULT |g, y| g.over(y.scale(2.0));
    Rsqrt: RESULT |g, y| g.times(y).times(y.square()).scale(-0.5);
    Reciprocal: RESULT |g, y| g.times(y.square()).neg();
    Sin: OPERANDS |g, x| g.times(x.cos());
    Cos: OPERANDS |g, x| g.times(x.sin()).neg();
    Tan: RESULT |g, y| g.times(y.square().shift(1.0));
    Asin: OPERANDS |g, x| g.times(x.square().complement().rsqrt());
    Acos: OPERANDS |g, x| g.times(x.square().complement().rsqrt()).neg();
    Atan: OPERANDS |g, x| g.over(x.square().shift(1.0));
    Sinh: OPERANDS |g, x| g.times(x.cosh());
    Cosh: OPERANDS |g, x| g.times(x.sinh());
    Tanh: RESULT |g, y| g.times(y.square().complement());
    Asinh: OPERANDS |g, x| g.times(x.square().shift(1.0).rsqrt());
    Acosh: OPERANDS |g, x| g.times(x.square().shift(-1.0).rsqrt());
    Atanh: OPERANDS |g, x| g.over(x.square().complement());
    Erf: OPERANDS |g, x| g.times(x.square().neg().exp()).scale(FRAC_2_SQRT_PI);
    Sigmoid: RESULT |g, y| g.times(y).times(y.complement());
    Relu: RESULT |g, y| g.keep_where_positive(y);
    Gelu: OPERANDS |g, x| {
        let density = x.square().scale(-0.5).exp().scale(0.5 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2);
        let below = x.scale(FRAC_1_SQRT_2).erf().scale(0.5).shift(0.5);
        g.times(below.plus(x.times(density)))
    };
    GeluTanh: OPERANDS |g, x| {
        // `gelu_tanh(x) = x · sigmoid(2u)` with `u = √(2/π) (x + 0.044715 x³)`.
        let scale = 2.0 * FRAC_2_SQRT_PI * FRAC_1_SQRT_2;
        let square = x.square();
        let gate = x.product(square.scale(0.044715).shift(1.0)).scale(scale).sigmoid();
        let slope = x.product(square.scale(3.0 * 0.044715).shift(1.0).scale(scale));
        g.times(&gate).times(slope.times(gate.complement()).shift(1.0))
    };
    Silu: OPERANDS |g, x| {
        let gate = x.sigmoid();
        g.times(&gate).times(x.times(gate.complement()).shift(1.0))
    };
    Softplus: OPERANDS |g, x| g.times(x.sigmoid());
    Add: NOTHING |g| g.clone(), g.clone();
    Sub: NOTHING |g| g.clone(), g.neg();
    Mul: OPERANDS |g, a, b| g.times(b), g.times(a);
    Div: OPERANDS |g, a, b| g.over(b), g.times(a.over(b)).over(b).neg();
    Rem: OPERANDS |g, a, b| g.clone(), g.times(a.over(b).trunc()).neg();
    Remainder: OPERANDS |g, a, b| g.clone(), g.times(fits(a.floor_divide(b))).neg();
    Minimum: OPERANDS |g, a, b| g.share(a, b), g.share(b, a);
    Maximum: OPERANDS |g, a, b| g.share(b, a), g.share(a, b);
    Pow: BOTH |g, a, b, y| g.times(a.pow_slope(b)), g.times(a.ln_of_base(b)).times(y);
    Atan2: OPERANDS |g, a, b| g.times(b.over_hypot_squared(a)), g.times(a.over_hypot_squared(b)).neg();
    Hypot: BOTH |g, a, b, y| g.times(a.over(y).keep_where_positive(y)), g.times(b.over(y).keep_where_positive(y));
    LogAddExp: OPERANDS |g, a, b| g.times(a.share_of_sum(b)), g.times(b.share_of_sum(a));
    GradientProduct: OPERANDS |g, a, b| g.times(b), g.times(a);
    GradientQuotient: OPERANDS |g, a, b| g.over(b), g.times(a.over(b)).over(b).neg();
    KeepWherePositive: OPERANDS |g, a, b| g.keep_where_positive(b), DynTensor::zeros(a.sizes());
    WithSign: OPERANDS |g, a, b| g.with_sign(b), DynTensor::zeros(a.sizes());
}

without_gradient! {
    Sign IsNan IsFinite Not Floor Ceil Round Trunc Equal NotEqual Less LessEqual Greater GreaterEqual FloorDivide BitAnd BitOr BitXor Shl Shr
}
