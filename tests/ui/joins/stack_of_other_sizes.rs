//! Images of 28 rows and of 32 rows are no batch.
//!
//! The compiler says: "expected `28`, found `32`"

use tensor_core::{Tensor, shape};

fn main() {
    let digits = Tensor::<shape![28, 28]>::zeros();
    let larger = Tensor::<shape![32, 28]>::zeros();
    let _ = Tensor::stack::<0, _>([&digits, &larger]);
}
