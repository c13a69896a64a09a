//! The loops. Nothing here depends on a shape type: machine code does not grow with the number of
//! shapes in a program.

mod axis_lanes;
pub(crate) mod axis_map;
pub(crate) mod chunk;
pub(crate) mod closure;
mod conv;
mod copy;
pub(crate) mod count;
pub(crate) mod cumsum;
pub(crate) mod division;
pub(crate) mod elementwise;
pub(crate) mod erased;
pub(crate) mod gather;
mod inner_loop;
pub(crate) mod isa_fns;
pub(crate) mod matmul;
pub(crate) mod moves;
mod normalization;
pub(crate) mod normalize;
mod pack;
pub(crate) mod parallel;
mod pool;
mod prefetch;
pub(crate) mod raw_view;
pub(crate) mod reduce;
mod row_major;
pub(crate) mod scan;
#[cfg(feature = "half")]
mod sixteen_bits;
pub(crate) mod softmax;
pub(crate) mod sort;
mod table;
mod tiles;
mod transpose;
pub(crate) mod typed;
