//! Six elements into a shape of eight.

use tensor_core::{Tensor, shape};

fn main() {
    let x = Tensor::<shape![2, 3]>::zeros();
    let y = x.reshape::<shape![4, 2]>();
    println!("{y}");
}
