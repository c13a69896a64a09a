//! One value repeats for the whole tensor, not for a row.
//!
//! The compiler says: "a row cannot repeat a value: repeat it for the whole tensor, `tensor![0.5; 2, 3]`, or write the row out"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[0; 3], [1; 3]];
}
