//! `fuse!(e)` is `e`: the same shape and the same elements, bit for bit.

use half::f16;
use tensor_core::element::Number;
use tensor_core::{
    DynTensor, Element, Float, IntoTensor, Shape, StaticShape, Tensor, axes, axis, fuse, select,
    shape, strict, tensor, zip_with3, zip_with4,
};

axis!(Batch);

/// Compares each expression with what it is in one pass.
macro_rules! agree {
    ($($expression:expr),+ $(,)?) => {$({
        assert_same(stringify!($expression), &fuse!($expression), &$expression);
    })+};
}

fn assert_same<S: Shape, T: Element>(expression: &str, fused: &Tensor<S, T>, plain: &Tensor<S, T>) {
    assert_eq!(fused.shape(), plain.shape(), "{expression}");
    let [fused, plain] = [fused, plain].map(|x| format!("{:?}", x.to_vec()));
    assert_eq!(fused, plain, "{expression}");
}

/// A tensor of the results of `element` for each index in row-major order.
fn elements<S: StaticShape, T: Element>(element: impl FnMut(usize) -> T) -> Tensor<S, T> {
    let len = <S as StaticShape>::VALUE.num_elements();
    Tensor::from_vec((0..len).map(element).collect()).expect("as many as the shape has")
}

/// Numbers that follow no pattern, from -4 to 4, a few of them special.
fn numbers<S: StaticShape, T: Float>(seed: u64) -> Tensor<S, T> {
    let mut state = seed;
    elements(|index| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        match (index + seed as usize) % 29 {
            3 => T::NAN,
            11 => T::INFINITY,
            17 => T::from_f64(-0.0),
            _ => T::from_f64((state >> 40) as f64 / f64::from(1 << 24) * 8.0 - 4.0),
        }
    })
}

macro_rules! floats {
    ($($name:ident: $T:ident, $X:ty, $Y:ty, $Z:ty;)+) => {$(
        #[test]
        fn $name() {
            let x: Tensor<$X, $T> = numbers(1);
            let y: Tensor<$Y, $T> = numbers(2);
            let z: Tensor<$Z, $T> = numbers(3);
            let s = $T::from_f64(0.75);
            agree!(
                &x * &y + &z,
                (&x * &y + &z).gelu_tanh(),
                (&x - &y) / (&z.square() + s).sqrt(),
                -&x * s - &y % &z,
                x.exp().ln_1p() + y.exp_m1() - z.abs().ln(),
                (x.sin() * y.cos() + z.tan()).tanh(),
                x.sigmoid() + y.silu() - z.softplus(),
                (x.erf() + y.gelu()).relu() * &z,
                x.asin() + y.acos() + z.atan(),
                x.sinh() + y.cosh() + x.asinh() + y.acosh() + z.atanh(),
                x.floor() + y.ceil() + z.round() + x.trunc(),
                x.sign() + y.reciprocal() + z.abs().rsqrt(),
                x.maximum(&y).minimum(&z).maximum(s),
                x.clamp(&y, &z) + x.clamp(-s, s),
                x.floor_divide(&y) + y.remainder(&z) + x.neg(),
                x.abs().pow(&y) + y.powi(3).atan2(&z),
                x.less(&y) & y.less_equal(&z) | x.equal(&z) ^ !x.not_equal(&y),
                x.greater(s) | y.greater_equal(&z) & x.is_nan() & z.is_finite(),
                select(&x.greater(s), &y, &z),
                select(x.greater(&y), -x.square(), &z * s),
                select(x.is_nan(), s, &x) + &y,
                (x.cast::<i32>() * 3 - y.cast::<i32>()).cast::<$T>() + &z,
                (&x + &x.sum() - &y.mean_axis_keepdims::<-1>()) * &z,
                (&x - &x) * (&x + &y) * &x,
                &z + &x * &y,
                &x * &y + &y * &z,
                &x * &y - &y * &z,
                (&x * &y) * (&y * &z) + (&x * s) / (&z * s),
                (&x * &y * &z + &x) * &y + s,
                &x * s + &y * -s + s,
                (&x * &y).maximum(&y * &z).sqrt(),
                select((&x * &y).greater(&z), &x * &z, &y * &z),
                -(&x * &y),
                (&x * &y).cast::<f64>() + (&y * &z).cast::<f64>(),
            );
        }
    )+};
}

