//! Products of matrices.

use std::hint::black_box;

use tensor_core::{StaticShape, Tensor, shape};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::Real;
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    small::<T>(table);
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

/// One call that is not inlined, whose result lives in the caller.
fn small<T: Real>(table: &mut Table) {
    type Four<T> = Tensor<shape![4, 4], T>;
    #[inline(never)]
    fn tensors<T: Real>(a: &Four<T>, b: &Four<T>) -> Four<T> {
        a.matmul(b)
    }
    #[inline(never)]
    fn arrays<T: Real>(x: &[[T; 4]; 4], y: &[[T; 4]; 4]) -> [[T; 4]; 4] {
        let mut out = [[T::ZERO; 4]; 4];
        for (out, x) in out.iter_mut().zip(x) {
            for (x, y) in x.iter().zip(y) {
                out.iter_mut().zip(y).for_each(|(out, y)| *out = *out + *x * *y);
            }
        }
        out
    }
    let name = "matmul 4×4";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![4, 4], T>(), tensor::<shape![4, 4], T>());
    let (x, y) = ([[T::ONE; 4]; 4], [[T::ONE; 4]; 4]);
    // The compiler does not know what is called, and nothing else has to be hidden from it.
    let tensors = black_box(tensors as fn(&_, &_) -> _);
    let arrays = black_box(arrays as fn(&_, &_) -> _);
    let ways = vec![way("ours", || tensors(&a, &b)), way("loop", || arrays(&x, &y))];
    table.row::<T>(name, Reach::Limit(3.0), Work::operations(2 * 4 * 4 * 4).called(), ways);
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
                        out.iter_mut().zip(y).for_each(|(out, y)| *out = *out + *x * *y);
                    }
                }
            }
            out
        }),
    ];
    // What a product moves takes less than what it computes.
    table.row::<T>(name, Reach::Limit(reach), Work::operations(2 * batch * m * k * n), ways);
}
