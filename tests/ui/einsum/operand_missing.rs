//! Two lists of names and one operand.
//!
//! The compiler says: "2 lists of names, and 1 operand after the semicolon"

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let x = Tensor::<shape![1024, 768]>::zeros();
    let _ = einsum!(i k, k j -> i j; x);
}