floats! {
    same_shapes: f32, shape![13, 37], shape![13, 37], shape![13, 37];
    rows_and_columns: f32, shape![13, 37], shape![37], shape![13, 1];
    both_stretch: f64, shape![5, 1, 7], shape![3, 1], shape![7];
    large_rows: f32, shape![3, 1300], shape![1300], shape![1];
    rows_of_several_chunks: f64, shape![3, 4500], shape![4500], shape![3, 1];
    many_rows: f32, shape![90, 130], shape![130], shape![90, 1];
    many_short_rows: f32, shape![700, 1, 3], shape![5, 1], shape![3];
    within_the_value: f64, shape![2, 3], shape![3], shape![2, 1];
    one_number: f32, shape![], shape![4, 5], shape![];
    no_elements: f32, shape![4, 0], shape![1], shape![4, 1];
    sixteen_bits: f16, shape![4, 9], shape![9], shape![4, 1];
}

#[test]
fn integers() {
    let x = elements::<shape![7, 11], i32>(|i| i as i32 * 7919 % 201 - 100);
    let y = elements::<shape![11], i32>(|i| i as i32 * 31 % 17 + 1);
    agree!(
        &x * &y + 3,
        (&x / &y - &x % 7) * -1,
        !&x & 0xff | &y ^ 5,
        (&x << &y >> 2) + i32::MAX,
        x.abs() + y.sign() + x.square() - y.powi(2),
        x.floor_divide(&y) + x.remainder(&y),
        x.clamp(-5, &y).maximum(&x / 2),
        x.cast::<u8>() + 250 - y.cast::<u8>(),
        x.cast::<bool>() & true,
        1 - 2 * &x,
        7 << y.minimum(3),
    );
}

/// Expressions that are one kernel, on operands that take more than a few chunks.
macro_rules! single_kernels {
    ($($name:ident: $T:ident, $X:ty, $Y:ty, $Z:ty;)+) => {$(
        #[test]
        fn $name() {
            let x: Tensor<$X, $T> = numbers(1);
            let y: Tensor<$Y, $T> = numbers(2);
            let z: Tensor<$Z, $T> = numbers(3);
            agree!(
                x.exp(),
                x.floor(),
                x.is_nan(),
                &x - &y,
                &x / &z,
                &x * &y,
                x.greater(&z),
                &x * &y + &z,
                &z + &x * &y,
                &y * &z + &x,
                &x * &x + &x,
                &x * &y + &x * &y,
                x.clamp(&y, &z),
                x.powi(3),
                &x * $T::from_f64(0.75) + &y,
                select(x.is_nan(), &y, &z),
                x.transpose() + x.transpose(),
                x.transpose() * y.sum() + z.sum(),
            );
        }
    )+};
}

single_kernels! {
    large_same_shapes: f32, shape![110, 130], shape![110, 130], shape![110, 130];
    large_rows_and_columns: f32, shape![110, 130], shape![130], shape![110, 1];
    large_planes: f64, shape![30, 20, 40], shape![20, 1], shape![30, 1, 40];
    large_sixteen_bits: f16, shape![110, 130], shape![130], shape![110, 1];
}

#[test]
#[should_panic(expected = "attempt to divide by zero")]
fn a_division_by_zero_is_found_where_it_is_the_only_operation() {
    let x = elements::<shape![100, 100], i32>(|i| i as i32);
    let y = elements::<shape![100], i32>(|i| 50 - i as i32);
    fuse!(&x / &y);
}

