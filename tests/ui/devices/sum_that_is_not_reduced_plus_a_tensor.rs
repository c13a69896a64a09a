//! Weight decay is added to a gradient whose parts are not added: each device would add it.
//!
//! The compiler says: "`Tensor<((), Dim<64>)>` is not added to a sum over `Data` that is not reduced"
//! And: "call `.reduce()` before all else is added"

use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, unreduced};

mesh!(Grid: Data = 4, Model = 2);

fn main() {
    let weights = Tensor::<shape![64]>::ones();
    let gradient = unreduced(&Tensor::<shape![Data, 16, 64]>::ones(), |rows| rows.sum_axis::<0>());
    let _ = gradient + weights * 0.01;
}
