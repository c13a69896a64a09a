//! The rules of the rows of the [table](tensor_kernels::ops), and of other element-wise operations.

use core::f64::consts::{FRAC_1_SQRT_2, FRAC_2_SQRT_PI, LN_2, LN_10};

use smallvec::smallvec;
use tensor_kernels::element::Float;
use tensor_kernels::ops;
use tensor_kernels::ops::gradient_binary;
use tensor_kernels::ops::{
    bits_binary, bits_unary, element_binary, float_binary, float_unary, integer_binary,
    number_binary, number_unary, signed_unary,
};

use super::operations::fits;
use super::rule::{At, GradientRule, GradientsOf, rules};
use crate::array::dynamic::DynTensor;
use crate::array::history::{Backward, HasRule};

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

        impl GradientRule for ops::$Op {
            fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
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

rules! {
    Identity: NOTHING;
}

impl HasRule for Identity {
    const RULE: Option<&'static dyn Backward> = Some(&Identity);
}

impl GradientRule for Identity {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.clone())]
    }
}
