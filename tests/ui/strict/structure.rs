//! The attribute on a structure, which holds no operations.
//!
//! The compiler says: "`#[strict]` is for a function, an `impl`, a trait or an inline module `mod name { … }`; for an expression write `strictly!(a - b)`"

use tensor_core::strict;

#[strict]
struct Loss;

fn main() {
    let _ = Loss;
}
