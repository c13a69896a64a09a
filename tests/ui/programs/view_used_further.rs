//! One mistake in a view: no message about later operations.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<6>` is not `Dim<8>`"

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let y = x.reshape::<shape![4, 2]>() + 1.0;
    println!("{}", y.exp().sum_axis::<0>());
}
