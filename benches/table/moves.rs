//! Operations that move elements: slices, batches and transposes.

use std::hint::black_box;

use tensor_core::{axis, shape, slice};

use crate::additions::{fresh, numbers, tensor};
use crate::measure::roofline::{Moves, Real};
use crate::measure::way;
use crate::row::{Reach, Table, Work};

axis!(Batch);

pub fn rows<T: Real>(table: &mut Table) {
    const ROWS: usize = 4096;
    const COLUMNS: usize = 1024;
    let names = [
        "x[:, 1:] of [4096,1024], copied",
        "sum of rows 1024..3072 of [4096,1024]",
        "transpose of [4096,1024], copied",
    ];
    if !names.iter().any(|name| table.wants(name)) {
        return;
    }
    let a = tensor::<shape![4096, 1024], T>();
    let x = numbers::<T>(ROWS * COLUMNS);
    if table.wants(names[0]) {
        let ways = vec![
            way("ours", || black_box(&a).slice(slice![.., 1..]).contiguous()),
            way("loop", || {
                fresh(ROWS * (COLUMNS - 1), |out| {
                    let rows = black_box(&x).chunks_exact(COLUMNS);
                    rows.for_each(|row| out.extend_from_slice(&row[1..]));
                })
            }),
        ];
        let work = Work::moves(Moves::Copy, ROWS * (COLUMNS - 1));
        table.row::<T>(names[0], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[1]) {
        let (start, end) = black_box((1024, 3072));
        let ways = vec![
            way("ours", || black_box(&a).slice(slice![Batch(start..end)]).sum()),
            way("loop", || {
                let rows = &black_box(&x)[start * COLUMNS..end * COLUMNS];
                crate::fused::sum_of(rows, |x| x)
            }),
        ];
        let work = Work::moves(Moves::Read, (3072 - 1024) * COLUMNS);
        table.row::<T>(names[1], Reach::Limit(1.2), work, ways);
    }
    if table.wants(names[2]) {
        let ways = vec![
            way("ours", || black_box(&a).transpose().contiguous()),
            way("loop", || {
                let x = black_box(&x);
                fresh(ROWS * COLUMNS, |out| {
                    for column in 0..COLUMNS {
                        out.extend(x[column..].iter().step_by(COLUMNS).copied());
                    }
                })
            }),
        ];
        table.row::<T>(names[2], Reach::Limit(4.0), Work::moves(Moves::Copy, ROWS * COLUMNS), ways);
    }
}
