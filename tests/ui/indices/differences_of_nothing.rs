//! There is no element to begin with.
//!
//! The compiler says: "`One` cannot be subtracted from `Dim<0>`"

use tensor_core::{Tensor, shape};

fn main() {
    let _ = Tensor::<shape![1024, 0]>::zeros().diff::<-1>();
}
