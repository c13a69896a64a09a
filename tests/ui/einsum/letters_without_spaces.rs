//! An equation as NumPy has it, letters without spaces: each would be one name.
//!
//! The compiler says: "expected a name for each axis of shape `((((), Dim<8>), Dim<1024>), Dim<64>)`, found 1"
//! And: "a space between two names"
//! Errors: 2, one for each operand.

use tensor_core::{Tensor, einsum, shape};

fn main() {
    let queries = Tensor::<shape![8, 1024, 64]>::zeros();
    let keys = Tensor::<shape![8, 1024, 64]>::zeros();
    let _ = einsum!(bid, bjd -> bid; queries, keys);
}
