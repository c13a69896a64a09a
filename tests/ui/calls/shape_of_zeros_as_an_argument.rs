//! As `np.zeros((64, 1024))`: here the shape belongs to the type.
//!
//! The compiler says: "this function takes 0 arguments but 1 argument was supplied"
//! And: "Tensor::<shape![2, 3]>::zeros()"
//! Lines: 16, as the compiler shows the line of the definition and its own proposal

use tensor_core::{Tensor, shape};

fn main() {
    let bias: Tensor<shape![64, 1024]> = Tensor::zeros(shape![64, 1024]);
    println!("{bias}");
}
