//! A count above 9999 is no number that types take.
//!
//! The compiler says: "50257 is not a count from 0 to 9999"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![768]>::zeros();
    let _ = x.repeat::<0, 50257>();
}
