//! …
#![forbid(unsafe_code)]

mod convert;
mod element;
mod error;
mod external;
mod function;
mod known;
mod lower;
mod names;
mod operations;
mod proto;
mod reason;
mod sym;
mod weights;

pub use convert::{Options, convert};
pub use error::{Error, Refusal};
pub use weights::Conversion;
