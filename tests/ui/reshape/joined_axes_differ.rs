//! Two tables are put below each other, and have different numbers of columns.
//!
//! The compiler says: "to concatenate along axis 0, all other axes must be equal"

use tensor_core::{reshape::Concatenated, shape};

fn main() {
    let _: Concatenated<shape![2, 3], 0, shape![4, 5]>;
}
