//! The functions of all traits of elements, for every type of elements.

use crate::element::{Bits, Float, Instructions, Integer, Number, Signed};
use crate::tensor::operations::elementwise::square;

/// A type of elements, through which generic code gets at its functions.
#[doc(hidden)]
pub trait HasFunctions: Sized {
    /// The functions.
    type Functions: Functions<Self>;
}

/// Stands where the tensors have refused the operation.
#[cold]
fn refused<T>() -> T {
    unreachable!("tensors of these elements do not have this operation")
}

/// Hands the functions of elements to a macro, by their traits and by what they take and give.
macro_rules! functions {
    ($then:ident! $arguments:tt) => {
        $then! {
            $arguments
            [
                add(x: T, y: T) -> T = Number::add;
                sub(x: T, y: T) -> T = Number::sub;
                mul(x: T, y: T) -> T = Number::mul;
                div(x: T, y: T) -> T = Number::div;
                rem(x: T, y: T) -> T = Number::rem;
                floor_divide(x: T, y: T) -> T = Number::floor_divide;
                remainder(x: T, y: T) -> T = Number::remainder;
                minimum(x: T, y: T) -> T = Number::minimum;
                maximum(x: T, y: T) -> T = Number::maximum;
                abs(x: T) -> T = Number::abs;
                sign(x: T) -> T = Number::sign;
                square(x: T) -> T = square;
                powi(x: T, power: i32) -> T = Number::powi;
                is_nan(x: T) -> bool = Number::is_nan;
                is_finite(x: T) -> bool = Number::is_finite;
            ]
            [neg(x: T) -> T = Signed::neg;]
            [
                and(x: T, y: T) -> T = Bits::and;
                or(x: T, y: T) -> T = Bits::or;
                xor(x: T, y: T) -> T = Bits::xor;
                not(x: T) -> T = Bits::not;
            ]
            [
                shift_left(x: T, y: T) -> T = Integer::shift_left;
                shift_right(x: T, y: T) -> T = Integer::shift_right;
            ]
            [
                exp(x: T, instructions: Instructions) -> T = Float::exp_with;
                exp_m1(x: T, instructions: Instructions) -> T = Float::exp_m1_with;
                ln(x: T, instructions: Instructions) -> T = Float::ln_with;
                ln_1p(x: T, instructions: Instructions) -> T = Float::ln_1p_with;
                sqrt(x: T) -> T = Float::sqrt;
                rsqrt(x: T) -> T = Float::rsqrt;
                reciprocal(x: T) -> T = Float::reciprocal;
                sin(x: T, instructions: Instructions) -> T = Float::sin_with;
                cos(x: T, instructions: Instructions) -> T = Float::cos_with;
                tan(x: T) -> T = Float::tan;
                asin(x: T) -> T = Float::asin;
                acos(x: T) -> T = Float::acos;
                atan(x: T) -> T = Float::atan;
                sinh(x: T) -> T = Float::sinh;
                cosh(x: T) -> T = Float::cosh;
                tanh(x: T, instructions: Instructions) -> T = Float::tanh_with;
                asinh(x: T) -> T = Float::asinh;
                acosh(x: T) -> T = Float::acosh;
                atanh(x: T) -> T = Float::atanh;
                erf(x: T, instructions: Instructions) -> T = Float::erf_with;
                sigmoid(x: T, instructions: Instructions) -> T = Float::sigmoid_with;
                relu(x: T) -> T = Float::relu;
                gelu(x: T, instructions: Instructions) -> T = Float::gelu_with;
                gelu_tanh(x: T, instructions: Instructions) -> T = Float::gelu_tanh_with;
                silu(x: T, instructions: Instructions) -> T = Float::silu_with;
                softplus(x: T, instructions: Instructions) -> T = Float::softplus_with;
                floor(x: T) -> T = Float::floor;
                ceil(x: T) -> T = Float::ceil;
                round(x: T) -> T = Float::round;
                trunc(x: T) -> T = Float::trunc;
                pow(x: T, y: T, instructions: Instructions) -> T = Float::pow_with;
                atan2(x: T, y: T) -> T = Float::atan2;
            ]
        }
    };
}

/// Functions that are refused where they are not written anew.
macro_rules! refused {
    ([] $([$($name:ident($($x:ident: $X:ty),+) -> $Y:ty = $f:path;)+])+) => {$($(
        #[doc = concat!("`", stringify!($f), "`")]
        #[inline(always)]
        fn $name($(_: $X),+) -> $Y {
            refused()
        }
    )+)+};
}

/// The functions of elements `T`. A type that lacks some has them all the same, because the compiler
/// would refuse them for the elements once more, in other words than for the tensors.
#[doc(hidden)]
pub trait Functions<T> {
    functions!(refused![]);
}

/// The functions of some of the groups above.
macro_rules! written {
    ([$T:ident: $($has:ident)+] $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => {
        impl HasFunctions for $T {
            type Functions = ();
        }

        impl Functions<$T> for () {
            $( written!(@$has $T $number $signed $bits $integer $float); )+
        }
    };
    (@number $T:ident $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => { written!(@write $T $number); };
    (@signed $T:ident $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => { written!(@write $T $signed); };
    (@bits $T:ident $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => { written!(@write $T $bits); };
    (@integer $T:ident $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => { written!(@write $T $integer); };
    (@float $T:ident $number:tt $signed:tt $bits:tt $integer:tt $float:tt) => { written!(@write $T $float); };
    (@write $T:ident [$($name:ident($($x:ident: $X:ident),+) -> $Y:ident = $f:path;)+]) => {$(
        #[inline(always)]
        fn $name($($x: written!(@type $X $T)),+) -> written!(@type $Y $T) {
            $f($($x),+)
        }
    )+};
    (@type T $T:ident) => { $T };
    (@type $Other:ident $T:ident) => { $Other };
}

functions!(written! [f32: number signed float]);
functions!(written! [f64: number signed float]);
functions!(written! [i8: number signed bits integer]);
functions!(written! [i16: number signed bits integer]);
functions!(written! [i32: number signed bits integer]);
functions!(written! [i64: number signed bits integer]);
functions!(written! [u8: number bits integer]);
functions!(written! [u16: number bits integer]);
functions!(written! [u32: number bits integer]);
functions!(written! [u64: number bits integer]);
functions!(written! [bool: bits]);

#[cfg(feature = "half")]
use half::{bf16, f16};
#[cfg(feature = "half")]
functions!(written! [f16: number signed float]);
#[cfg(feature = "half")]
functions!(written! [bf16: number signed float]);
