//! Work that is several operations, and makes as few passes as the arithmetic allows.

use std::hint::black_box;

use tensor_core::{Tensor, fuse, select, shape};
use tensor_nn::layers::{LayerNorm, RmsNorm};

use crate::additions::{fresh, numbers, tensor};
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

const N: usize = 1024;

pub fn rows<T: Real>(table: &mut Table) {
    gelu::<T>(table);
    standardized::<T>(table);
    softmax::<T>(table);
    layer_norm::<T>(table);
    rms_norm::<T>(table);
    masked::<T>(table);
}

fn gelu<T: Real>(table: &mut Table) {
    let name = "gelu(x * w + b), [1024,1024]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let (v, c) = (tensor::<shape![1024], T>(), tensor::<shape![1024], T>());
    let (x, w, b) = (numbers::<T>(N * N), numbers::<T>(N), numbers::<T>(N));
    let gelu = |x: T| {
        let inner = T::of(0.797_884_560_802_865_4) * (x + T::of(0.044_715) * x * x * x);
        T::of(0.5) * x * (T::ONE + inner.std_tanh())
    };
    let ways = vec![
        way("ours", || {
            let (x, w, b) = (black_box(&a), black_box(&v), black_box(&c));
            fuse!((x * w + b).gelu_tanh())
        }),
        way("loop", || {
            let (x, w, b) = (black_box(&x), black_box(&w), black_box(&b));
            fresh(x.len(), |out| {
                for x in x.chunks_exact(N) {
                    out.extend(x.iter().zip(w.iter().zip(b)).map(|(x, (w, b))| gelu(*x * *w + *b)));
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.8), Work::moves(Moves::Copy, N * N).each(30), ways);
}

fn standardized<T: Real>(table: &mut Table) {
    const COLUMNS: usize = 512;
    let name = "(x - mean) / std, axis 0 of [4096,512]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![4096, 512], T>();
    let x = numbers::<T>(4096 * COLUMNS);
    let ways = vec![
        way("ours", || black_box(&a).standardize::<0>()),
        way("loop", || {
            let x = black_box(&x);
            let rows = T::of((x.len() / COLUMNS) as f64);
            let mut means = [T::ZERO; COLUMNS];
            for x in x.chunks_exact(COLUMNS) {
                means.iter_mut().zip(x).for_each(|(mean, x)| *mean += *x);
            }
            means.iter_mut().for_each(|mean| *mean = *mean / rows);
            let mut scales = [T::ZERO; COLUMNS];
            for x in x.chunks_exact(COLUMNS) {
                for (scale, (x, mean)) in scales.iter_mut().zip(x.iter().zip(&means)) {
                    *scale += (*x - *mean) * (*x - *mean);
                }
            }
            scales.iter_mut().for_each(|scale| *scale = T::ONE / (*scale / rows).std_sqrt());
            fresh(x.len(), |out| {
                for x in x.chunks_exact(COLUMNS) {
                    let x = x.iter().zip(means.iter().zip(&scales));
                    out.extend(x.map(|(x, (mean, scale))| (*x - *mean) * *scale));
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(2.3), Work::moves(Moves::Copy, 4096 * COLUMNS), ways);
}

/// The sum of `f(x)`, in sixteen sums side by side, as a loop needs that becomes vectors.
pub fn sum_of<T: Real>(x: &[T], f: impl Fn(T) -> T) -> T {
    let mut sums = [T::ZERO; 16];
    let (whole, rest) = x.as_chunks::<16>();
    for x in whole {
        sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += f(*x));
    }
    rest.iter().for_each(|x| sums[0] += f(*x));
    sums.into_iter().fold(T::ZERO, |sum, x| sum + x)
}

fn softmax<T: Real>(table: &mut Table) {
    let name = "softmax, last axis of [1024,1024]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let x = numbers::<T>(N * N);
    let ways = vec![
        way("ours", || black_box(&a).softmax::<-1>()),
        way("loop", || {
            let x = black_box(&x);
            fresh(x.len(), |out| {
                for x in x.chunks_exact(N) {
                    let largest = x.iter().fold(x[0], |a, b| if *b > a { *b } else { a });
                    let start = out.len();
                    out.extend(x.iter().map(|x| (*x - largest).std_exp()));
                    let scale = T::ONE / sum_of(&out[start..], |x| x);
                    out[start..].iter_mut().for_each(|x| *x *= scale);
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(2.2), Work::moves(Moves::Copy, N * N).each(16), ways);
}

fn layer_norm<T: Real>(table: &mut Table) {
    const EPSILON: f64 = 1e-5;
    let name = "layer normalisation, last axis of [1024,1024]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let (weight, bias) = (tensor::<shape![1024], T>(), tensor::<shape![1024], T>());
    let layer = LayerNorm { weight, bias, epsilon: EPSILON };
    let (x, w, b) = (numbers::<T>(N * N), numbers::<T>(N), numbers::<T>(N));
    let ways = vec![
        way("ours", || black_box(&layer).forward(black_box(&a))),
        way("loop", || {
            let (x, w, b) = (black_box(&x), black_box(&w), black_box(&b));
            let count = T::of(N as f64);
            fresh(x.len(), |out| {
                for x in x.chunks_exact(N) {
                    let mean = sum_of(x, |x| x) / count;
                    let variance = sum_of(x, |x| (x - mean) * (x - mean)) / count;
                    let scale = T::ONE / (variance + T::of(EPSILON)).std_sqrt();
                    let x = x.iter().zip(w.iter().zip(b));
                    out.extend(x.map(|(x, (w, b))| (*x - mean) * scale * *w + *b));
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.8), Work::moves(Moves::Copy, N * N), ways);
}

fn rms_norm<T: Real>(table: &mut Table) {
    const EPSILON: f64 = 1e-6;
    let name = "RMS normalisation, last axis of [1024,1024]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let layer = RmsNorm { weight: tensor::<shape![1024], T>(), epsilon: EPSILON };
    let (x, w) = (numbers::<T>(N * N), numbers::<T>(N));
    let ways = vec![
        way("ours", || black_box(&layer).forward(black_box(&a))),
        way("loop", || {
            let (x, w) = (black_box(&x), black_box(&w));
            let count = T::of(N as f64);
            fresh(x.len(), |out| {
                for x in x.chunks_exact(N) {
                    let scale = T::ONE / (sum_of(x, |x| x * x) / count + T::of(EPSILON)).std_sqrt();
                    out.extend(x.iter().zip(w).map(|(x, w)| *x * scale * *w));
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.8), Work::moves(Moves::Copy, N * N), ways);
}

fn masked<T: Real>(table: &mut Table) {
    let name = "select(mask[512,1,32], x[512,512,32], 0)";
    if !table.wants(name) {
        return;
    }
    let keep: Vec<bool> = (0..512 * 32).map(|i| i % 3 == 0).collect();
    let x = numbers::<T>(512 * 512 * 32);
    let mask = Tensor::<shape![512, 1, 32], bool>::from_vec(keep.clone()).expect("as many");
    let a = tensor::<shape![512, 512, 32], T>();
    let zero = Tensor::<(), T>::scalar(T::ZERO);
    let ways = vec![
        way("ours", || select(black_box(&mask), black_box(&a), black_box(&zero))),
        way("loop", || {
            let (keep, x) = (black_box(&keep), black_box(&x));
            fresh(x.len(), |out| {
                for (keep, x) in keep.chunks_exact(32).zip(x.chunks_exact(512 * 32)) {
                    for x in x.chunks_exact(32) {
                        let pairs = keep.iter().zip(x);
                        out.extend(pairs.map(|(&keep, &x)| if keep { x } else { T::ZERO }));
                    }
                }
            })
        }),
    ];
    table.row::<T>(name, Reach::Limit(1.5), Work::moves(Moves::Copy, 512 * 512 * 32), ways);
}
