//! The vocabulary of another model: its words are more than there are.
//!
//! The compiler says: "slice 0..50257 is out of range for axis 0 of size `Dim<32000>`"

use tensor_core::{Tensor, shape, slice};

fn main() {
    let embedding = Tensor::<shape![32000, 768]>::zeros();
    let words = embedding.slice(slice![..50257]);
    let _ = words.sum_axis::<0>();
}
