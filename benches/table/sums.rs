//! Sums, and functions of every element.

use std::hint::black_box;

use tensor_core::shape;

use crate::additions::{numbers, tensor};
use crate::fused::sum_of;
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    sums::<T>(table);
    statistics::<T>(table);
    functions::<T>(table);
}

fn sums<T: Real>(table: &mut Table) {
    const N: usize = 4096;
    let names = ["sum of 16.7 M", "sum, axis 0 of [4096,4096]", "sum, axis 1 of [4096,4096]"];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![4096, 4096], T>();
    let x = numbers::<T>(N * N);
    let work = Work::moves(Moves::Read, N * N);
    if table.wants(names[0]) {
        let ways =
            vec![way("ours", || black_box(&a).sum()), way("loop", || sum_of(black_box(&x), |x| x))];
        table.row::<T>(names[0], Reach::Limit(1.1), work, ways);
    }
    if table.wants(names[1]) {
        let ways = vec![
            way("ours", || black_box(&a).sum_axis::<0>()),
            way("loop", || {
                let mut sums = vec![T::ZERO; N];
                for x in black_box(&x).chunks_exact(N) {
                    sums.iter_mut().zip(x).for_each(|(sum, x)| *sum += *x);
                }
                sums
            }),
        ];
        table.row::<T>(names[1], Reach::Limit(1.3), work, ways);
    }
    if table.wants(names[2]) {
        let ways = vec![
            way("ours", || black_box(&a).sum_axis::<1>()),
            way("loop", || {
                let rows = black_box(&x).chunks_exact(N);
                rows.map(|x| sum_of(x, |x| x)).collect::<Vec<T>>()
            }),
        ];
        table.row::<T>(names[2], Reach::Limit(1.1), work, ways);
    }
}

/// Means and variances of rows that are in the L3 cache.
fn statistics<T: Real>(table: &mut Table) {
    const N: usize = 1024;
    let names = ["mean, axis 1 of [1024,1024]", "variance, axis 1 of [1024,1024]"];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let x = numbers::<T>(N * N);
    let (work, count) = (Work::moves(Moves::Read, N * N), T::of(N as f64));
    let mean = |x: &[T]| sum_of(x, |x| x) / count;
    let ways = vec![
        way("ours", || black_box(&a).mean_axis::<1>()),
        way("loop", || black_box(&x).chunks_exact(N).map(mean).collect::<Vec<T>>()),
    ];
    table.row_if_wanted::<T>(names[0], Reach::Limit(1.8), work, ways);
    let variance = |x: &[T]| {
        let mean = mean(x);
        sum_of(x, |x| (x - mean) * (x - mean)) / count
    };
    let ways = vec![
        way("ours", || black_box(&a).var_axis::<1>()),
        way("loop", || black_box(&x).chunks_exact(N).map(variance).collect::<Vec<T>>()),
    ];
    table.row_if_wanted::<T>(names[1], Reach::Limit(1.8), work, ways);
}

fn functions<T: Real>(table: &mut Table) {
    const N: usize = 1 << 20;
    let names = ["exp, 1 M", "tanh, 1 M"];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![1048576], T>();
    let x = numbers::<T>(N);
    let work = Work::moves(Moves::Copy, N);
    if table.wants(names[0]) {
        let ways = vec![
            way("ours", || black_box(&a).exp()),
            way("loop", || black_box(&x).iter().map(|x| x.std_exp()).collect::<Vec<T>>()),
        ];
        table.row::<T>(names[0], Reach::Limit(1.65), work.each(16), ways);
    }
    if table.wants(names[1]) {
        let ways = vec![
            way("ours", || black_box(&a).tanh()),
            way("loop", || black_box(&x).iter().map(|x| x.std_tanh()).collect::<Vec<T>>()),
        ];
        table.row::<T>(names[1], Reach::Limit(1.75), work.each(20), ways);
    }
}
