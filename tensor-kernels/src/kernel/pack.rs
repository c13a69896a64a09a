//! Packing: copies strided elements to contiguous memory.
//!
//! Nothing here depends on the operation: these loops are compiled once for each element
//! type, in the available instruction set ([`pack_with_best_isa`]), except for
//! [transposes](super::transpose_into), for which every machine uses the same instructions.

use core::mem::MaybeUninit;

use super::isa_fns::{BASELINE_IS_RARE, is_rare, with_avx2};
use super::transpose::transpose_into;
use crate::plan::{CountStride, MATERIALIZE_MAX};

/// The number of elements of a buffer.
pub(super) const BUFFER: usize = MATERIALIZE_MAX;

/// Short rows are written as this many elements. The next row overwrites the excess;
/// after the last row there is [room](pack_strided) for it.
pub(super) const PACK_PADDING: usize = 16;

/// [`with_avx2`] for short vectors: those of small elements are no longer than the vectors of the baseline. `work` is
/// passed whether it is compiled for rare machines, where less code is better than faster code.
#[inline]
fn pack_with_best_isa<T, W: FnOnce(bool)>(work: W) {
    if const { BASELINE_IS_RARE && size_of::<T>() < size_of::<f32>() } {
        work(false)
    } else {
        with_avx2(
            #[inline(always)]
            |isa| work(is_rare(isa)),
        );
    }
}

/// Writes the elements that the steps lead to to the front of `out`: those of `source` from
/// `start` on along `steps`, the innermost first. The [`PACK_PADDING`] slots after them
/// have unspecified contents afterwards.
///
/// # Panics
///
/// When `out` has no room for all of that, or the steps leave the source.
pub(super) fn pack_strided<T: Copy>(
    source: &[T],
    start: isize,
    steps: &[CountStride],
    out: &mut [MaybeUninit<T>],
) {
    let once = (1, 0);
    let four = match *steps {
        [] => [once; 4],
        [a] => [a, once, once, once],
        [a, b] => [a, b, once, once],
        [a, b, c] => [a, b, c, once],
        [a, b, (count, 0), d] if a.0 * b.0 <= SHORT => {
            return pack_and_tile(source, start, [a, b, d], count, out);
        }
        [a, b, c, d] => [a, b, c, d],
        [ref inner @ .., (size, stride)] => {
            let block = inner.iter().map(|&(size, _)| size).product::<usize>();
            let different = if stride == 0 { 1 } else { size };
            for index in 0..different {
                let out = &mut out[index * block..];
                pack_strided(source, start + index as isize * stride, inner, out);
            }
            return repeat(out, block * different, size / different);
        }
    };
    blocks(source, start, four, out);
}

/// Calls `$repeat` for a block that fits in one to four vectors.
macro_rules! in_few_vectors {
    ($T:ident, $block:expr, $repeat:ident($($argument:expr),*)) => {
        match $block {
            ..=8 => $repeat::<$T, 8, 1>($($argument),*),
            9..=16 => $repeat::<$T, 8, 2>($($argument),*),
            17..=24 => $repeat::<$T, 8, 3>($($argument),*),
            25..=32 => $repeat::<$T, 8, 4>($($argument),*),
            33..=48 => $repeat::<$T, PACK_PADDING, 3>($($argument),*),
            _ => $repeat::<$T, PACK_PADDING, 4>($($argument),*),
        }
    };
}

/// The longest block of four vectors.
const SHORT: usize = 4 * PACK_PADDING;

/// Repeats the first `block` elements of `out` until they are there `count` times.
#[inline(always)]
fn repeat<T: Copy>(out: &mut [MaybeUninit<T>], block: usize, count: usize) {
    /// A separate function: it is generated for each number of vectors, and called by each function
    /// that writes a plane.
    #[inline(never)]
    fn repeat_outlined<T: Copy>(out: &mut [MaybeUninit<T>], block: usize, count: usize) {
        if block > SHORT {
            return repeat_long(out, block, count);
        }
        pack_with_best_isa::<T, _>(
            #[inline(always)]
            |is_rare| {
                if is_rare {
                    return repeat_long(out, block, count);
                }
                in_few_vectors!(T, block, repeat_behind(out, block, count))
            },
        );
    }
    if count > 1 {
        repeat_outlined(out, block, count);
    }
}

