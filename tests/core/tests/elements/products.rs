//! Products against nested loops, over random sizes, layouts and element types.
#![allow(clippy::type_complexity)] // Shapes are types, and these are written out.

use proptest::prelude::*;
use tensor_core::element::Number;
use tensor_core::{DynTensor, Element, Shape, Tensor, axes, axis, shape, tensor};

axis!(Left);
axis!(Right);
axis!(M);
axis!(K);
axis!(N);

fn is_float<T: Element>() -> bool {
    matches!(T::NAME, "f32" | "f64" | "f16" | "bf16")
}

/// Whole numbers from -8 to 8 for floats and small integers, which multiply exactly and whose sums
/// are exact too, or wrap around.
fn random<S: Shape, T: Number>(shape: S, seed: u64) -> Tensor<S, T> {
    let mut state = seed | 1;
    let data = (0..shape.num_elements())
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let small = (state >> 33) as f64 % 9.0;
            let small = T::from_f64(small);
            // Negative where the type has negative numbers, and large for unsigned integers.
            if state >> 32 & 1 == 0 { small } else { T::ZERO.sub(small) }
        })
        .collect();
    Tensor::from_vec_shaped(shape, data).unwrap()
}

/// `[..lead, m, k] × [..lead, k, n]` by nested loops, for operands that are already broadcast.
fn expected<T: Number>(lead: usize, [m, k, n]: [usize; 3], left: &[T], right: &[T]) -> Vec<T> {
    let mut results = Vec::new();
    for batch in 0..lead {
        for i in 0..m {
            for j in 0..n {
                let mut sum = T::Sum::ZERO;
                for l in 0..k {
                    let a = left[(batch * m + i) * k + l].widen();
                    let b = right[(batch * k + l) * n + j].widen();
                    sum = sum.add(a.mul(b));
                }
                results.push(T::narrow(sum));
            }
        }
    }
    results
}

