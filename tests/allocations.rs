//! Allocations of operations: the result and nothing else, whatever stretches; none where the memory of
//! an operand is reused or the result is inline.
//!
//! Allocations of the test's thread are counted; the harness has its own threads. The memory cache is
//! off; no tensor exceeds 128 KiB, because larger ones do not come from the allocator.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;

use tensor_core::{Tensor, axes, axis, memory, select, shape, tensor, zip_with3, zip_with4};

struct Counting;

thread_local! {
    static ALLOCATED: Cell<(usize, usize)> = const { Cell::new((0, 0)) };
}

// SAFETY: every call goes to the system's allocator as it is; the counter allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // `try_with`, because threads free memory after their counters are gone.
        let _ = ALLOCATED.try_with(|counter| {
            let (blocks, bytes) = counter.get();
            counter.set((blocks + 1, bytes + layout.size()));
        });
        // SAFETY: the caller's promise is passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the caller's promise is passed on.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The blocks and the bytes that `work` takes.
fn taken<T>(work: impl FnOnce() -> T) -> (usize, usize) {
    memory::set_cache_limit(0);
    let before = ALLOCATED.get();
    black_box(work());
    let after = ALLOCATED.get();
    (after.0 - before.0, after.1 - before.1)
}

/// Asserts that `work` takes one block for `floats` floats, up to a header and a page, which it is in
/// front of large ones.
#[track_caller]
fn takes_only<T>(floats: usize, work: impl FnOnce() -> T) {
    let (blocks, bytes) = taken(work);
    assert_eq!(blocks, 1, "blocks");
    let front = if floats < 8192 { 64 } else { 4096 };
    assert!((4 * floats..=4 * floats + front).contains(&bytes), "{bytes} bytes, {floats} floats");
}

#[track_caller]
fn takes_nothing<T>(work: impl FnOnce() -> T) {
    assert_eq!(taken(work), (0, 0));
}

axis!(Batch);

#[test]
fn broadcast_operands_are_never_copied_out() {
    let matrix = Tensor::<shape![256, 128]>::ones();
    let (row, column) = (Tensor::<shape![128]>::ones(), Tensor::<shape![256, 1]>::ones());
    let batch = Tensor::<shape![Batch, 128]>::ones_shaped(shape![Batch(256), 128]);
    let result = 256 * 128;
    takes_only(result, || &matrix + &row);
    takes_only(result, || &matrix * &column);
    takes_only(result, || &column - &row);
    takes_only(result, || &row / &column);
    takes_only(result, || &matrix + 1.0);
    takes_only(result, || 1.0 - &matrix);
    takes_only(result, || &batch + &row);
    takes_only(result, || zip_with3(&matrix, &row, &column, |m, r, c| m * r + c));
    takes_only(result, || zip_with4(&row, &column, &matrix, &row, |a, b, c, d| a + b + c + d));
    let (mask, zero) = (column.greater(0.5), Tensor::scalar(0.0));
    takes_only(result, || select(&mask, &matrix, &zero));

    let image = Tensor::<shape![64, 64, 3]>::ones();
    takes_only(64 * 64 * 3, || &image * &tensor![1.0, 2.0, 3.0]);
    let (left, right) =
        (Tensor::<shape![8, 1, 16, 1]>::ones(), Tensor::<shape![16, 1, 16]>::ones());
    takes_only(8 * 16 * 16 * 16, || &left + &right);
}

#[test]
fn views_are_read_where_they_are() {
    let matrix = Tensor::<shape![128, 128]>::ones();
    let expanded = Tensor::<shape![128, 1]>::ones().expand::<shape![128, 128]>();
    takes_only(128 * 128, || zip_with3(&matrix, &expanded, &expanded, |a, b, c| a + b + c));
}

/// A transposed operand is transposed in blocks of 256 × 256.
#[test]
fn a_transposed_operand_takes_a_square() {
    let matrix = Tensor::<shape![1024, 1024]>::ones();
    let transposed = matrix.transpose();
    // The result, 4 MiB, does not come from the allocator.
    let (blocks, bytes) = taken(|| zip_with3(&matrix, &transposed, &matrix, |a, b, c| a + b + c));
    assert!(blocks <= 1 && bytes <= 4 * 257 * 257, "{blocks} blocks, {bytes} bytes");
}

#[test]
fn views_copy_nothing() {
    let x = Tensor::<shape![32, 1, 64]>::ones();
    // A view keeps its strides in one small block at most.
    let small = |(blocks, bytes): (usize, usize)| assert!(blocks <= 1 && bytes <= 128, "{bytes}");
    small(taken(|| x.transpose()));
    small(taken(|| x.permute::<axes![2, 0, 1]>()));
    small(taken(|| x.expand::<shape![32, 100, 64]>()));
    small(taken(|| x.squeeze::<1>()));
    small(taken(|| x.unsqueeze::<0>()));
    small(taken(|| x.clone()));
    let matrix = x.squeeze::<1>();
    small(taken(|| matrix.reshape::<shape![64, 32]>()));
    small(taken(|| matrix.flatten()));
}

#[test]
fn an_owned_operand_gives_its_memory() {
    let matrix = || Tensor::<shape![100, 100]>::ones();
    let row = Tensor::<shape![100]>::ones();
    let (a, b, c, d) = (matrix(), matrix(), matrix(), matrix());
    takes_nothing(|| a + &row);
    takes_nothing(|| &row - b);
    takes_nothing(|| c * 2.0);
    takes_nothing(|| -d);
    let (a, b) = (matrix(), Tensor::<shape![100]>::ones());
    takes_nothing(|| a + b);
    let (a, b) = (Tensor::<shape![100]>::ones(), matrix());
    takes_nothing(|| a + b);
    let (a, b) = (matrix(), Tensor::<shape![100]>::ones());
    takes_nothing(|| (a * 2.0 + &b) / &b - 1.0);
}

#[test]
fn memory_with_two_owners_is_not_given() {
    let first = Tensor::<shape![100, 100]>::ones();
    let second = first.clone();
    takes_only(100 * 100, || second + 1.0);
    assert!(first.iter().all(|&x| x == 1.0));
}

#[test]
fn in_place_takes_nothing() {
    let mut matrix = Tensor::<shape![100, 100]>::ones();
    let (row, column) = (Tensor::<shape![100]>::ones(), Tensor::<shape![100, 1]>::ones());
    takes_nothing(|| matrix += &row);
    takes_nothing(|| matrix *= &column);
    takes_nothing(|| matrix -= 1.0);
    takes_nothing(|| matrix.zip_assign(&row, f32::max));
    takes_nothing(|| matrix.map_assign(|x| x + 1.0));
}

#[test]
fn small_tensors_live_within_the_value() {
    let (a, b) = (Tensor::<shape![4, 4]>::ones(), Tensor::<shape![4]>::ones());
    takes_nothing(|| &a + &b);
    takes_nothing(|| (&a * &a).sum());
    takes_nothing(|| a.greater(0.5));
    takes_nothing(|| a.exp());
    takes_nothing(|| tensor![1.0, 2.0] + tensor![[3.0], [4.0]]);
}
