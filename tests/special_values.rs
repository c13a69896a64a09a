//! Every operator and function of two operands, for every element type, bit for bit against
//! plain scalars: special values with special values, in rows of every length up to 40 and in every
//! pattern of stretching.

use half::{bf16, f16};
use tensor_core::element::{Bits, Integer, Number};
use tensor_core::{DynTensor, Element, Float, Tensor, axis, shape};

axis!(Rows);
axis!(Columns);

/// The critical values of a type, and a comparison that distinguishes them.
trait Special: Element {
    fn values() -> Vec<Self>;

    /// Equal bits give equal numbers. Which NaN a NaN is, IEEE 754 leaves open: all count as one.
    fn bits(self) -> u64;
}

macro_rules! special_integers {
    ($($T:ident)*) => {$(
        impl Special for $T {
            fn values() -> Vec<Self> {
                let max = $T::MAX;
                vec![0, 1, 2, 3, 7, max, max - 1, max / 2, $T::MIN, $T::MIN + 1, max / 3, 5]
            }

            fn bits(self) -> u64 {
                self as i64 as u64
            }
        }
    )*};
}

special_integers!(i8 i16 i32 i64 u8 u16 u32 u64);

macro_rules! special_floats {
    ($($T:ident)*) => {$(
        impl Special for $T {
            fn values() -> Vec<Self> {
                // A denormal number is half of the smallest normal one.
                let half = $T::ONE.div($T::ONE.add($T::ONE));
                let denormal = $T::MIN_POSITIVE.mul(half);
                let numbers = [$T::ZERO, $T::ONE, half, $T::MIN_POSITIVE, denormal, $T::MAX,
                    $T::INFINITY, $T::EPSILON, $T::from_f64(-3.75), $T::from_f64(1e3)];
                let negative = numbers.map(|x| -x);
                [&numbers[..], &negative[..], &[$T::NAN]].concat()
            }

            fn bits(self) -> u64 {
                if self.is_nan() { u64::MAX } else { u64::from(self.to_bits()) }
            }
        }
    )*};
}

special_floats!(f32 f64 f16 bf16);

impl Special for bool {
    fn values() -> Vec<Self> {
        vec![false, true]
    }

    fn bits(self) -> u64 {
        u64::from(self)
    }
}

/// `count` values, starting somewhere else for every `start`.
fn row<T: Special>(count: usize, start: usize) -> Vec<T> {
    T::values().into_iter().cycle().skip(start).take(count).collect()
}

fn bits<T: Special>(elements: impl IntoIterator<Item = T>) -> Vec<u64> {
    elements.into_iter().map(T::bits).collect()
}

type Matrix<T> = Tensor<shape![Rows, Columns], T>;

/// Compares one operation in every pattern of stretching, fresh, in place and into the memory of an
/// owned operand.
fn check<T: Special, O: Special>(
    name: &str,
    scalar: impl Fn(T, T) -> O,
    tensor: impl Fn(&Matrix<T>, &Matrix<T>) -> Matrix<O>,
    row_and_column: impl Fn(&Tensor<shape![Columns], T>, &Tensor<shape![Rows, 1], T>) -> Matrix<O>,
    dynamic: impl Fn(&DynTensor<T>, &DynTensor<T>) -> DynTensor<O>,
) {
    for columns in 0..=40 {
        let rows = 3;
        let shape = shape![Rows(rows), Columns(columns)];
        // Coprime to the number of values, so that all pairs occur.
        let (a, b) = (row::<T>(rows * columns, 0), row::<T>(rows * columns, 5 * columns + 1));
        let expected = bits(a.iter().zip(&b).map(|(&a, &b)| scalar(a, b)));
        let x = Tensor::from_vec_shaped(shape, a).unwrap();
        let y = Tensor::from_vec_shaped(shape, b).unwrap();
        assert_eq!(bits(tensor(&x, &y).to_vec()), expected, "{name} of {} columns", columns);

        let (a, b) = (row::<T>(columns, 2), row::<T>(rows, columns));
        let expected =
            bits(b.iter().flat_map(|&b| a.iter().map(move |&a| (a, b))).map(|(a, b)| scalar(a, b)));
        let x = Tensor::from_vec_shaped(shape![Columns(columns)], a).unwrap();
        let y = Tensor::from_vec_shaped(shape![Rows(rows), 1], b).unwrap();
        assert_eq!(bits(row_and_column(&x, &y).to_vec()), expected, "{name} of a row and a column");
        let result = dynamic(&x.into(), &y.into());
        assert_eq!(result.sizes(), [rows, columns]);
        assert_eq!(bits(result.to_vec()), expected, "{name} of shapes at run time");
    }
}

