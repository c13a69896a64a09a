//! `a += &b` and its like give the results of `a + b`, wherever the elements of both are stored.

use tensor_core::autograd::grad;
use tensor_core::{DynTensor, StaticShape, Tensor, axis, shape};

axis!(Run);

/// Numbers in the order of their indices, with infinities, NaN and zeros of both signs among them.
fn numbers<S: StaticShape>(seed: usize) -> Tensor<S> {
    let special = [f32::NAN, f32::INFINITY, -0.0, 0.0, f32::MIN_POSITIVE];
    let number = |i: usize| match (i * 7 + seed) % 23 {
        k @ 0..5 => special[k],
        k => k as f32 * 0.37 - 4.0,
    };
    Tensor::from_vec((0..S::VALUE.num_elements()).map(number).collect()).expect("one for each")
}

/// The elements as bits, so that NaN is equal to itself, and -0 not to 0.
fn bits(x: impl Into<DynTensor<f32>>) -> Vec<u32> {
    x.into().to_vec().into_iter().map(f32::to_bits).collect()
}

/// Compares every operator in place with the operator.
macro_rules! same {
    ($a:expr, $b:expr) => {
        same!($a, $b, +, += -, -= *, *= /, /= %, %=)
    };
    ($a:expr, $b:expr, $($op:tt, $assign:tt)+) => {$(
        let (mut a, b) = ($a, $b);
        let (before, expected) = (bits(a.clone()), bits(&a $op &b));
        let other = a.clone();
        a $assign &b;
        assert_eq!(bits(a.clone()), expected, "{} of a shared operand", stringify!($assign));
        assert_eq!(bits(other), before, "the other owner keeps its elements");
        // Now in separate memory.
        let mut a = $a.contiguous();
        a.as_mut_slice();
        a $assign &b;
        assert_eq!(bits(a), expected, "{}", stringify!($assign));
    )+};
}

macro_rules! sizes {
    ($($name:ident: $n:literal $m:literal;)+) => {$(
        #[test]
        fn $name() {
            type Matrix = shape![$n, $m];
            let (a, b) = (numbers::<Matrix>(1), numbers::<Matrix>(2));
            let turned = numbers::<shape![$m, $n]>(3);
            same!(a.clone(), b.clone());
            same!(a.clone(), b.map(|x| x));
            same!(turned.transpose(), b.clone());
            same!(a.clone(), turned.transpose());
            same!(a.clone(), a.clone());
            same!(a.clone(), numbers::<shape![$m]>(4));
            same!(a.clone(), numbers::<shape![$n, 1]>(5));
            same!(a.clone(), Tensor::<shape![]>::scalar(-1.75));
            for number in [2.5, -0.0, f32::NAN] {
                let (mut x, mut y) = (a.clone(), a.map(|x| x));
                x *= number;
                y *= number;
                assert_eq!(bits(x), bits(&a * number));
                assert_eq!(bits(y), bits(&a * number));
            }
        }
    )+};
}

sizes! {
    of_one_element: 1 1;
    of_tiny_tensors: 2 3;
    of_the_largest_inline: 4 4;
    of_the_smallest_shared: 1 17;
    of_one_vector_and_a_rest: 5 7;
    of_several_vectors: 8 8;
    of_a_thousand: 33 31;
}

#[test]
fn of_its_own_transpose() {
    let mut a = numbers::<shape![9, 9]>(1);
    let expected = bits(&a + a.transpose());
    a += &a.transpose();
    assert_eq!(bits(a), expected);
}

#[test]
fn of_sizes_known_at_run_time() {
    let of = |len: usize| {
        let elements = (0..len).map(|i| i as f32 - 3.0).collect();
        Tensor::<shape![Run]>::from_vec_shaped(shape![Run(len)], elements).expect("one for each")
    };
    for len in [0, 1, 16, 17, 100] {
        let (mut a, b) = (of(len), of(len));
        let expected = bits(&a - &b * 2.0);
        a -= &b * 2.0;
        assert_eq!(bits(a), expected);
        let mut a = of(len);
        a *= 0.5;
        assert_eq!(bits(a), bits(of(len) * 0.5));
    }
    let mismatch = std::panic::catch_unwind(|| {
        let mut a = of(3);
        a += &of(4);
    });
    assert!(mismatch.is_err());
}

/// A tensor of constants that takes in `x`, and `x` that takes in constants.
#[test]
fn of_recorded_tensors() {
    macro_rules! gradients {
        ($($S:ty)+) => {$(
            let (constants, x) = (Tensor::<$S>::full(3.0), Tensor::<$S>::full(2.0));
            let by_x = grad(&x, |x| {
                let mut y = constants.clone();
                y *= x;
                y *= x;
                y += 1.0;
                y.sum()
            });
            assert_eq!(by_x, Tensor::full(12.0));
            assert_eq!(constants, Tensor::full(3.0));
            let by_x = grad(&x, |x| {
                let mut y = x.clone();
                y *= &constants;
                y *= 0.5;
                y.sum()
            });
            assert_eq!(by_x, Tensor::full(1.5));
            let by_x = grad(&Tensor::<shape![]>::scalar(2.0), |x| {
                let mut y = constants.clone();
                y *= x;
                y.sum()
            });
            assert_eq!(by_x, Tensor::scalar(3.0 * constants.len() as f32));
        )+};
    }
    gradients!(shape![2, 3] shape![5, 7]);
}
