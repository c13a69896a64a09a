//! `==` is about whole tensors, and shapes that differ are never equal.
//!
//! The compiler says: "`==` compares tensors of one shape and element type"
//! And: "to compare each element, write `.equal(…)`"

use tensor_core::{Tensor, shape};

fn main() {
    let table = Tensor::<shape![2048, 1024]>::ones();
    assert_eq!(table, table.transpose());
}
