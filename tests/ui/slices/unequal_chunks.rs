//! Queries, keys and values of a projection that is not three times as wide.
//!
//! The compiler says: "axis -1 of size `Dim<2048>` cannot be split into 3 equal parts"

use tensor_core::{Tensor, shape};

fn main() {
    let projected = Tensor::<shape![1024, 2048]>::zeros();
    let [_query, _key, _value] = projected.chunk::<-1, 3>();
}