#[test]
fn views_are_read_where_they_lie() {
    let x: Tensor<shape![12, 35]> = numbers(4);
    let cube: Tensor<shape![3, 4, 35]> = numbers(5);
    let (turned, twice) = (x.transpose(), x.transpose().transpose());
    agree!(
        &turned * 2.0 + &turned.mean_axis::<0>(),
        &turned + &x.transpose() * &twice.transpose(),
        cube.permute::<axes![2, 0, 1]>() - &cube.permute::<axes![2, 0, 1]>() / 3.0,
        x.mean_axis::<0>().expand::<shape![5, 35]>() + &x.max_axis::<0>(),
    );
}

#[test]
fn named_axes_meet_when_it_runs() {
    let x = Tensor::<shape![Batch, 3]>::ones_shaped(shape![Batch(5), 3]);
    let y = Tensor::<shape![Batch, 1]>::full_shaped(shape![Batch(5), 1], 3.0);
    let w = tensor![1.0, 2.0, 3.0];
    agree!((&x * &w + &y).exp(), &w - &y, &x - &x.sum_axis_keepdims::<0>());

    let other = Tensor::<shape![Batch, 1]>::ones_shaped(shape![Batch(1), 1]);
    let message = |f: &dyn Fn()| {
        let run = std::panic::AssertUnwindSafe(f);
        *std::panic::catch_unwind(run).unwrap_err().downcast::<String>().unwrap()
    };
    let fused = message(&|| drop(fuse!(&w + &x * &other)));
    assert_eq!(fused, message(&|| drop(&w + &x * &other)));
    assert!(fused.contains("The size of tensor a (5) must match the size of tensor b (1)"));
}

#[test]
fn operands_are_computed_once_and_variables_are_only_borrowed() {
    let calls = std::cell::Cell::new(0);
    let counted = |value: f64| {
        calls.set(calls.get() + 1);
        tensor![value; 40]
    };
    let (x, y) = (tensor![2.0; 40], Box::new(tensor![3.0; 40]));
    let z = fuse!(x * y + counted(1.0) * counted(2.0) - x);
    assert_eq!(calls.get(), 2);
    assert_eq!(z, tensor![6.0; 40]);
    assert_eq!(x.len() + y.len(), 80, "they are still there");
    let (borrowed, mut changed) = (&&x, x.clone());
    let reference = &mut changed;
    assert_eq!(fuse!(borrowed + reference), tensor![4.0; 40]);
}

#[test]
fn eight_tensors_are_read_in_one_pass() {
    let row: Tensor<shape![40]> = numbers(6);
    let x: Tensor<shape![9, 40]> = numbers(7);
    let [a, b, c, d] = [1.0_f32, 2.0, 3.0, 4.0].map(|by| &row * by);
    let [e, f, g] = [5.0_f32, 6.0, 7.0].map(|by| &x.transpose() / by);
    let (e, f, g) = (e.transpose(), f.transpose(), g.transpose());
    agree!(
        &a + &b * &c - &d / &x,
        &a + &b * &c - &d / &x + &e,
        &a + &b * &c - &d / &x + &e * &f,
        &a + &b * &c - &d / &x + &e * &f - &g,
        &a + &b * &c - &d / &x + &e * &f - &g * &b + &a * &x - 2.0,
        &a + &b * &c - &row / &x + &e * &f - &g * &b + &a * &x - 2.0,
    );
}

#[test]
fn numbers_follow_rust_among_themselves() {
    let (x, n, s) = (tensor![1.0, 2.0], 3_i32, 0.5_f64);
    agree!(&x * (s + 2.5).round(), &x.powi(n - 1) + f64::from(n), &x / s.sqrt().mul_add(2.0, 1.0));
}

#[strict(same)]
fn distance(a: &Tensor<shape![3]>, b: &Tensor<shape![3]>) -> f32 {
    fuse!((a - b).square() * 0.5).sum().item()
}

#[test]
fn strict_code_may_fuse() {
    assert_eq!(distance(&tensor![1.0, 2.0, 3.0], &tensor![1.0, 0.0, 3.0]), 2.0);
}