/// [`repeat`] for any block.
fn repeat_long<T: Copy>(out: &mut [MaybeUninit<T>], block: usize, count: usize) {
    for index in 1..count {
        out.copy_within(..block, index * block);
    }
}

/// [`repeat`] for a block of at most `N` vectors of `W` elements.
#[inline(always)]
fn repeat_behind<T: Copy, const W: usize, const N: usize>(
    out: &mut [MaybeUninit<T>],
    block: usize,
    count: usize,
) {
    let vectors = first_vectors::<T, W, N>(out);
    write_again::<T, W, N>(vectors, block, count - 1, &mut out[block..]);
}

/// Writes a block of `from` to the front of `out`, `count` times.
#[inline(always)]
fn repeat_from<T: Copy, const W: usize, const N: usize>(
    from: &[MaybeUninit<T>],
    block: usize,
    count: usize,
    out: &mut [MaybeUninit<T>],
) {
    write_again::<T, W, N>(first_vectors::<T, W, N>(from), block, count, out);
}

/// The elements of a vector.
type Vector<T, const W: usize> = [MaybeUninit<T>; W];

/// Four vectors. An array would be copied and then read at once, which is slow.
type Vectors<T, const W: usize> = (Vector<T, W>, Vector<T, W>, Vector<T, W>, Vector<T, W>);

/// The first `N` vectors; the last of them is also used for those after it.
#[inline(always)]
fn first_vectors<T: Copy, const W: usize, const N: usize>(
    from: &[MaybeUninit<T>],
) -> Vectors<T, W> {
    let (vectors, _) = from[..N * W].as_chunks::<W>();
    let vector = |index: usize| vectors[index.min(N - 1)];
    (vector(0), vector(1), vector(2), vector(3))
}

/// Writes the first `N` vectors `count` times, `block` elements apart.
#[inline(always)]
fn write_again<T: Copy, const W: usize, const N: usize>(
    (a, b, c, d): Vectors<T, W>,
    block: usize,
    count: usize,
    out: &mut [MaybeUninit<T>],
) {
    for index in 0..count {
        let (slots, _) = out[index * block..][..N * W].as_chunks_mut::<W>();
        slots[0] = a;
        if N > 1 {
            slots[1] = b;
        }
        if N > 2 {
            slots[2] = c;
        }
        if N > 3 {
            slots[3] = d;
        }
    }
}

/// Packs blocks of rows of columns, each block `count` times. They are gathered first, and then repeated:
/// reading memory that was just written in pieces of another size is slow.
#[inline(never)]
fn pack_and_tile<T: Copy>(
    source: &[T],
    start: isize,
    [columns, rows, blocks]: [CountStride; 3],
    count: usize,
    out: &mut [MaybeUninit<T>],
) {
    // A buffer holds each block at least twice.
    let mut all = [const { MaybeUninit::uninit() }; BUFFER / 2 + PACK_PADDING];
    let once = (1, 0);
    let steps = if rows.1 * rows.0 as isize == blocks.1 {
        [columns, (rows.0 * blocks.0, rows.1), once, once]
    } else {
        [columns, rows, blocks, once]
    };
    self::blocks(source, start, steps, &mut all);
    let block = columns.0 * rows.0;
    pack_with_best_isa::<T, _>(
        #[inline(always)]
        |is_rare| {
            for index in 0..blocks.0 {
                let from = &all[index * block..];
                let out = &mut out[index * block * count..];
                if is_rare {
                    out[..block].copy_from_slice(&from[..block]);
                    repeat_long(out, block, count);
                    continue;
                }
                in_few_vectors!(T, block, repeat_from(from, block, count, out));
            }
        },
    );
}

