//! The rules of the rows of the [table](crate::ops), and of what else is done element by element.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

use smallvec::smallvec;

use super::rule::{At, Operands, Rule, apply, rules};
use super::value::{Value, fits};
use crate::array::history::{AnyArray, Backward, Gradients, HasRule, Recorded, Saves};
use crate::element::Float;
use crate::ops;
use crate::tensor::DynTensor;
use crate::tensor::rules::{Cast, Clamp, Identity, Powi, Select};

/// The rules of a group of operations.
macro_rules! table_rules {
    ([] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt [$($gradient:tt)*];
    )+})+) => {$($(
        table_rules! { @$Op $($gradient)* }
    )+)+};
    (@$Op:ident) => {
        impl HasRule for ops::$Op {
            const RULE: Option<&'static dyn Backward> = None;
        }
    };
    (@$Op:ident $saves:ident |$($name:ident),+| $($gradients:tt)+) => {
        impl HasRule for ops::$Op {
            const RULE: Option<&'static dyn Backward> = Some(&ops::$Op);
        }

        rules! { ops::$Op: $saves; }

        impl Rule for ops::$Op {
            fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
                let _ = at;
                table_rules! { @read at gradient $saves $($name)+ }
                table_rules! { @gradients at $($gradients)+ }
            }
        }
    };
    (@read $at:ident $gradient:ident NOTHING $g:ident) => {
        let $g = $gradient;
    };
    (@read $at:ident $gradient:ident OPERANDS $g:ident $x:ident) => {
        let ($g, $x) = ($gradient, &$at.operand::<T>(0));
    };
    (@read $at:ident $gradient:ident OPERANDS $g:ident $a:ident $b:ident) => {
        let ($g, $a, $b) = ($gradient, &$at.operand::<T>(0), &$at.operand::<T>(1));
    };
    (@read $at:ident $gradient:ident RESULT $g:ident $y:ident) => {
        let ($g, $y) = ($gradient, &$at.result::<T>());
    };
    (@read $at:ident $gradient:ident BOTH $g:ident $a:ident $b:ident $y:ident) => {
        let ($g, $a, $b) = ($gradient, &$at.operand::<T>(0), &$at.operand::<T>(1));
        let $y = &$at.result::<T>();
    };
    (@gradients $at:ident [$($a:tt)+] [$($b:tt)+]) => {
        smallvec![$at.want(0, || $($a)+), $at.want(1, || $($b)+)]
    };
    (@gradients $at:ident $($x:tt)+) => {
        smallvec![Some($($x)+)]
    };
}

number_unary!(table_rules![]);
signed_unary!(table_rules![]);
bits_unary!(table_rules![]);
float_unary!(table_rules![]);
element_binary!(table_rules![]);
number_binary!(table_rules![]);
bits_binary!(table_rules![]);
integer_binary!(table_rules![]);
float_binary!(table_rules![]);

rules! {
    Identity: NOTHING;
    Powi: OPERANDS;
    Clamp: OPERANDS;
}

impl HasRule for Identity {
    const RULE: Option<&'static dyn Backward> = Some(&Identity);
}

impl Rule for Identity {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        smallvec![Some(gradient.clone())]
    }
}

impl Rule for Powi {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let x = at.operand::<T>(0);
        if self.0 == 0 {
            return smallvec![Some(Value::zeros(x.sizes()))];
        }
        // The smallest exponent has no predecessor; its slope is 0 wherever the result is finite.
        let below = Value(x.0.powi(self.0.saturating_sub(1)));
        smallvec![Some(gradient * below * f64::from(self.0))]
    }
}

/// At a limit that is a number the gradient is 0, and at one that is a tensor it is shared, as in PyTorch.
impl Rule for Clamp {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let (x, low, high) = (at.operand::<T>(0), at.operand::<T>(1), at.operand::<T>(2));
        let one = Value::<T>::full(&[], 1.0);
        // What the limit has of the gradient: all where it is beyond `x`, a part where they are equal.
        let share = |place: usize, beyond: DynTensor<bool>, limit: &Value<T>| {
            let tie = one.keep(&fits(x.0.equal(&limit.0)));
            let is_tensor = at.is_recorded(place) || !limit.sizes().is_empty();
            let of_limit = if is_tensor { &tie * 0.5 } else { Value::zeros(&[]) };
            let of_limit = Value(fits(beyond.select(&one.0, &of_limit.0)));
            let of_x =
                Value(fits(beyond.select(&Value::zeros(&[]).0, &(&one - tie - &of_limit).0)));
            (of_limit.clone(), if is_tensor { 1.0 - of_limit } else { of_x })
        };
        // Where the limits cross, the result is `high`.
        let crossed = fits(low.0.greater(&high.0));
        let above = fits(x.0.greater(&high.0));
        let above = fits(above.select(&above, &crossed));
        let (of_high, below_high) = share(2, above, &high);
        let (of_low, above_low) = share(1, fits(x.0.less(&low.0)), &low);
        smallvec![
            at.want(0, || gradient * &above_low * &below_high),
            at.want(1, || gradient * &of_low * &below_high),
            at.want(2, || gradient * &of_high),
        ]
    }
}

impl Backward for Select {
    fn saves(&self) -> Saves {
        Saves::FIRST
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        apply(self, at, gradient)
    }
}

impl Rule for Select {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &Value<T>) -> Operands<T> {
        let mask = at.0.operand(0);
        let mask = DynTensor::from(mask.get::<bool>().expect("a mask is `bool`").clone());
        smallvec![
            None,
            at.want(1, || gradient.keep(&mask)),
            at.want(2, || gradient.keep(&mask.not())),
        ]
    }
}

impl Backward for Cast {
    fn saves(&self) -> Saves {
        Saves::OPERANDS
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        smallvec![Some(super::rule::cast_like(gradient, &at.operand(0)))]
    }
}
