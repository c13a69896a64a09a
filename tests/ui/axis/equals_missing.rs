//! A size follows an equals sign.
//!
//! The compiler says: "the size of a named axis follows `=`: write `Hidden = 768`"

use tensor_core::axis;

axis!(Hidden 768);

fn main() {}
