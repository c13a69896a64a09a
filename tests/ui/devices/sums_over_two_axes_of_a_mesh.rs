//! The parts of one sum are along `Data`, those of the other along `Model`.
//!
//! The compiler says: "is not added to a sum over `Data` that is not reduced"

use tensor_core::{Tensor, shape};
use tensor_xla::{mesh, unreduced};

mesh!(Grid: Data = 4, Model = 2);

fn main() {
    let of_rows = unreduced(&Tensor::<shape![Data, 16, 3]>::ones(), |rows| rows.sum_axis::<0>());
    let of_heads = unreduced(&Tensor::<shape![Model, 8, 3]>::ones(), |heads| heads.sum_axis::<0>());
    let _ = of_rows + &of_heads;
}
