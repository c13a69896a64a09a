//! Products of matrices.

use std::hint::black_box;

use nalgebra::SMatrix;
use tensor_core::bounds::{MatmulOutput, MatmulRhs};
use tensor_core::{StaticShape, Tensor, shape};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::Real;
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    small::<shape![4, 4], T, 4>(table, "matmul 4×4", Reach::Limit(3.0));
    small::<shape![8, 8], T, 8>(table, "matmul 8×8", Reach::Peer("nalgebra", 1.2));
    macro_rules! squares {
        ($($n:literal, $reach:literal;)*) => {$({
            let name = concat!("matmul ", $n);
            if table.wants(name) {
                let (a, b) = (tensor::<shape![$n, $n], T>(), tensor::<shape![$n, $n], T>());
                let ours = || black_box(&a).matmul(black_box(&b));
                product(table, name, $reach, [1, $n, $n, $n], ours);
            }
        })*};
    }
    squares! { 64, 1.15; 256, 1.07; 1024, 1.1; }
    let name = "matmul [32,128,64]×[32,64,128]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![32, 128, 64], T>();
    let b = tensor::<shape![32, 64, 128], T>();
    product(table, name, 1.16, [32, 128, 64, 128], || black_box(&a).matmul(black_box(&b)));
}

/// One call that is not inlined, whose result lives in the caller; beside `nalgebra`'s static matrices.
fn small<S, T: Real, const N: usize>(table: &mut Table, name: &str, reach: Reach)
where
    S: StaticShape + MatmulRhs<S>,
{
    #[inline(never)]
    fn tensors<S: StaticShape + MatmulRhs<S>, T: Real>(
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

/// `[batch,m,k] · [batch,k,n]`.
fn product<S: StaticShape, T: Real>(
    table: &mut Table,
    name: &str,
    reach: f64,
    [batch, m, k, n]: [usize; 4],
    ours: impl FnMut() -> Tensor<S, T>,
) {
    let (x, y) = (numbers::<T>(batch * m * k), numbers::<T>(batch * k * n));
    let ways = vec![
        way("ours", ours),
        way("loop", || {
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
        }),
    ];
    // What a product moves takes less than what it computes.
    table.row::<T>(name, Reach::Limit(reach), Work::operations(2 * batch * m * k * n), ways);
}
