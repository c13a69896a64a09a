//! Elements at indices, and order. The loop over slices writes into memory that is kept, as that of
//! tensors is; the loops that sort are those of the standard library.

use std::hint::black_box;

use tensor_core::{Tensor, dim, shape};

use crate::additions::{numbers, tensor};
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

pub fn rows<T: Real>(table: &mut Table) {
    takes::<T>(table);
    orders::<T>(table);
}

/// Rows in no order, none of them twice in a row.
fn row(number: usize) -> usize {
    number.wrapping_mul(40_503) % 65_536
}

fn takes<T: Real>(table: &mut Table) {
    const COLUMNS: usize = 256;
    const TAKEN: usize = 16_384;
    let name = "take, 16,384 rows of [65536,256]";
    if !table.wants(name) {
        return;
    }
    let a = tensor::<shape![65536, 256], T>();
    let x = numbers::<T>(65_536 * COLUMNS);
    let indices = Tensor::<shape![16384], i64>::from_fn(|[number]| row(number) as i64);
    let rows: Vec<usize> = (0..TAKEN).map(row).collect();
    let mut taken = vec![T::ZERO; TAKEN * COLUMNS];
    let ways = vec![
        way("ours", || black_box(&a).take::<0, _>(black_box(&indices)).unwrap()),
        way("loop", || {
            let x = black_box(&x);
            for (to, row) in taken.chunks_exact_mut(COLUMNS).zip(black_box(&rows)) {
                to.copy_from_slice(&x[row * COLUMNS..][..COLUMNS]);
            }
            black_box(&mut taken);
        }),
    ];
    let work = Work::moves(Moves::Copy, TAKEN * COLUMNS);
    table.row::<T>(name, Reach::Limit(1.3), work, ways);
}

fn orders<T: Real>(table: &mut Table) {
    const N: usize = 1024;
    let names = [
        "sort, last axis of [1024,1024]",
        "sort, axis 0 of [1024,1024]",
        "argsort, last axis of [1024,1024]",
        "topk 10, last axis of [64,50257]",
    ];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![1024, 1024], T>();
    let x = numbers::<T>(N * N);
    let order = |a: &T, b: &T| a.partial_cmp(b).expect("numbers");
    let work = Work::moves(Moves::Copy, N * N);
    if table.wants(names[0]) {
        let ways = vec![
            way("ours", || black_box(&a).sort::<-1>()),
            way("loop", || {
                let mut x = black_box(&x).clone();
                x.chunks_exact_mut(N).for_each(|row| row.sort_unstable_by(order));
                x
            }),
        ];
        table.row::<T>(names[0], Reach::Limit(150.0), work, ways);
    }
    if table.wants(names[1]) {
        let ways = vec![way("ours", || black_box(&a).sort::<0>())];
        table.row::<T>(names[1], Reach::Limit(160.0), work, ways);
    }
    if table.wants(names[2]) {
        let ways = vec![
            way("ours", || black_box(&a).argsort::<-1>()),
            way("loop", || {
                let rows = black_box(&x).chunks_exact(N);
                let indices = rows.flat_map(|row| {
                    let mut indices: Vec<i64> = (0..N as i64).collect();
                    indices.sort_by(|&a, &b| order(&row[a as usize], &row[b as usize]));
                    indices
                });
                indices.collect::<Vec<i64>>()
            }),
        ];
        table.row::<T>(names[2], Reach::Limit(200.0), work, ways);
    }
    if table.wants(names[3]) {
        let a = tensor::<shape![64, 50257], T>();
        let work = Work::moves(Moves::Read, 64 * 50_257);
        let ways = vec![way("ours", || black_box(&a).topk::<-1, dim!(10)>())];
        table.row::<T>(names[3], Reach::Limit(20.0), work, ways);
    }
}
