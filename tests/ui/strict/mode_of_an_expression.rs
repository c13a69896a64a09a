//! The mode of an attribute in front of an expression.
//!
//! The compiler says: "write `strictly!(a - b)`, `strictly!(rank: a - b)` or `strictly!(same: a - b)`"

use tensor_core::strictly;

fn main() {
    let _ = strictly!(off: 1 + 2);
}