/// Checks all forms of products of one type. Sums of whole numbers are exact in every type but
/// `f16` and `bf16`, which round once: all results are compared exactly.
fn check<T: Number>([left, right, m, k, n]: [usize; 5], seed: u64) {
    let a = random::<_, T>(shape![Left(left), 1, M(m), K(k)], seed);
    let b = random::<_, T>(shape![Right(right), K(k), N(n)], seed + 1);
    let lead = shape![Left(left), Right(right)];
    let wide_a = a.expand_shaped(shape![lead.., M(m), K(k)]).to_vec();
    let wide_b = b.expand_shaped(shape![lead.., K(k), N(n)]).to_vec();
    let sizes = [m, k, n];
    let results = expected(left * right, sizes, &wide_a, &wide_b);

    // Broadcast leading axes, and every order of the axes in memory.
    let product: Tensor<shape![Left, Right, M, N], T> = a.matmul(&b);
    assert_eq!(product.shape().sizes()[..], [left, right, m, n]);
    assert_eq!(product.to_vec(), results);
    let a_by_columns = a.transpose().contiguous().transpose();
    let b_by_columns = b.transpose().contiguous().transpose();
    assert_eq!(a_by_columns.matmul(&b).to_vec(), results);
    assert_eq!(a.matmul(&b_by_columns).to_vec(), results);
    assert_eq!(a_by_columns.matmul(&b_by_columns).to_vec(), results);
    let batch_last = b.permute::<axes![1, 2, 0]>().contiguous().permute::<axes![2, 0, 1]>();
    assert_eq!(a.matmul(&batch_last).to_vec(), results);
    assert_eq!(a.expand_shaped(shape![lead.., M(m), K(k)]).matmul(&b).to_vec(), results);

    // One matrix for all: the leading axes become rows.
    let matrix = random::<_, T>(shape![K(k), N(n)], seed + 2);
    let rows = random::<_, T>(shape![Left(left), M(m), K(k)], seed + 3);
    let shared = expected(1, [left * m, k, n], &rows.to_vec(), &matrix.to_vec());
    assert_eq!(rows.matmul(&matrix).to_vec(), shared);
    assert_eq!(rows.dot(&matrix).to_vec(), shared);
    assert_eq!(rows.dot(&matrix.transpose().contiguous().transpose()).to_vec(), shared);
    let mixed = rows.permute::<axes![1, 0, 2]>().contiguous().permute::<axes![1, 0, 2]>();
    assert_eq!(mixed.dot(&matrix).to_vec(), shared);

    // Vectors on either side, and rows of an expanded vector.
    let vector = random::<_, T>(shape![K(k)], seed + 4);
    let by_vector = expected(1, [left * m, k, 1], &rows.to_vec(), &vector.to_vec());
    assert_eq!(rows.matmul(&vector).to_vec(), by_vector);
    assert_eq!(rows.dot(&vector).to_vec(), by_vector);
    assert_eq!(rows.transpose().contiguous().transpose().dot(&vector).to_vec(), by_vector);
    let rows_of_vector = vector.expand_shaped(shape![Right(right), 1, K(k)]);
    let of_vector = expected(right, [1, k, n], &rows_of_vector.to_vec(), &b.to_vec());
    let product: Tensor<shape![Right, N], T> = vector.matmul(&b);
    assert_eq!(product.to_vec(), of_vector);
    assert_eq!(vector.matmul(&b_by_columns).to_vec(), of_vector);
    assert_eq!(rows_of_vector.matmul(&b).to_vec(), of_vector);
    let with_itself: Tensor<(), T> = vector.dot(&vector);
    assert_eq!(with_itself.to_vec(), expected(1, [1, k, 1], &vector.to_vec(), &vector.to_vec()));
    assert_eq!(vector.matmul(&vector), with_itself);
    let column = matrix.transpose().sum_axis::<0>();
    assert_eq!(
        rows.dot(&column).to_vec(),
        expected(1, [left * m, k, 1], &rows.to_vec(), &column.to_vec())
    );

    let other = random::<_, T>(shape![N(n)], seed + 5);
    let table: Tensor<shape![K, N], T> = vector.outer(&other);
    assert_eq!(table.to_vec(), expected(1, [k, 1, n], &vector.to_vec(), &other.to_vec()));
}

/// Sizes around those that change the way: none, one, small, a block and more.
fn sizes() -> impl Strategy<Value = [usize; 5]> {
    let few = || 0..4_usize;
    let size = || prop_oneof![2 => 0..3_usize, 3 => 3..10_usize, 2 => 10..40_usize];
    let long = prop_oneof![5 => Just(None), 1 => (60..300_usize, 0..3_usize).prop_map(Some)];
    (few(), few(), size(), size(), size(), long).prop_map(|(left, right, m, k, n, long)| {
        let mut sizes = [left, right, m, k, n];
        if let Some((long, which)) = long {
            sizes[2 + which] = long;
        }
        sizes
    })
}

macro_rules! every_type {
    ($($name:ident: $T:ident;)*) => {
        proptest! {
            #![proptest_config(ProptestConfig {
                cases: 40, failure_persistence: None, ..ProptestConfig::default()
            })]
            $(
                #[test]
                fn $name(sizes in sizes(), seed in 0..u64::MAX - 8) {
                    check::<$T>(sizes, seed);
                }
            )*
        }
    };
}

every_type! {
    products_of_f32: f32;
    products_of_f64: f64;
    products_of_i8: i8;
    products_of_i16: i16;
    products_of_i32: i32;
    products_of_i64: i64;
    products_of_u8: u8;
    products_of_u16: u16;
    products_of_u32: u32;
    products_of_u64: u64;
}

use half::{bf16, f16};

every_type! {
    products_of_f16: f16;
    products_of_bf16: bf16;
}