/// [`pack_strided`] for four steps, the innermost first. Each function that writes a plane is separate, so
/// that its loop can use all registers.
///
/// # Panics
///
/// The same.
pub(super) fn blocks<T: Copy>(
    source: &[T],
    start: isize,
    steps: [CountStride; 4],
    out: &mut [MaybeUninit<T>],
) {
    let [(columns, step), (rows, row_step), (planes, plane_step), (blocks, block_step)] = steps;
    let plane = rows * columns;
    let block = plane * planes;
    assert!(out.len() >= block * blocks + PACK_PADDING, "room for all elements, and some more");
    let different = |size, step| if step == 0 { 1 } else { size };
    let (different_planes, different_blocks) =
        (different(planes, plane_step), different(blocks, block_step));
    let rows = (rows, row_step);
    macro_rules! write_planes {
        ($write:expr) => {
            pack_with_best_isa::<T, _>(
                #[inline(always)]
                |is_rare| {
                    if is_rare {
                        return one_by_one(source, start, steps, out);
                    }
                    for index in 0..different_blocks {
                        let start = start + index as isize * block_step;
                        let out = &mut out[index * block..];
                        for index in 0..different_planes {
                            let start = start + index as isize * plane_step;
                            $write(source, start, rows, &mut out[index * plane..]);
                        }
                        repeat(out, plane * different_planes, planes / different_planes);
                    }
                    repeat(out, block * different_blocks, blocks / different_blocks);
                },
            )
        };
    }
    match (step, row_step, columns) {
        (1, 0, ..=8) if blocks == 1 && plane_step != 0 => pack_with_best_isa::<T, _>(
            #[inline(always)]
            |is_rare| {
                if is_rare {
                    return one_by_one(source, start, steps, out);
                }
                let sizes = [columns, rows.0];
                pack_repeated_rows::<T, 8>(source, start, sizes, (planes, plane_step), out)
            },
        ),
        (0, 1, 2) => write_planes!(pack_repeated_elements::<T, 2>),
        (0, 1, 3) => write_planes!(pack_repeated_elements::<T, 3>),
        (0, 1, 4) => write_planes!(pack_repeated_elements::<T, 4>),
        (0, _, ..=8) => write_planes!(pack_splat_rows::<T, 8>(columns)),
        (0, ..) => write_planes!(pack_splat_rows::<T, PACK_PADDING>(columns)),
        (1, 0, ..=8) => write_planes!(pack_repeated_row::<T, 8>(columns)),
        (1, 0, _) => write_planes!(pack_repeated_row::<T, PACK_PADDING>(columns)),
        (1, _, ..=8) => write_planes!(pack_contiguous_rows::<T, 8>(columns)),
        (1, ..) => write_planes!(pack_contiguous_rows::<T, PACK_PADDING>(columns)),
        (2.., 1, _) => write_planes!(pack_transposed_rows(columns, step as usize)),
        _ => write_planes!(pack_strided_rows((columns, step))),
    }
}

/// [`blocks`] in one loop.
#[inline(never)]
fn one_by_one<T: Copy>(
    source: &[T],
    start: isize,
    [columns, rows, planes, blocks]: [CountStride; 4],
    out: &mut [MaybeUninit<T>],
) {
    for (index, slot) in out[..blocks.0 * planes.0 * rows.0 * columns.0].iter_mut().enumerate() {
        let (mut at, mut rest) = (start, index);
        for (size, stride) in [columns, rows, planes, blocks] {
            at += (rest % size) as isize * stride;
            rest /= size;
        }
        slot.write(source[at as usize]);
    }
}

/// Packs rows that repeat one element `N` times.
#[inline(always)]
fn pack_repeated_elements<T: Copy, const N: usize>(
    source: &[T],
    start: isize,
    (rows, _): CountStride,
    out: &mut [MaybeUninit<T>],
) {
    let elements = &source[start as usize..][..rows];
    let (slots, _) = out.as_chunks_mut::<N>();
    for (slots, &element) in slots.iter_mut().zip(elements) {
        *slots = [MaybeUninit::new(element); N];
    }
}

/// Writes `rows` short rows, `columns` apart, each `W` elements wide: the elements that `row` returns.
///
/// # Panics
///
/// When `out` has no room for that.
#[inline(always)]
fn write_rows<T: Copy, const W: usize>(
    rows: usize,
    columns: usize,
    out: &mut [MaybeUninit<T>],
    mut row: impl FnMut(usize) -> Vector<T, W>,
) {
    assert!(columns <= W && out.len() >= rows * columns + W, "room for all rows, and some more");
    let first = out.as_mut_ptr();
    for index in 0..rows {
        // SAFETY: `index * columns + W` elements are in `out`, by the assertion above. A check for
        // every row would take as long as writing it (benchmark `table`, row `[8,1,6,1] + [7,1,5]`).
        unsafe { *first.add(index * columns).cast::<Vector<T, W>>() = row(index) }
    }
}

