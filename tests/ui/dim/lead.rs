//! Leading axes are many.
//!
//! The compiler says: "`dim!` is one axis: leading axes go into `shape![Lead.., …]`"

use tensor_core::{Shape, dim};

fn last<Lead: Shape>(axis: dim!(Lead..)) {}

fn main() {}
