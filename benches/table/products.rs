//! Products of matrices.

use std::hint::black_box;

use nalgebra::SMatrix;
use tensor_core::bounds::{Matmul, MatmulOutput};
use tensor_core::{StaticShape, Tensor, shape};

use crate::additions::{fresh, numbers, tensor};
use crate::measure::roofline::Real;
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    small::<shape![4, 4], T, 4>(table, "matmul 4×4", Reach::Limit(3.0));
    small::<shape![8, 8], T, 8>(table, "matmul 8×8", Reach::Peer("nalgebra", 1.2));
    macro_rules! products {
        ($($name:literal, $reach:expr, $m:literal $k:literal $n:literal;)*) => {$(
            if table.wants($name) {
                let (a, b) = (tensor::<shape![$m, $k], T>(), tensor::<shape![$k, $n], T>());
                let ours = || black_box(&a).matmul(black_box(&b));
                product(table, $name, $reach, [1, $m, $k, $n], false, ours);
            }
        )*};
    }
    macro_rules! products_with_transposed {
        ($($name:literal, $m:literal $k:literal $n:literal;)*) => {$(
            if table.wants($name) {
                let (a, b) = (tensor::<shape![$m, $k], T>(), tensor::<shape![$n, $k], T>());
                let b: Tensor<shape![$k, $n], T> = b.transpose();
                let ours = || black_box(&a).matmul(black_box(&b));
                product(table, $name, Reach::Peer("gemm", 1.05), [1, $m, $k, $n], true, ours);
            }
        )*};
    }
    products! {
        "matmul 64", Reach::Limit(1.15), 64 64 64;
        "matmul 127", Reach::Peer("gemm", 1.05), 127 127 127;
        "matmul 256", Reach::Limit(1.07), 256 256 256;
        "matmul 1024", Reach::Limit(1.1), 1024 1024 1024;
        "matmul 2048", Reach::Peer("gemm", 1.05), 2048 2048 2048;
        "matmul [1,384]×[384,1536]", Reach::Peer("gemm", 1.05), 1 384 1536;
        "matmul [16,384]×[384,384]", Reach::Peer("gemm", 1.05), 16 384 384;
        "matmul [2048,8]×[8,2048]", Reach::Peer("gemm", 1.05), 2048 8 2048;
    }
    products_with_transposed! {
        "matmul [1,384]×[1536,384]ᵀ", 1 384 1536;
        "matmul [4,384]×[1536,384]ᵀ", 4 384 1536;
        "matmul [16,384]×[1536,384]ᵀ", 16 384 1536;
        "matmul [32,1536]×[384,1536]ᵀ", 32 1536 384;
    }
    let name = "matmul [32,128,64]×[32,64,128]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![32, 128, 64], T>();
    let b = tensor::<shape![32, 64, 128], T>();
    let ours = || black_box(&a).matmul(black_box(&b));
    product(table, name, Reach::Limit(1.16), [32, 128, 64, 128], false, ours);
}

/// One call that is not inlined, whose result is stored in the caller; compared with `nalgebra`'s
/// static matrices.
fn small<S, T: Real, const N: usize>(table: &mut Table, name: &str, reach: Reach)
where
    S: StaticShape + Matmul<S>,
{
    #[inline(never)]
    fn tensors<S: StaticShape + Matmul<S>, T: Real>(
        a: &Tensor<S, T>,
        b: &Tensor<S, T>,
    ) -> Tensor<MatmulOutput<S, S>, T> {
        a.matmul(b)
    }
    #[inline(never)]
    fn arrays<T: Real, const N: usize>(x: &[[T; N]; N], y: &[[T; N]; N]) -> [[T; N]; N] {
        let mut out = [[T::ZERO; N]; N];
        for (out, x) in out.iter_mut().zip(x) {
            for (x, y) in x.iter().zip(y) {
                out.iter_mut().zip(y).for_each(|(out, y)| *out += *x * *y);
            }
        }
        out
    }
    #[inline(never)]
    fn matrices<T: Real, const N: usize>(
        v: &SMatrix<T, N, N>,
        w: &SMatrix<T, N, N>,
    ) -> SMatrix<T, N, N> {
        v * w
    }
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<S, T>(), tensor::<S, T>());
    let (x, y) = ([[T::ONE; N]; N], [[T::ONE; N]; N]);
    let (v, w) = (SMatrix::<T, N, N>::from(x), SMatrix::<T, N, N>::from(y));
    // The compiler does not know what is called, and nothing else has to be hidden from it.
    let tensors = black_box(tensors as fn(&_, &_) -> _);
    let arrays = black_box(arrays as fn(&_, &_) -> _);
    let matrices = black_box(matrices as fn(&_, &_) -> _);
    let ways = vec![
        way("ours", || tensors(&a, &b)),
        way("loop", || arrays(&x, &y)),
        way("nalgebra", || matrices(&v, &w)),
    ];
    table.row::<T>(name, reach, Work::operations(2 * N * N * N).called(), ways);
}

