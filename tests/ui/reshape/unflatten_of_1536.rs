//! 1536 is 2 × 768, not 2 × 700.
//!
//! The compiler says: "`unflatten` keeps the number of elements: `Dim<1536>` is not `Dim<1400>`"

use tensor_core::{Tensor, shape};

fn main() {
    let hidden = Tensor::<shape![32, 1536]>::zeros();
    let _ = hidden.unflatten::<1, shape![2, 700]>();
}
