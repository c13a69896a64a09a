#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod analysis;
mod columns;
mod dataflow;
mod digraph;
mod encoding;
mod palette;
mod program;
mod read;
mod repair;
mod svg;
mod table;

pub use analysis::{
    AlignedAxis, AxisRole, AxisSize, ExplainedOperand, Explanation, MismatchedAxes, explain_sizes,
};
pub use program::Library;
pub use read::{ParseShapesError, parse_shape};
pub use repair::{Change, Repair};
pub use svg::TooLargeToDraw;

/// What draws the pictures, for those of programs and shardings, and words and layout for `cargo-shapes`. No interface for
/// others: it may change with every version.
#[doc(hidden)]
pub mod internal {
    pub use crate::analysis::{place, why};
    pub use crate::columns::Columns;
    pub use crate::dataflow::{Graph, Kind, Node};
    pub use crate::encoding::parts;
    pub use crate::palette::{Colours, RESULT, of_operand};
    pub use crate::svg::canvas::{Anchor, Canvas, Point, width};
}
