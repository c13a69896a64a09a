//! First stage: from tokens to a syntax tree. Nothing is evaluated or compared here.

pub mod axes;
pub mod axis;
pub mod broadcast;
pub mod einsum;
pub mod list;
pub mod module;
pub mod rearrange;
pub mod shape;
pub mod show_shape;
pub mod size;
pub mod slice;
pub mod strict;
pub mod tensor;
#[cfg(feature = "weights")]
pub mod weights;
