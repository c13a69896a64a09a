//! Two tables are put below each other, and have different numbers of columns.
//!
//! The compiler says: "shapes that are joined along axis 0 have the same other axes"

use tensor_core::{reshape::Concatenated, shape};

fn main() {
    let _: Concatenated<shape![2, 3], 0, shape![4, 5]>;
}