/// Floats that round: within the error of summing `k` products one after the other.
#[test]
fn products_of_fractions() {
    fn check<T: Number>(epsilon: f64) {
        assert!(is_float::<T>());
        for (m, k, n) in [(3, 1000, 5), (1, 5000, 1), (40, 50, 60), (300, 300, 1), (1, 300, 300)] {
            let fraction = |i: usize| T::from_f64(((i * 7919 + 13) % 1000) as f64 / 997.0 - 0.5);
            let a = Tensor::from_fn_shaped(shape![M(m), K(k)], |[i, l]| fraction(i * k + l));
            let b = Tensor::from_fn_shaped(shape![K(k), N(n)], |[l, j]| fraction(l * n + j + 5));
            let product = a.matmul(&b);
            for i in 0..m {
                for j in 0..n {
                    let term = |l: usize| a[[i, l]].to_f64() * b[[l, j]].to_f64();
                    let sum: f64 = (0..k).map(term).sum();
                    let size: f64 = (0..k).map(|l| term(l).abs()).sum();
                    let error = (product[[i, j]].to_f64() - sum).abs();
                    assert!(error <= epsilon / 2.0 * k as f64 * size + f64::EPSILON, "{error}");
                }
            }
        }
    }
    check::<f32>(f64::from(f32::EPSILON));
    check::<f64>(f64::EPSILON * 2.0);
}

#[test]
fn a_sum_over_nothing_is_zero() {
    let a = Tensor::<shape![2, 0]>::zeros();
    let b = Tensor::<shape![0, 3]>::zeros();
    assert_eq!(a.matmul(&b), Tensor::<shape![2, 3]>::zeros());
    assert_eq!(a.dot(&b), Tensor::<shape![2, 3]>::zeros());
    assert_eq!(a.dot(&Tensor::<shape![0]>::zeros()), tensor![0.0, 0.0]);
    let a = Tensor::<shape![20, 0], i32>::zeros();
    let b = Tensor::<shape![5, 0, 30], i32>::zeros();
    assert_eq!(a.matmul(&b), Tensor::<shape![5, 20, 30], i32>::zeros());
    assert_eq!(b.matmul(&Tensor::<shape![5, 30, 0], i32>::zeros()).len(), 0);
    let none = Tensor::<shape![0]>::zeros();
    assert_eq!(none.dot(&none).item(), 0.0);
    assert_eq!(none.outer(&tensor![1.0, 2.0]).len(), 0);
}

#[test]
fn infinities_and_nan_pass_through() {
    let a = tensor![[f32::INFINITY, 1.0], [f32::NAN, 0.0], [0.0, 2.0]];
    let b = tensor![[1.0, 0.0, -1.0], [1.0, 1.0, 1.0]];
    let product = a.matmul(&b);
    assert_eq!(product[[0, 0]], f32::INFINITY);
    assert!(product[[0, 1]].is_nan() && product[[1, 0]].is_nan());
    assert_eq!(product[[0, 2]], f32::NEG_INFINITY);
    assert_eq!(product[[2, 1]], 2.0);
}

#[test]
fn integers_wrap_around() {
    let x = tensor![[i32::MAX, 1], [2, 3]];
    assert_eq!(x.matmul(&tensor![[2, 0], [0, 1]]), tensor![[-2, 1], [4, 3]]);
    assert_eq!(tensor![200_u8, 100].dot(&tensor![1_u8, 1]).item(), 44);
    assert_eq!(tensor![200_u8].outer(&tensor![2_u8]), tensor![[144_u8]]);
}

