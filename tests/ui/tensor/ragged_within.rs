//! Rows of rows: one of the inner rows is longer.
//!
//! The compiler says: "this row has 3 elements, but row [0, 0] has 2"

use tensor_core::tensor;

fn main() {
    let _ = tensor![[[1, 2], [3, 4]], [[5, 6], [7, 8, 9]]];
}