macro_rules! operator {
    ($T:ty, $name:literal, $scalar:expr, $op:tt, $assign:tt) => {
        check::<$T, $T>(
            $name,
            $scalar,
            |a, b| {
                let expected = a $op b;
                let same = |other: Matrix<$T>| {
                    assert_eq!(bits(other.to_vec()), bits(expected.to_vec()), "{} owned", $name);
                };
                let mut target = a.clone();
                target $assign b;
                same(target);
                let mut target = a.map(|a| a);
                target $assign b;
                same(target);
                same(a.map(|a| a) $op b);
                same(a $op b.map(|b| b));
                same(a.map(|a| a) $op b.map(|b| b));
                same(a.transpose().transpose() $op b);
                same((&a.transpose() $op &b.transpose()).transpose());
                expected
            },
            |a, b| a $op b,
            |a, b| a.zip_with(b, $scalar).unwrap(),
        );
    };
}

macro_rules! numbers {
    ($($T:ident)*) => {$(
        #[test]
        fn $T() {
            operator!($T, "+", Number::add, +, +=);
            operator!($T, "-", Number::sub, -, -=);
            operator!($T, "*", Number::mul, *, *=);
            let method = |name, scalar: fn($T, $T) -> $T, tensor: fn(&Matrix<$T>, &Matrix<$T>) -> Matrix<$T>,
                row_and_column: fn(&Tensor<shape![Columns], $T>, &Tensor<shape![Rows, 1], $T>) -> Matrix<$T>| {
                check::<$T, $T>(name, scalar, tensor, row_and_column, |a, b| a.zip_with(b, scalar).unwrap());
            };
            method("minimum", Number::minimum, |a, b| a.minimum(b), |a, b| a.minimum(b));
            method("maximum", Number::maximum, |a, b| a.maximum(b), |a, b| a.maximum(b));
            let compare = |name, scalar: fn($T, $T) -> bool, tensor: fn(&Matrix<$T>, &Matrix<$T>) -> Matrix<bool>,
                row_and_column: fn(&Tensor<shape![Columns], $T>, &Tensor<shape![Rows, 1], $T>) -> Matrix<bool>| {
                check::<$T, bool>(name, scalar, tensor, row_and_column, |a, b| a.zip_with(b, scalar).unwrap());
            };
            compare("==", |a, b| a == b, |a, b| a.equal(b), |a, b| a.equal(b));
            compare("!=", |a, b| a != b, |a, b| a.not_equal(b), |a, b| a.not_equal(b));
            compare("<", |a, b| a < b, |a, b| a.less(b), |a, b| a.less(b));
            compare("<=", |a, b| a <= b, |a, b| a.less_equal(b), |a, b| a.less_equal(b));
            compare(">", |a, b| a > b, |a, b| a.greater(b), |a, b| a.greater(b));
            compare(">=", |a, b| a >= b, |a, b| a.greater_equal(b), |a, b| a.greater_equal(b));
        }
    )*};
}

numbers!(f32 f64 f16 bf16 i8 i16 i32 i64 u8 u16 u32 u64);

/// Division of floats by anything; integers are divided by what is not zero.
#[test]
fn division_of_floats() {
    macro_rules! divide {
        ($($T:ident)*) => {$(
            operator!($T, "/", |a: $T, b: $T| a / b, /, /=);
            operator!($T, "%", |a: $T, b: $T| a % b, %, %=);
        )*};
    }
    divide!(f32 f64 f16 bf16);
}

#[test]
fn division_of_integers() {
    macro_rules! divide {
        ($($T:ident)*) => {$(
            for a in <$T>::values() {
                for b in <$T>::values().into_iter().filter(|&b| b != 0) {
                    let x: Tensor<shape![1], $T> = Tensor::full(a);
                    let y: Tensor<shape![20], $T> = Tensor::full(b);
                    let all = |result: Tensor<shape![20], $T>, expected: $T, name: &str| {
                        assert_eq!(result, Tensor::full(expected), "{a} {name} {b}");
                    };
                    all(&x / &y, a.wrapping_div(b), "/");
                    all(&x % &y, a.wrapping_rem(b), "%");
                    // In the integers of twice the width nothing overflows.
                    let (wide_a, wide_b) = (i128::from(a), i128::from(b));
                    let rest = ((wide_a % wide_b) + wide_b) % wide_b;
                    all(x.remainder(&y), rest as $T, "remainder");
                    all(x.floor_divide(&y), ((wide_a - rest) / wide_b) as $T, "floor_divide");
                }
            }
        )*};
    }
    divide!(i8 i16 i32 i64 u8 u16 u32 u64);
}

#[test]
#[should_panic(expected = "attempt to divide by zero")]
fn integers_divided_by_zero() {
    let _ = tensor_core::tensor![1, 2] / 0;
}

#[test]
fn bits_of_integers_and_bool() {
    macro_rules! bitwise {
        ($($T:ident)*) => {$(
            operator!($T, "&", Bits::and, &, &=);
            operator!($T, "|", Bits::or, |, |=);
            operator!($T, "^", Bits::xor, ^, ^=);
        )*};
    }
    bitwise!(i8 i16 i32 i64 u8 u16 u32 u64 bool);
    macro_rules! shifts {
        ($($T:ident)*) => {$(
            operator!($T, "<<", Integer::shift_left, <<, <<=);
            operator!($T, ">>", Integer::shift_right, >>, >>=);
        )*};
    }
    shifts!(i8 i16 i32 i64 u8 u16 u32 u64);
}