/// `[batch,m,k] · [batch,k,n]`, compared with the crate `gemm`, and with a plain loop unless the product is large. The
/// right side is stored row by row, or column by column if it `is_transposed`.
fn product<S: StaticShape, T: Real>(
    table: &mut Table,
    name: &str,
    reach: Reach,
    [batch, m, k, n]: [usize; 4],
    is_transposed: bool,
    ours: impl FnMut() -> Tensor<S, T>,
) {
    let (x, y) = (numbers::<T>(batch * m * k), numbers::<T>(batch * k * n));
    let mut ways = vec![way("ours", ours)];
    if m.max(n) < 2048 && !is_transposed {
        ways.push(way("loop", || {
            let mut out = vec![T::ZERO; batch * m * n];
            let pairs = black_box(&x).chunks_exact(m * k).zip(black_box(&y).chunks_exact(k * n));
            for (out, (x, y)) in out.chunks_exact_mut(m * n).zip(pairs) {
                for (out, x) in out.chunks_exact_mut(n).zip(x.chunks_exact(k)) {
                    for (x, y) in x.iter().zip(y.chunks_exact(n)) {
                        out.iter_mut().zip(y).for_each(|(out, y)| *out += *x * *y);
                    }
                }
            }
            out
        }));
    }
    ways.push(way("gemm", || {
        fresh(batch * m * n, |out: &mut Vec<T>| {
            let products = out.spare_capacity_mut().chunks_exact_mut(m * n);
            let pairs = black_box(&x).chunks_exact(m * k).zip(black_box(&y).chunks_exact(k * n));
            for (out, (x, y)) in products.zip(pairs) {
                // SAFETY: all three are matrices of the sizes and in the order that are passed, and the result, which overlaps neither of the others, is not read.
                unsafe { with_gemm([m, k, n], x, y, is_transposed, out.as_mut_ptr().cast()) };
            }
            // SAFETY: the products wrote every element.
            unsafe { out.set_len(batch * m * n) };
        })
    }));
    // Moving the bytes of a product takes less time than computing it.
    table.row::<T>(name, reach, Work::operations(2 * batch * m * k * n), ways);
}

/// The product of two matrices by the crate `gemm`, on this thread; all are in row-major order, but for a right side that
/// `is_transposed`.
///
/// # Safety
///
/// `out` has room for `m * n` elements, and overlaps neither operand.
unsafe fn with_gemm<T: Real>(
    [m, k, n]: [usize; 3],
    x: &[T],
    y: &[T],
    is_transposed: bool,
    out: *mut T,
) {
    assert!(x.len() == m * k && y.len() == k * n, "matrices of these sizes");
    let (inner, columns) = (k as isize, n as isize);
    let [column, row] = if is_transposed { [inner, 1] } else { [1, columns] };
    // SAFETY: the strides are those of matrices of these sizes.
    unsafe {
        gemm::gemm(
            m,
            n,
            k,
            out,
            1,
            columns,
            false,
            x.as_ptr(),
            1,
            inner,
            y.as_ptr(),
            column,
            row,
            T::ZERO,
            T::ONE,
            false,
            false,
            false,
            gemm::Parallelism::None,
        );
    }
}
