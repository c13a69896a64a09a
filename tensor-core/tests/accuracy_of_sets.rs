//! Functions give the same bits in every instruction set that loops are compiled for.
#![cfg(target_arch = "x86_64")]

use tensor_core::Float;

#[inline(never)]
fn plain<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

#[target_feature(enable = "avx2")]
fn avx2<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2")]
fn avx512<T: Copy>(x: &[T], f: impl Fn(T) -> T) -> Vec<T> {
    x.iter().map(|&x| f(x)).collect()
}

/// Compares a function of one number in all sets that this machine has.
macro_rules! same_bits {
    ($T:ident: $x:expr, $($name:literal: $f:expr;)*) => {$(
        let expected = plain($x, #[inline(always)] $f);
        let compare = |set: &str, results: &[$T]| {
            for ((x, a), b) in $x.iter().zip(&expected).zip(results) {
                assert!(
                    a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(),
                    "{} of {x:e} is {a:e}, with {set} {b:e}",
                    $name
                );
            }
        };
        if is_x86_feature_detected!("avx2") {
            // SAFETY: this machine has what the function is compiled for.
            compare("AVX2", &unsafe { avx2($x, #[inline(always)] $f) });
        }
        let has_512 = is_x86_feature_detected!("avx512f")
            && is_x86_feature_detected!("avx512vl")
            && is_x86_feature_detected!("avx512bw")
            && is_x86_feature_detected!("avx512dq")
            && is_x86_feature_detected!("avx2");
        if has_512 {
            // SAFETY: this machine has what the function is compiled for.
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
            same_bits! {
                $T: &x,
                "exp": |x: $T| Float::exp(x);
                "exp_m1": |x: $T| Float::exp_m1(x);
                "ln": |x: $T| Float::ln(x);
                "ln_1p": |x: $T| Float::ln_1p(x);
                "tanh": |x: $T| Float::tanh(x);
                "sigmoid": |x: $T| Float::sigmoid(x);
                "silu": |x: $T| Float::silu(x);
                "softplus": |x: $T| Float::softplus(x);
                "gelu_tanh": |x: $T| Float::gelu_tanh(x);
                "gelu": |x: $T| Float::gelu(x);
                "erf": |x: $T| Float::erf(x);
                "sin": |x: $T| Float::sin(x);
                "cos": |x: $T| Float::cos(x);
                "pow": |x: $T| Float::pow(x, 2.7);
                "pow of": |x: $T| Float::pow(1.3, x);
            }
        }
    };
}

functions!(single_precision, f32, u32);
functions!(double_precision, f64, u64);
