//! The loops. Nothing here names a shape type: machine code does not grow with the number of
//! shapes in a program.

pub(crate) mod blocks;
pub(crate) mod closure;
pub(crate) mod columns;
pub(crate) mod cumulate;
pub(crate) mod elementwise;
pub(crate) mod extreme;
mod inner_loop;
pub(crate) mod lanes;
pub(crate) mod lines;
pub(crate) mod matmul;
pub(crate) mod normalize;
mod pack;
pub(crate) mod parallel;
pub(crate) mod reduce;
pub(crate) mod reductions;
pub(crate) mod simd_dispatch;
#[cfg(feature = "half")]
mod sixteen_bits;
pub(crate) mod softmax;
pub(crate) mod summaries;
mod table;
mod tiles;
mod transpose;