/// Packs rows that repeat one element, in vectors of `W`.
#[inline(always)]
fn pack_splat_rows<T: Copy, const W: usize>(
    columns: usize,
) -> impl Fn(&[T], isize, CountStride, &mut [MaybeUninit<T>]) {
    #[inline(always)]
    move |source, start, (rows, stride), out| {
        let at = |row: usize| source[(start + row as isize * stride) as usize];
        if columns <= W {
            if stride == 1 {
                let elements = &source[start as usize..][..rows];
                return write_rows(rows, columns, out, |row| [MaybeUninit::new(elements[row]); W]);
            }
            return write_rows(rows, columns, out, |row| [MaybeUninit::new(at(row)); W]);
        }
        for row in 0..rows {
            let slots = &mut out[row * columns..][..columns + PACK_PADDING];
            slots.as_chunks_mut().0[..columns.div_ceil(W)].fill([MaybeUninit::new(at(row)); W]);
        }
    }
}

/// Packs one row, repeated for all rows.
#[inline(always)]
fn pack_repeated_row<T: Copy, const W: usize>(
    columns: usize,
) -> impl Fn(&[T], isize, CountStride, &mut [MaybeUninit<T>]) {
    #[inline(always)]
    move |source, start, (rows, _), out| {
        if columns > W {
            out[..columns].write_copy_of_slice(&source[start as usize..][..columns]);
            return repeat(out, columns, rows);
        }
        let elements = wide::<T, W>(source, start, columns);
        write_rows(rows, columns, out, |_| elements);
    }
}

/// Packs short rows, each repeated several times; in one loop, because there are few repetitions.
#[inline(always)]
fn pack_repeated_rows<T: Copy, const W: usize>(
    source: &[T],
    start: isize,
    [columns, rows]: [usize; 2],
    (planes, plane_step): CountStride,
    out: &mut [MaybeUninit<T>],
) {
    let (mut next, mut left) = (start, 0);
    let mut elements = [MaybeUninit::uninit(); W];
    write_rows(rows * planes, columns, out, |_| {
        if left == 0 {
            elements = wide::<T, W>(source, next, columns);
            next += plane_step;
            left = rows;
        }
        left -= 1;
        elements
    });
}

/// Packs contiguous rows.
#[inline(always)]
fn pack_contiguous_rows<T: Copy, const W: usize>(
    columns: usize,
) -> impl Fn(&[T], isize, CountStride, &mut [MaybeUninit<T>]) {
    #[inline(always)]
    move |source, start, (rows, stride), out| {
        let mut rest = out;
        let mut at = start;
        for _ in 0..rows {
            if columns > W {
                rest[..columns].write_copy_of_slice(&source[at as usize..][..columns]);
            } else {
                *rest.first_chunk_mut().expect("room behind") = wide::<T, W>(source, at, columns);
            }
            at += stride;
            rest = &mut rest[columns..];
        }
    }
}

/// Packs strided rows.
#[inline(always)]
fn pack_strided_rows<T: Copy>(
    (columns, step): CountStride,
) -> impl Fn(&[T], isize, CountStride, &mut [MaybeUninit<T>]) {
    #[inline(always)]
    move |source, start, (rows, stride), out| {
        for row in 0..rows {
            let start = start + row as isize * stride;
            let out = &mut out[row * columns..][..columns];
            if step > 0 {
                let elements = source[start as usize..].iter().step_by(step as usize);
                let pairs = out.iter_mut().zip(elements);
                let written = pairs.map(|(slot, &element)| slot.write(element));
                assert_eq!(written.count(), columns, "the steps stay within the source");
            } else {
                for (column, slot) in out.iter_mut().enumerate() {
                    slot.write(source[(start + column as isize * step) as usize]);
                }
            }
        }
    }
}

/// The elements of a short row of the source, followed by arbitrary elements up to `W`.
#[inline(always)]
fn wide<T: Copy, const W: usize>(source: &[T], start: isize, columns: usize) -> Vector<T, W> {
    let row = &source[start as usize..];
    match row.first_chunk() {
        Some(elements) => elements.map(MaybeUninit::new),
        // At the end of the source there are no elements after the row.
        None => {
            let mut elements = [MaybeUninit::uninit(); W];
            elements[..columns].write_copy_of_slice(&row[..columns]);
            elements
        }
    }
}

/// Packs rows whose columns are contiguous, `step` elements apart.
#[inline(always)]
fn pack_transposed_rows<T: Copy>(
    columns: usize,
    step: usize,
) -> impl Fn(&[T], isize, CountStride, &mut [MaybeUninit<T>]) {
    move |source, start, (rows, _), out| {
        transpose_into(&source[start as usize..], step, [rows, columns], out);
    }
}