#[test]
fn a_result_of_a_run_time_shape() {
    let data = DynTensor::from_vec(&[2, 2], vec![1.0, 2.0, 3.0, 4.0]).unwrap();
    let x: Tensor<shape![Batch, 2], f64> = data.into_tensor().unwrap();
    let y = fuse!(x * 2.0 + 1.0);
    assert_eq!(y.shape(), shape![Batch(2), 2]);
    assert_eq!(y.to_vec(), [3.0, 5.0, 7.0, 9.0]);
}

/// The largest results that a value holds, and the smallest that it does not.
#[test]
fn results_of_sixteen_and_of_seventeen_elements() {
    macro_rules! sizes {
        ($($size:literal)+) => {$(
            let numbers = || (0..$size).map(|i| i as f32);
            let x = Tensor::<shape![$size]>::from_vec(numbers().collect()).unwrap();
            let half = Tensor::<shape![1]>::full(0.5);
            let expected: Vec<f32> = numbers().map(|x| x * x + 0.5).collect();
            assert_eq!(fuse!(&x * &x + &half).into_vec(), expected);
            assert_eq!(zip_with3(&x, &x, &half, |a, b, c| a * b + c).into_vec(), expected);
            assert_eq!(zip_with4(&x, &x, &half, &half, |a, b, c, _| a * b + c).into_vec(), expected);
            assert_eq!((&x * &x + &half).into_vec(), expected);
            let expected: Vec<f32> = numbers().map(|x| x.max(7.0).min(9.0)).collect();
            assert_eq!(x.clamp(7.0, 9.0).into_vec(), expected);
        )+};
    }
    sizes! { 16 17 }
}

/// A macro has a variable `a`, and so has its caller: two variables, wherever they are spelled.
#[test]
fn variables_of_macros_are_their_own() {
    macro_rules! own {
        ($x:ident) => {{
            let a = tensor![10.0, 20.0];
            (fuse!(a * a + $x), fuse!(a * a + a))
        }};
    }
    let a = tensor![1.0, 2.0];
    assert_eq!(own!(a), (tensor![101.0, 402.0], tensor![110.0, 420.0]));
    assert_eq!(fuse!(a * a + a), tensor![2.0, 6.0]);

    // Each step of a recursive macro has its own variable, all with the same span.
    macro_rules! sum {
        ([$($x:ident)*]) => { fuse!($($x * )* 1.0) };
        ([$($x:ident)*] $value:literal $($rest:tt)*) => {{
            let a = tensor![$value];
            sum!([$($x)* a] $($rest)*)
        }};
    }
    assert_eq!(sum!([] 2.0 3.0 5.0), tensor![30.0]);

    // Operands that are passed on.
    macro_rules! square_plus {
        ($x:expr, $y:expr) => {
            fuse!($x * $x + $y * $x)
        };
    }
    assert_eq!(square_plus!(a, &a), tensor![2.0, 8.0]);
}

thread_local! {
    static KEPT: std::cell::Cell<Option<fuse::FusedElement<f64>>> =
        const { std::cell::Cell::new(None) };
}

/// The expansion of the macro, by hand: elements are valid only within their chunk.
#[test]
#[should_panic(expected = "elements of `fuse!` are there within its expression alone")]
fn elements_are_not_read_behind_their_expression() {
    use tensor_core::__private::{ReadOnce, run_fused};

    // SAFETY: the expressions below read no temporary result.
    let read_once = || unsafe { ReadOnce::new() };
    let x = Tensor::<shape![100], f64>::ones();
    let keep = |(x, ())| {
        KEPT.set(Some(x));
        x + 1.0
    };
    let first: Tensor<shape![100], f64> = run_fused((&x, ()), (), keep, read_once());
    assert_eq!(first, &x + 1.0);
    drop(first);
    let _: Tensor<shape![100], f64> =
        run_fused((&x, ()), (), |(x, ())| x + KEPT.get().expect("it was kept"), read_once());
}

/// In a crate without `unsafe`.
mod without_unsafe {
    #![forbid(unsafe_code)]

    use tensor_core::{fuse, tensor};

    #[test]
    fn expands() {
        let x = tensor![1.0, 2.0];
        assert_eq!(fuse!(&x * &x + 1.0), tensor![2.0, 5.0]);
    }
}
