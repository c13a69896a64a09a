//! The loops. Nothing here names a shape type: machine code does not grow with the number of
//! shapes in a program.

mod axis_lanes;
pub(crate) mod axis_map;
pub(crate) mod cumsum;
pub(crate) mod elementwise;
#[cfg(target_arch = "x86_64")]
mod gemm;
mod isa_fns;
pub(crate) mod matmul;
pub(crate) mod normalize;
mod pack;
pub(crate) mod parallel;
pub(crate) mod product;
pub(crate) mod raw_view;
pub(crate) mod reduce;
pub(crate) mod simd_dispatch;
pub(crate) mod softmax;
mod tiles;
mod transpose;
pub(crate) mod typed;
