#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod contents;
mod convert;
mod element;
mod error;
mod export;
mod external;
mod function;
mod known;
mod lower;
mod names;
mod operations;
#[cfg(feature = "program")]
mod program;
mod proto;
mod reason;
pub mod structs;
mod sym;
mod weights;
mod write;

/// What other crates read programs with; not a public interface.
#[doc(hidden)]
pub mod stablehlo {
    pub use crate::element::Element;
    pub use crate::export::attributes::{
        ConvolutionAttributes, ProductAttributes, WindowAttributes, inverse,
    };
    pub use crate::export::text::{Function, Operation, Region, Type, parse};
}

#[doc(hidden)]
pub use names::is_keyword;

pub use contents::tensors;
pub use convert::{Options, convert};
pub use error::{Error, Refusal};
pub use export::{ExportError, Exported, export};
#[cfg(feature = "program")]
pub use program::ToOnnx;
pub use weights::Conversion;
pub use write::{convert_file, formatted};