#[test]
fn named_axes_are_compared_when_the_operation_runs() {
    fn message(f: impl FnOnce() + std::panic::UnwindSafe) -> String {
        let panic = std::panic::catch_unwind(f).expect_err("this panics");
        panic.downcast_ref::<String>().expect("a formatted message").clone()
    }
    let a = Tensor::<_, f32>::zeros_shaped(shape![Left(4), M(2), K(3)]);
    let b = Tensor::<_, f32>::zeros_shaped(shape![Left(4), K(5), N(2)]);
    let (x, y) = (a.clone(), b.clone());
    assert_eq!(
        message(move || _ = x.matmul(&y)),
        "cannot multiply: the last axis of the left side (`K`) has size 3, the second last axis of the right side (`K`) has size 5"
    );
    let (x, y) = (a.clone(), Tensor::<_, f32>::zeros_shaped(shape![K(5), N(2)]));
    assert_eq!(
        message(move || _ = x.dot(&y)),
        "cannot multiply: the last axis of the left side (`K`) has size 3, the first axis of the right side (`K`) has size 5"
    );
    let (x, y) = (a.clone(), Tensor::<_, f32>::zeros_shaped(shape![K(5)]));
    let said = "cannot multiply: the last axis of the left side (`K`) has size 3, the only axis of the right side (`K`) has size 5";
    assert_eq!(message(move || _ = x.dot(&y)), said);
    let (x, y) = (a.clone(), Tensor::<_, f32>::zeros_shaped(shape![K(5)]));
    assert_eq!(message(move || _ = x.matmul(&y)), said);
    let y = Tensor::<_, f32>::zeros_shaped(shape![Left(7), K(3), N(2)]);
    assert!(
        message(move || _ = a.matmul(&y)).starts_with(
            "cannot multiply: the leading axes differ. The size of tensor a (4) must match the size of tensor b (7) at non-singleton dimension 0"
        )
    );
}

/// Small matrices of static sizes are multiplied without a plan: as others are.
#[test]
fn small_static_products() {
    macro_rules! check {
        ($($m:literal $k:literal $n:literal;)*) => {$(
            let a = Tensor::<shape![$m, $k], i32>::from_fn(|[i, l]| (i * 5 + l * 3) as i32 - 7);
            let b = Tensor::<shape![$k, $n], i32>::from_fn(|[l, j]| (l * 2 + j * 7) as i32 - 5);
            let results = expected(1, [$m, $k, $n], &a.to_vec(), &b.to_vec());
            assert_eq!(a.matmul(&b).to_vec(), results);
            assert_eq!(a.dot(&b).to_vec(), results);
            let a_by_columns = a.transpose().contiguous().transpose();
            assert_eq!(a_by_columns.matmul(b.clone()).to_vec(), results);
            let vector = b.sum_axis::<-1>();
            let results = expected(1, [$m, $k, 1], &a.to_vec(), &vector.to_vec());
            assert_eq!(a.matmul(&vector).to_vec(), results);
            let results = expected(1, [1, $k, $n], &vector.to_vec(), &b.to_vec());
            assert_eq!(vector.matmul(&b).to_vec(), results);
        )*};
    }
    check!(1 1 1; 2 3 2; 4 4 4; 8 8 8; 1 8 3; 8 1 8; 5 7 1; 3 0 2; 0 3 2; 8 9 8; 9 8 7;);
}

/// Rows that are multiplied with a vector together have the bits that each has alone.
#[test]
fn rows_times_a_vector_are_dot_products() {
    for k in [1, 7, 63, 64, 65, 130, 1000, 2048, 2049, 5000] {
        let number = |index: &[usize]| {
            ((index[0] * 7919 + index.last().unwrap() * 31) % 1009) as f32 - 504.5
        };
        let rows = DynTensor::<f32>::from_fn(&[21, k], number);
        let vector = DynTensor::<f32>::from_fn(&[k, 1], |index| number(&[index[0], 3]) / 512.0);
        let together = rows.matmul(&vector).unwrap().to_vec();
        for (row, found) in together.into_iter().enumerate() {
            let alone = rows.slice_axis(0, row..row + 1).unwrap().matmul(&vector).unwrap();
            assert_eq!(found.to_bits(), alone.item().unwrap().to_bits(), "row {row} of {k}");
        }
    }
}
