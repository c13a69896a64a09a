//! Functions give the same bits in every instruction set that loops are compiled for: with fused
//! multiply-adds, as the kernel uses them where the CPU has them, and without, as closures of users
//! do.
#![cfg(target_arch = "x86_64")]

use tensor_core::Float;
use tensor_core::element::Isa;

#[inline(never)]
fn one_by_one<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

#[target_feature(enable = "avx2,fma")]
fn avx2<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,fma")]
fn avx512<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

/// Compares a function of one number in all instruction sets that the CPU has.
macro_rules! same_bits {
    ($T:ident: $x:expr, $with:ident, $($name:literal: $f:expr;)*) => {$(
        // Without the instruction, a fused multiply-add is a call, which gives the same.
        let expected = one_by_one($x, #[inline(always)] $f);
        let compare = |set: &str, results: &[$T]| {
            for ((x, a), b) in $x.iter().zip(&expected).zip(results) {
                assert!(
                    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                    "{} of {x:e} is {a:e}, with {set} {b:e}, {:?}",
                    $name, $with
                );
            }
        };
        let has_256 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
        if has_256 {
            // SAFETY: the CPU has the features that the function is compiled for.
            compare("AVX2", &unsafe { avx2($x, #[inline(always)] $f) });
        }
        let has_512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq");
        if has_256 && has_512 {
            // SAFETY: the CPU has the features that the function is compiled for.
            compare("AVX-512", &unsafe { avx512($x, #[inline(always)] $f) });
        }
    )*};
}

/// The functions of one type, on special values, on numbers of every size and near 0.
macro_rules! functions {
    ($test:ident, $T:ident, $U:ident) => {
        #[test]
        fn $test() {
            let mut x: Vec<$T> = vec![0.0, 1.0, $T::INFINITY, $T::MAX, $T::MIN_POSITIVE];
            x.push($T::NAN);
            x.push($T::from_bits(1));
            let mut state = 1_u64;
            for _ in 0..20_000 {
                state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                x.push($T::from_bits((state >> (64 - $U::BITS)) as $U));
                x.push(((state >> 40) as $T / 16_777_216.0 - 0.5) * 40.0);
            }
            let x: Vec<$T> = x.iter().flat_map(|&x| [x, -x]).collect();
            same_bits_with!($T: &x, [FMA NO_FMA]);
        }
    };
}

macro_rules! same_bits_with {
    ($T:ident: $x:expr, [$($WITH:ident)*]) => {$({
        const WITH: Isa = Isa::$WITH;
        same_bits! {
            $T: $x, WITH,
            "exp": |x: $T| x.exp_isa(WITH);
            "exp_m1": |x: $T| x.exp_m1_isa(WITH);
            "ln": |x: $T| x.ln_isa(WITH);
            "ln_1p": |x: $T| x.ln_1p_isa(WITH);
            "tanh": |x: $T| x.tanh_isa(WITH);
            "sigmoid": |x: $T| x.sigmoid_isa(WITH);
            "silu": |x: $T| x.silu_isa(WITH);
            "softplus": |x: $T| x.softplus_isa(WITH);
            "gelu_tanh": |x: $T| x.gelu_tanh_isa(WITH);
            "gelu": |x: $T| x.gelu_isa(WITH);
            "erf": |x: $T| x.erf_isa(WITH);
            "sin": |x: $T| x.sin_isa(WITH);
            "cos": |x: $T| x.cos_isa(WITH);
            "pow": |x: $T| x.pow_isa(2.7, WITH);
            "pow of": |x: $T| <$T>::pow_isa(1.3, x, WITH);
        }
    })*};
}

functions!(single_precision, f32, u32);
functions!(double_precision, f64, u64);
