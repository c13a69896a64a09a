//! A closure whose parameters get their types by its first call, behind the sum.
//!
//! Lines: 16, because the compiler also shows the bound that asks for the type.
//!
//! The compiler says: "strict code needs the type of each side of an operation"
//! And: "write it out, for example as the type of a parameter of a closure"

use tensor_core::strict;

#[strict]
fn main() {
    let add = |x, y| x + y;
    add(1, 2);
}