#[test]
fn shifts_by_too_much() {
    let x = tensor_core::tensor![1_i8, -1, i8::MIN, i8::MAX];
    assert_eq!((&x << 8).to_vec(), [0, 0, 0, 0]);
    assert_eq!((&x << -1).to_vec(), [0, 0, 0, 0]);
    assert_eq!((&x >> 8).to_vec(), [0, -1, -1, 0]);
    assert_eq!((&x >> 7).to_vec(), [0, -1, -1, 0]);
    assert_eq!((tensor_core::tensor![128_u8, 255] >> 8).to_vec(), [0, 0]);
}

/// Every 16-bit float: what is computed in `f32` is rounded once more, so it is within 0.51 ulp.
#[test]
fn functions_of_sixteen_bits() {
    macro_rules! near {
        ($($T:ident)*) => {$({
            // The difference of neighbours, or of the smallest numbers.
            let ulp = |exact: f64| {
                let here = $T::from_f64(exact.abs());
                let next = $T::from_bits(here.to_bits() + 1);
                let last = $T::from_bits(here.to_bits().saturating_sub(1));
                (next.to_f64() - here.to_f64()).min(here.to_f64() - last.to_f64()).max($T::from_bits(1).to_f64())
            };
            type Function = (fn($T) -> $T, fn(f64) -> f64);
            let functions: [Function; 6] = [
                (Float::asinh, Float::asinh),
                (Float::acosh, Float::acosh),
                (Float::atanh, Float::atanh),
                (|x| Number::powi(x, -2), |x| Number::powi(x, -2)),
                (|x| Number::powi(x, -3), |x| Number::powi(x, -3)),
                (|x| Number::powi(x, i32::MIN), |x| Number::powi(x, i32::MIN)),
            ];
            for (function, of_f64) in functions {
                for x in (0..=u16::MAX).map($T::from_bits) {
                    let (result, exact) = (function(x), of_f64(x.to_f64()));
                    let nearest = $T::from_f64(exact);
                    let is_near = result.to_bits() == nearest.to_bits()
                        || result.is_nan() && exact.is_nan()
                        || (result.to_f64() - exact).abs() <= 0.51 * ulp(exact);
                    assert!(is_near, "{}: {x:e} gives {result:e}, not {exact:e}", stringify!($T));
                }
            }
        })*};
    }
    near!(f16 bf16);
}

/// Rows of up to five vectors, each combined with the same row: into a new tensor, in place, and
/// into an owned operand.
fn check_rows<T: Special + Number>() {
    for columns in 1..=80 {
        let shape = shape![Rows(3), Columns(columns)];
        let (a, b) = (row::<T>(3 * columns, 1), row::<T>(columns, 3));
        let expected = bits(a.iter().zip(b.iter().cycle()).map(|(&a, &b)| a.add(b)));
        let x = Tensor::from_vec_shaped(shape, a).unwrap();
        let y = Tensor::from_vec_shaped(shape![Columns(columns)], b).unwrap();
        assert_eq!(bits((&x + &y).to_vec()), expected, "{columns} columns");
        assert_eq!(bits((&y + &x).to_vec()), expected, "{columns} columns, the other way round");
        let mut target = x.map(|x| x);
        target += &y;
        assert_eq!(bits(target.to_vec()), expected, "{columns} columns in place");
        assert_eq!(bits((x + &y).to_vec()), expected, "{columns} columns, owned");
    }
}

#[test]
fn every_row_meets_one_row() {
    check_rows::<f32>();
    check_rows::<f64>();
    check_rows::<i16>();
    check_rows::<u8>();
}

/// Activations and attention weights are never subnormal, which would make the next product several times as slow.
#[test]
fn no_subnormal_activations() {
    let normal_or_zero = |x: f32| x == 0.0 || x.abs() >= f32::MIN_POSITIVE;
    let numbers: Vec<f32> = (0..2_000).map(|k| -0.0625 * k as f32).collect();
    let numbers = Tensor::from_vec_shaped(shape![Rows(2), Columns(1_000)], numbers);
    let numbers = numbers.expect("two rows of a thousand");
    for activations in [numbers.gelu(), numbers.gelu_tanh()] {
        assert!(activations.iter().all(|&x| normal_or_zero(x) && x <= 0.0));
        assert!(activations.iter().any(|&x| (-1e-37..0.0).contains(&x)), "small numbers are kept");
    }
    let weights = (&numbers * 8.0).softmax::<1>();
    assert!(weights.iter().all(|&x| normal_or_zero(x)));
    assert!(weights.iter().any(|&x| (1e-38..1e-36).contains(&x)), "small weights are kept");
    assert!((&numbers * 8.0).transpose().softmax::<0>().iter().all(|&x| normal_or_zero(x)));
    let weights = (numbers.cast::<f64>() * 8.0).softmax::<1>();
    assert!(weights.iter().all(|&x| x == 0.0 || x >= f64::MIN_POSITIVE));
}
