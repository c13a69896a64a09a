//! The second row is shorter than the first.
//!
//! The compiler says: "this row has 2 elements, but row 0 has 3"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[1, 2, 3], [4, 5]];
}
