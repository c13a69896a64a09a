//! Kernels: drivers and inner loops, on pointers and slices. Nothing here names a shape type, so that machine code grows
//! with operations and element types, not with shapes.
//!
//! # What is compiled where
//!
//! Kernels are compiled in this crate, once for each operation and element type, and never in the
//! program that uses them.
//!
//! | code | compiled | where |
//! | --- | --- | --- |
//! | inner loops, over rows that are contiguous or one repeated element | once for each operation, element type and instruction set | `table.rs`, `reduce/loops.rs`, `matmul/` |
//! | drivers: outer axes, packing, tiles, threads, memory | once; packing once for each size of an element | `elementwise.rs`, `reduce.rs`, `normalize.rs`, `matmul.rs`, `conv.rs` |
//! | typed code: the shape of the result, the constant plan, tiny tensors computed in place | in the program, for each shape | `tensor/operations/dispatch.rs` of `tensor-core` |
//!
//! rustc shares no generic instance between crates in release builds, unless it is never inlined, and a constant that
//! names `kernel::<f32>` makes an instance in the crate that uses it. So kernels are `static`s of this crate: a program gets a reference, and the linker
//! drops what it does not use. Generic code reaches them through hidden supertraits of `Element`, `Number`, `Float` …
//! (`NumberBinary`, `FloatReductions`), which have an associated constant for each row of the table of operations.
//!
//! Loops over floats are compiled for the baseline, AVX2 and AVX-512, those over integers for the first two. The baseline of
//! x86-64 is only for machines without AVX2: its loops have one variant for rows, those of the arithmetic of floats three.
//! Other cheap operations have loops over contiguous operands alone, which run row by row. Integers are
//! divided one at a time, as no instruction divides a vector of them. Functions of elements take a value that states
//! whether there are fused multiply-adds; it is constant in each compiled loop. Results are bit-identical on all
//! machines that have them.
//!
//! Loops are shared if the results are bit-identical: signed integers use the loops of unsigned ones where sums wrap
//! around, `bool` converts as `u8`, 16-bit floats are computed in `f32`, and moves depend only on the size of an
//! element. Closures of users (`map`, `zip_with`) are inner loops that are compiled in the user's crate, with the same
//! driver.
//!
//! `fuse!` runs the kernels on chunks of at most 2,048 elements or 8 KiB (`chunk.rs`), so that temporaries stay in the L1
//! cache, and the last operation writes the results. `a * b + c` is one kernel, rounded twice like the two operations.
//! If an operand is tracked, the expression runs once more on symbols (`chunk/trace.rs`), whose gradients are those of
//! the operations on whole tensors.
//!
//! # From `&a + &b` to the inner loop
//!
//! Contiguous operands of one shape:
//!
//! | call | where | what it decides |
//! | --- | --- | --- |
//! | `Add::add` | `tensor/operations/operators.rs` of `tensor-core` | the row: `ops::Add` |
//! | `OperatorRhs::after_view` | `tensor/operations/operator_rhs.rs` of `tensor-core` | what the right side is: a tensor, owned or borrowed, or a scalar |
//! | `binary::<ops::Add, L, R, T>` | `tensor/operations/dispatch.rs` of `tensor-core` | whether all sizes are static; tiny contiguous tensors are computed here, without a call |
//! | `call_binary` | `static_calls.rs` | contiguous or not, tracked or not; the first function that is not compiled in the program, but once for each element type |
//! | `collect_contiguous`, inlined | `elementwise.rs` | memory for the results, which comes from the cache |
//! | `write_contiguous` | `elementwise/contiguous.rs` | one thread or several; whether a large result bypasses the caches (`bypass.rs`); the instruction set |
//! | contiguous loop | `inner_loop.rs` | nothing: it adds |
//!
//! Operands that stretch, and views, after `call_binary`:
//!
//! | call | where | what it decides |
//! | --- | --- | --- |
//! | `call` | `evaluate.rs` | traced, tracked or neither |
//! | `Kernel::collect` | `elementwise.rs` | the constant plan, or one made of the strides; one thread or several |
//! | `run_part` | `elementwise/blocks.rs` | one block, if every operand is contiguous or one repeated element along all results; or one of the next two |
//! | `materialized` or `tiled` | `elementwise/blocks.rs` | small operands are materialised; others are packed into tiles of at most 1,024 elements, or blocks of a transpose |
//! | inner loop | `inner_loop.rs` | nothing: it adds rows of some hundred elements |
//!
//! The functions before `call_binary` are inlined into the program: a call with a constant (`ElementwiseCall`) that has the
//! sizes and the plan. Run-time sizes use `call_views` of `evaluate.rs`, with an `ElementwiseCall` on the stack.
//! Between functions, operands are in registers or are not moved in memory: copying memory that was just
//! written in parts stalls the store buffer, which took a third of the time of an addition of 1,024 floats.
//!
//! `&a + 1.0` calls the same kernels through `scalar_rhs`, `1.0 + &a` through `with_scalar`, `x.exp()` through `unary`,
//! `a + &b` through `binary_reuse`, which overwrites `a`, and `a += &b` through `assign`, both with
//! `call_assign`. `DynTensor` calls `call_views` with its sizes.

mod axis_lanes;
pub(crate) mod axis_map;
mod bits;
mod bypass;
pub mod caches;
pub mod chunk;
pub mod closure;
mod conv;
mod copy;
pub mod count;
pub mod division;
pub mod elementwise;
pub(crate) mod erased;
pub mod function;
pub mod gather;
mod inner_loop;
pub mod isa_fns;
pub mod matmul;
pub mod moves;
mod normalization;
pub(crate) mod normalize;
mod pack;
pub mod parallel;
pub mod pool;
mod prefetch;
pub(crate) mod raw_view;
pub(crate) mod reduce;
pub mod row_major;
pub(crate) mod scan;
#[cfg(feature = "half")]
mod sixteen_bits;
pub(crate) mod softmax;
pub mod sort;
mod table;
mod tiles;
mod transpose;
pub mod typed;
mod window_order;
