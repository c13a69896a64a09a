//! The rules of the rows of the [table](crate::ops), and of other element-wise operations.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

use smallvec::smallvec;

use super::operations::fits;
use super::rule::{At, GradientRule, Operands, apply, rules};
use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, Backward, Gradients, HasRule, Recorded, Saves};
use crate::array::trace::stablehlo::expression::lowering;
use crate::element::Float;
use crate::ops;
use crate::ops::Row;

/// The rules of a group of operations.
macro_rules! table_rules {
    ([] $(topic $topic:literal {$(
        $(#[$meta:meta])* $kind:ident $name:ident: $Op:ident -> $Out:tt $row:tt [$($gradient:tt)*];
    )+})+) => {$($(
        table_rules! { @$Op $name $row $($gradient)* }
    )+)+};
    (@$Op:ident $op_name:ident {
        $cost:ident $bits:ident $numpy:literal $pytorch:literal {$($stablehlo:tt)+} $($function:tt)+
    }) => {
        impl HasRule for ops::$Op {
            const RULE: Option<&'static dyn Backward> = None;
            const ROW: &'static Row = &Row {
                name: stringify!($op_name),
                lowering: lowering!($($stablehlo)+),
            };
        }
    };
    (@$Op:ident $op_name:ident {
        $cost:ident $bits:ident $numpy:literal $pytorch:literal {$($stablehlo:tt)+} $($function:tt)+
    } $saves:ident |$($name:ident),+| $($gradients:tt)+) => {
        impl HasRule for ops::$Op {
            const RULE: Option<&'static dyn Backward> = Some(&ops::$Op);
            const ROW: &'static Row = &Row {
                name: stringify!($op_name),
                lowering: lowering!($($stablehlo)+),
            };
        }

        rules! { ops::$Op: $saves; }

        impl GradientRule for ops::$Op {
            fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
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
gradient_binary!(table_rules![]);

/// A copy, or another view of the same elements.
#[derive(Clone, Copy)]
pub struct Identity;

/// `cast`: converts the element type.
pub struct Cast;

/// `powi`: an integer power.
pub struct Powi(pub i32);

/// `clamp`: the operands are the tensor, `low` and `high`.
pub struct Clamp;

/// `select`: the operands are the mask, `then` and `otherwise`.
pub struct Select;

rules! {
    Identity: NOTHING;
    Powi: OPERANDS;
    Clamp: OPERANDS;
}

impl HasRule for Identity {
    const RULE: Option<&'static dyn Backward> = Some(&Identity);
    const ROW: &'static Row = &Row { name: "copy", lowering: lowering!(x) };
}

impl GradientRule for Identity {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        smallvec![Some(gradient.clone())]
    }
}

impl GradientRule for Powi {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let x = at.operand::<T>(0);
        if self.0 == 0 {
            return smallvec![Some(DynTensor::zeros(x.sizes()))];
        }
        // The smallest exponent has no predecessor; its slope is 0 wherever the result is finite.
        let below = x.powi(self.0.saturating_sub(1));
        smallvec![Some(gradient.times(below).scale(f64::from(self.0)))]
    }
}

/// At a limit that is a scalar the gradient is 0, and at one that is a tensor it is shared, as in PyTorch.
/// Where the limits cross, the result is `high`.
impl GradientRule for Clamp {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let (x, low, high) = (at.operand::<T>(0), at.operand::<T>(1), at.operand::<T>(2));
        let both = |a: &DynTensor<bool>, b: &DynTensor<bool>| fits(a.select(b, a));
        let is_tensor =
            |position: usize| at.is_recorded(position) || !at.sizes(position).is_empty();
        // Where `x` exceeds neither limit: NaN counts as within tensors, and as outside of scalars.
        let above_low = if is_tensor(1) { fits(x.less(&low)).not() } else { fits(x.greater(&low)) };
        let below_high =
            if is_tensor(2) { fits(x.greater(&high)).not() } else { fits(x.less(&high)) };
        let within = both(&above_low, &below_high);
        if !is_tensor(1) && !is_tensor(2) {
            return smallvec![Some(gradient.keep(&within)), None, None];
        }
        let tie = |position: usize, limit: &DynTensor<T>| match is_tensor(position) {
            true => fits(x.equal(limit)),
            false => DynTensor::full(&[], false),
        };
        let (at_low, at_high) = (tie(1, &low), tie(2, &high));
        let ordered = fits(low.greater(&high)).not();
        let half = gradient.scale(0.5);
        // Half at a tie with one limit, and elsewhere all of it where the mask is true.
        let shared = |tie: &DynTensor<bool>, otherwise: &DynTensor<bool>| {
            fits(tie.select(&half, &gradient.keep(otherwise)))
        };
        smallvec![
            at.want(0, || {
                let one_tie = fits(at_low.not_equal(&at_high));
                shared(&both(&one_tie, &within), &within).keep(&ordered)
            }),
            at.want(1, || {
                let beyond = fits(x.less(&low));
                shared(&both(&at_low, &at_high.not()), &beyond).keep(&ordered)
            }),
            at.want(2, || {
                let tie = both(&both(&at_high, &at_low.not()), &ordered);
                let beyond = fits(x.greater(&high));
                shared(&tie, &fits(ordered.select(&beyond, &ordered.not())))
            }),
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

impl GradientRule for Select {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> Operands<T> {
        let mask = at.0.operand(0);
        let mask = mask.get::<DynTensor<bool>>().expect("a mask is `bool`");
        smallvec![
            None,
            at.want(1, || gradient.keep(mask)),
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
