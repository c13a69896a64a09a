//! Element-wise operations on operands that broadcast.

use std::hint::black_box;

use nalgebra::SVector;
use ndarray::Array1;
use tensor_core::broadcast::{BroadcastOf, Broadcasted};
use tensor_core::{StaticShape, Tensor, shape};

use crate::measure::roofline::{Moves, Real};
use crate::measure::{Way, number, way};
use crate::row::{Reach, Table, Work};

/// Numbers in the memory of a `Vec`.
pub fn numbers<T: Real>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::of(number(i))).collect()
}

/// Numbers in the memory of a tensor, as results have it.
pub fn tensor<S: StaticShape, T: Real>() -> Tensor<S, T> {
    let x = Tensor::<S, T>::from_vec(numbers(S::VALUE.num_elements()));
    x.expect("as many numbers as elements").map(|x| x)
}

/// A new vector of `count` numbers that `fill` writes, without writing zeros first.
pub fn fresh<T>(count: usize, fill: impl FnOnce(&mut Vec<T>)) -> Vec<T> {
    let mut out = Vec::with_capacity(count);
    fill(&mut out);
    out
}

pub fn rows<T: Real>(table: &mut Table) {
    sixteen::<T>(table);
    sixteen_behind_references::<T>(table);
    in_place::<shape![16], T, 16>(table, "16", Reach::Peer("nalgebra", 1.5));
    in_place::<shape![64], T, 64>(table, "64", Reach::Peer("nalgebra", 1.5));
    in_place::<shape![1024], T, 1024>(table, "1,024", Reach::Limit(1.4));
    same_shape::<shape![1024], T>(table, "a + b, 1,024, fresh result", 1.4);
    same_shape::<shape![65536], T>(table, "a + b, 65,536, fresh result", 1.05);
    same_shape::<shape![1048576], T>(table, "a + b, 1 M, fresh result", 1.05);
    same_shape::<shape![16777216], T>(table, "a + b, 16.7 M, fresh result", 1.6);
    same_shape::<shape![4194304], T>(table, "a + b, 4.2 M, fresh result", 1.05);
    then_read::<T>(table);
    one_million::<T>(table);
    outer::<T>(table);
    many_axes::<T>(table);
    channels::<T>(table);
}

/// One call that is not inlined, whose result lives in the caller.
fn sixteen<T: Real>(table: &mut Table) {
    #[inline(never)]
    fn tensors<T: Real>(
        a: &Tensor<shape![16], T>,
        b: &Tensor<shape![16], T>,
    ) -> Tensor<shape![16], T> {
        a + b
    }
    #[inline(never)]
    fn arrays<T: Real>(x: &[T; 16], y: &[T; 16]) -> [T; 16] {
        std::array::from_fn(|i| x[i] + y[i])
    }
    let name = "a + b, 16 floats";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![16], T>(), tensor::<shape![16], T>());
    let (x, y) = ([T::ONE; 16], [T::ONE; 16]);
    // The compiler does not know what is called, and nothing else has to be hidden from it.
    let tensors = black_box(tensors as fn(&_, &_) -> _);
    let arrays = black_box(arrays as fn(&_, &_) -> _);
    let ways = vec![way("ours", || tensors(&a, &b)), way("loop", || arrays(&x, &y))];
    table.row::<T>(name, Reach::Nanoseconds(3.0), Work::default(), ways);
}

