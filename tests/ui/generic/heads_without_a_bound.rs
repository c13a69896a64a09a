//! The channels of any sequence are reshaped into heads.
//!
//! The compiler says: "`reshape` needs to know the number of elements"
//! And: "add the bound `(((), Time), D): ReshapeTo<((((), Time), H), C)>`"
//! Lines: 14, as the compiler proposes a bound

use tensor_core::{StaticAxis, Tensor, shape};

fn heads<Time: StaticAxis, D: StaticAxis, H: StaticAxis, C: StaticAxis>(
    x: &Tensor<shape![Time, D]>,
) -> Tensor<shape![Time, H, C]> {
    x.reshape::<shape![Time, H, C]>()
}

fn main() {}
