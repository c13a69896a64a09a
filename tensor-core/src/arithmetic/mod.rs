//! Sizes as numbers: the one spelling of each size, and arithmetic on sizes by typenum.
//!
//! No other module names typenum.

mod table;
mod written;

pub use self::table::{Part, Table};
pub use self::written::{
    Assemble, Constant, InOrder, Millions, MoreThanOne, Nothing, Single, Thousands, Units,
    WrittenSize,
};