/// The same with operands that are not at hand: where they are is read from memory first.
fn sixteen_behind_references<T: Real>(table: &mut Table) {
    struct Pair<'a, X> {
        left: &'a X,
        right: &'a X,
    }
    type Sixteen<T> = Tensor<shape![16], T>;
    #[inline(never)]
    fn tensors<T: Real>(pair: &&Pair<'_, Sixteen<T>>) -> Sixteen<T> {
        pair.left + pair.right
    }
    #[inline(never)]
    fn arrays<T: Real>(pair: &&Pair<'_, [T; 16]>) -> [T; 16] {
        std::array::from_fn(|i| pair.left[i] + pair.right[i])
    }
    let name = "a + b, 16 floats behind references";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![16], T>(), tensor::<shape![16], T>());
    let (x, y) = ([T::ONE; 16], [T::ONE; 16]);
    let (ours, plain) = (Pair { left: &a, right: &b }, Pair { left: &x, right: &y });
    let tensors = black_box(tensors as fn(&&Pair<'_, _>) -> _);
    let arrays = black_box(arrays as fn(&&Pair<'_, _>) -> _);
    let ways = vec![
        way("ours", || tensors(black_box(&&ours))),
        way("loop", || arrays(black_box(&&plain))),
    ];
    table.row::<T>(name, Reach::Nanoseconds(4.0), Work::default(), ways);
}

/// `a += &b`, `a -= &b` and `a *= s`, compared with `nalgebra`'s matrices of static sizes and
/// `ndarray`.
fn in_place<S: StaticShape, T: Real, const N: usize>(table: &mut Table, count: &str, reach: Reach) {
    let (mut a, b) = (tensor::<S, T>(), tensor::<S, T>());
    let (mut x, y) = (Box::new([T::ONE; N]), Box::new([T::ONE; N]));
    let (mut v, w) = (SVector::<T, N>::from(*x), SVector::<T, N>::from(*y));
    let (mut p, q) = (Array1::from(x.to_vec()), Array1::from(y.to_vec()));
    let minus_one = T::of(-1.0);
    macro_rules! row {
        ($name:literal, $op:tt, [$b:expr, $w:expr, $q:expr], $loop:expr) => {
            let ways = vec![
                way("ours", || *black_box(&mut a) $op black_box($b)),
                way("loop", || $loop(black_box(&mut x), black_box(&y))),
                way("nalgebra", || *black_box(&mut v) $op black_box($w)),
                way("ndarray", || *black_box(&mut p) $op black_box($q)),
            ];
            let work = Work::moves(Moves::Update, N);
            table.row_if_wanted::<T>(&format!("{}, {count}", $name), reach, work, ways);
        };
    }
    row!("a += &b", +=, [&b, &w, &q], |x: &mut [T; N], y: &[T; N]| {
        x.iter_mut().zip(y).for_each(|(x, y)| *x += *y);
    });
    row!("a -= &b", -=, [&b, &w, &q], |x: &mut [T; N], y: &[T; N]| {
        x.iter_mut().zip(y).for_each(|(x, y)| *x -= *y);
    });
    row!("a *= s", *=, [minus_one, minus_one, minus_one], |x: &mut [T; N], _: &[T; N]| {
        let factor = black_box(minus_one);
        x.iter_mut().for_each(|x| *x *= factor);
    });
}

fn same_shape<S: StaticShape, T: Real>(table: &mut Table, name: &str, reach: f64) {
    if !table.wants(name) {
        return;
    }
    let count = S::VALUE.num_elements();
    let (a, b) = (tensor::<S, T>(), tensor::<S, T>());
    let (x, y) = (numbers::<T>(count), numbers::<T>(count));
    let ways = vec![
        way("ours", || black_box(&a) + black_box(&b)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            x.iter().zip(y).map(|(x, y)| *x + *y).collect::<Vec<T>>()
        }),
    ];
    table.row::<T>(name, Reach::Limit(reach), Work::moves(Moves::Add, count), ways);
}

/// A result that bypasses the caches, and is read by the next operation.
fn then_read<T: Real>(table: &mut Table) {
    let name = "a + b, 4.2 M, then its sum";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![4194304], T>(), tensor::<shape![4194304], T>());
    let (x, y) = (numbers::<T>(a.len()), numbers::<T>(b.len()));
    let ways = vec![
        way("ours", || (black_box(&a) + black_box(&b)).sum()),
        way("ours, sum alone", || black_box(&a).sum()),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            let sums = x.iter().zip(y).map(|(x, y)| *x + *y).collect::<Vec<T>>();
            sums.as_chunks::<16>().0.iter().fold([T::ZERO; 16], |mut total, sums| {
                total.iter_mut().zip(sums).for_each(|(total, sum)| *total += *sum);
                total
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.7), Work::moves(Moves::Add, a.len()), ways);
}

fn one_million<T: Real>(table: &mut Table) {
    const N: usize = 1024;
    let names = ["row, 1 M", "column, 1 M", "scalar, 1 M"];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let row = tensor::<shape![1024], T>();
    let column = tensor::<shape![1024, 1], T>();
    let (x, y) = (numbers::<T>(N * N), numbers::<T>(N));
    let work = Work::moves(Moves::Copy, N * N);
    let mut measure = |name: &str, ways: Vec<Way<'_>>| {
        if table.wants(name) {
            table.row::<T>(name, Reach::Limit(1.05), work, ways);
        }
    };
    let ways = vec![
        way("ours", || black_box(&a) + black_box(&row)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            fresh(x.len(), |out| {
                for x in x.chunks_exact(y.len()) {
                    out.extend(x.iter().zip(y).map(|(x, y)| *x + *y));
                }
            })
        }),
    ];
    measure(names[0], ways);
    let ways = vec![
        way("ours", || black_box(&a) * black_box(&column)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            fresh(x.len(), |out| {
                for (x, y) in x.chunks_exact(N).zip(y) {
                    out.extend(x.iter().map(|x| *x * *y));
                }
            })
        }),
    ];
    measure(names[1], ways);
    let ways = vec![
        way("ours", || black_box(&a) * black_box(&Tensor::<(), T>::scalar(T::of(1.5)))),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(T::of(1.5)));
            x.iter().map(|x| *x * y).collect::<Vec<T>>()
        }),
    ];
    measure(names[2], ways);
}

