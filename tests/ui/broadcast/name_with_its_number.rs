//! `Hidden` has 768 elements, and is never mixed up with another axis of 768.
//!
//! The compiler says: "cannot broadcast an axis of size `Hidden` with one of size `Dim<768>`"

use tensor_core::{Tensor, axis, shape};

axis!(Hidden = 768);

fn main() {
    let a = Tensor::<shape![Hidden]>::zeros();
    let b = Tensor::<shape![768]>::zeros();
    let _ = &a + &b;
}
