//! Joins, padding and copies of the same elements: how near to a copy they are. The loops over slices
//! write into memory that is kept, as that of tensors is.

use std::hint::black_box;

use tensor_core::{Padding, Tensor, shape};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    concats::<T>(table);
    pads::<T>(table);
    tiles::<T>(table);
}

fn concats<T: Real>(table: &mut Table) {
    const N: usize = 2048;
    let names = [
        "concat, axis 0 of 2 [2048,2048]",
        "concat, axis 1 of 2 [2048,2048]",
        "stack, axis 2 of 2 [2048,2048]",
    ];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let (a, b) = (tensor::<shape![2048, 2048], T>(), tensor::<shape![2048, 2048], T>());
    let (x, y) = (numbers::<T>(N * N), numbers::<T>(N * N));
    let mut both = vec![T::ZERO; 2 * N * N];
    let work = Work::moves(Moves::Copy, 2 * N * N);
    if table.wants(names[0]) {
        let ways = vec![
            way("ours", || black_box(&a).concat::<0, _>(black_box(&b))),
            way("loop", || {
                let (front, back) = both.split_at_mut(N * N);
                front.copy_from_slice(black_box(&x));
                back.copy_from_slice(black_box(&y));
                black_box(&mut both);
            }),
        ];
        table.row::<T>(names[0], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[1]) {
        let ways = vec![
            way("ours", || black_box(&a).concat::<1, _>(black_box(&b))),
            way("loop", || {
                let rows = black_box(&x).chunks_exact(N).zip(black_box(&y).chunks_exact(N));
                for (both, (x, y)) in both.chunks_exact_mut(2 * N).zip(rows) {
                    both[..N].copy_from_slice(x);
                    both[N..].copy_from_slice(y);
                }
                black_box(&mut both);
            }),
        ];
        table.row::<T>(names[1], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[2]) {
        let ways = vec![
            way("ours", || Tensor::stack::<2, _>([black_box(&a), black_box(&b)])),
            way("loop", || {
                let pairs = black_box(&x).iter().zip(black_box(&y));
                for (both, (x, y)) in both.chunks_exact_mut(2).zip(pairs) {
                    both.copy_from_slice(&[*x, *y]);
                }
                black_box(&mut both);
            }),
        ];
        table.row::<T>(names[2], Reach::Limit(1.2), work, ways);
    }
}

fn pads<T: Real>(table: &mut Table) {
    const IMAGES: usize = 32 * 16;
    const N: usize = 28;
    const M: usize = N + 4;
    let names = ["pad 2 of [32,16,28,28]", "pad 2 of [32,16,28,28], reflect"];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![32, 16, 28, 28], T>();
    let x = numbers::<T>(IMAGES * N * N);
    let mut padded = vec![T::ZERO; IMAGES * M * M];
    let work = Work::moves(Moves::Copy, IMAGES * M * M);
    let modes = [Padding::Constant(T::ZERO), Padding::Reflect];
    for (name, padding) in names.into_iter().zip(modes) {
        if !table.wants(name) {
            continue;
        }
        let ways = vec![
            way("ours", || black_box(&a).pad::<shape![2, 2], shape![2, 2]>(black_box(padding))),
            way("loop of 0", || {
                padded.fill(T::ZERO);
                let images = black_box(&x).chunks_exact(N * N);
                for (image, out) in images.zip(padded.chunks_exact_mut(M * M)) {
                    let rows = out.chunks_exact_mut(M).skip(2);
                    for (row, out) in image.chunks_exact(N).zip(rows) {
                        out[2..2 + N].copy_from_slice(row);
                    }
                }
                black_box(&mut padded);
            }),
        ];
        table.row::<T>(name, Reach::Limit(2.0), work, ways);
    }
}

fn tiles<T: Real>(table: &mut Table) {
    const N: usize = 1024;
    let names = [
        "tile 2,2 of [1024,1024]",
        "repeat 4, axis 1 of [1024,1024]",
        "roll 1, axis 1 of [2048,2048]",
    ];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let x = numbers::<T>(N * N);
    let mut result = vec![T::ZERO; 4 * N * N];
    let work = Work::moves(Moves::Copy, 4 * N * N);
    if table.wants(names[0]) {
        let ways = vec![
            way("ours", || black_box(&a).tile::<shape![2, 2]>()),
            way("loop", || {
                for half in result.chunks_exact_mut(2 * N * N) {
                    for (out, row) in
                        half.chunks_exact_mut(2 * N).zip(black_box(&x).chunks_exact(N))
                    {
                        out[..N].copy_from_slice(row);
                        out[N..].copy_from_slice(row);
                    }
                }
                black_box(&mut result);
            }),
        ];
        table.row::<T>(names[0], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[1]) {
        let ways = vec![
            way("ours", || black_box(&a).repeat::<1, 4>()),
            way("loop", || {
                for (out, x) in result.chunks_exact_mut(4).zip(black_box(&x)) {
                    out.fill(*x);
                }
                black_box(&mut result);
            }),
        ];
        table.row::<T>(names[1], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[2]) {
        let a = tensor::<shape![2048, 2048], T>();
        let x = numbers::<T>(4 * N * N);
        let ways = vec![
            way("ours", || black_box(&a).roll::<1>(1)),
            way("loop", || {
                let rows = black_box(&x).chunks_exact(2 * N);
                for (out, row) in result.chunks_exact_mut(2 * N).zip(rows) {
                    out[0] = row[2 * N - 1];
                    out[1..].copy_from_slice(&row[..2 * N - 1]);
                }
                black_box(&mut result);
            }),
        ];
        table.row::<T>(names[2], Reach::Limit(1.2), work, ways);
    }
}