fn outer<T: Real>(table: &mut Table) {
    let name = "[2048,1] + [2048]";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![2048, 1], T>(), tensor::<shape![2048], T>());
    let (x, y) = (numbers::<T>(2048), numbers::<T>(2048));
    let ways = vec![
        way("ours", || black_box(&a) + black_box(&b)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            fresh(x.len() * y.len(), |out| {
                for x in x {
                    out.extend(y.iter().map(|y| *x + *y));
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.25), Work::moves(Moves::Write, 2048 * 2048), ways);
}

/// `[n,1,m,1] + [k,1,p] → [n,k,m,p]`; the plain loop knows the sizes, too.
fn stretched<L, R, T: Real, const M: usize, const P: usize>(
    table: &mut Table,
    name: &str,
    reach: f64,
) where
    L: StaticShape + BroadcastOf<L, R>,
    R: StaticShape,
    Broadcasted<L, R>: Sized,
{
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<L, T>(), tensor::<R, T>());
    let (x, y) = (numbers::<T>(a.len()), numbers::<T>(b.len()));
    let count = x.len() * y.len();
    let ways = vec![
        way("ours", || black_box(&a) + black_box(&b)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            let mut out = vec![T::ZERO; x.len() * y.len()];
            let mut rows = out.as_chunks_mut::<P>().0.iter_mut();
            for x in x.as_chunks::<M>().0 {
                for y in y.as_chunks::<P>().0 {
                    for (x, out) in x.iter().zip(&mut rows) {
                        out.iter_mut().zip(y).for_each(|(out, y)| *out = *x + *y);
                    }
                }
            }
            out
        }),
    ];
    table.row::<T>(name, Reach::Limit(reach), Work::moves(Moves::Write, count), ways);
}

fn many_axes<T: Real>(table: &mut Table) {
    type Left = shape![8, 1, 6, 1];
    type Right = shape![7, 1, 5];
    stretched::<Left, Right, T, 6, 5>(table, "[8,1,6,1] + [7,1,5]", 4.5);
    type Large = shape![64, 1, 64, 1];
    type Other = shape![64, 1, 64];
    stretched::<Large, Other, T, 64, 64>(table, "[64,1,64,1] + [64,1,64]", 1.3);
}

fn channels<T: Real>(table: &mut Table) {
    let name = "[256,256,3] * [3]";
    if !table.wants(name) {
        return;
    }
    let (a, b) = (tensor::<shape![256, 256, 3], T>(), tensor::<shape![3], T>());
    let (x, y) = (numbers::<T>(256 * 256 * 3), numbers::<T>(3));
    let ways = vec![
        way("ours", || black_box(&a) * black_box(&b)),
        way("loop", || {
            let (x, y) = (black_box(&x), black_box(&y));
            let y = [y[0], y[1], y[2]];
            let mut out = vec![T::ZERO; x.len()];
            for (out, x) in out.as_chunks_mut::<3>().0.iter_mut().zip(x.as_chunks::<3>().0) {
                *out = [x[0] * y[0], x[1] * y[1], x[2] * y[2]];
            }
            out
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.1), Work::moves(Moves::Copy, 256 * 256 * 3), ways);
}
