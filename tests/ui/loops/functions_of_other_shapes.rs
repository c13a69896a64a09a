//! The second function of a branch keeps the batch, and the first sums over it.
//!
//! The compiler says: "expected `Tensor<((), Dim<8>)>`, found `Tensor<(((), Dim<2>), Dim<8>)>`"

use tensor_core::trace::switch;
use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 8]>::ones();
    let y = switch(&Tensor::scalar(1), &x, &[&|x| x.sum_axis::<0>(), &|x| x.relu()]);
    println!("{y}");
}
