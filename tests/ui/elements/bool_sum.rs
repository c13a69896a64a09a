//! Truth values are not added: `|` is their "or", `cast` makes numbers of them.
//!
//! The compiler says: "elements of type `bool` are not numbers"
//! And: "a `bool` tensor becomes numbers with `.cast::<f32>()`"

use tensor_core::tensor;

fn main() {
    let a = tensor![true, false];
    let b = tensor![true, true];
    let _ = &a + &b;
}
