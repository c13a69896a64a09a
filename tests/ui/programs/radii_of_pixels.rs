//! The square root of integers, as a tensor of floats.
//!
//! The compiler says: "elements of type `{integer}` are not floating-point numbers"

use tensor_core::{Tensor, shape, tensor};

fn main() {
    let marks = tensor![[3, 4], [10, 2], [7, 7], [0, 15], [12, 12]];
    let centre = tensor![8, 8];

    let offsets = &marks - &centre;
    let squares = offsets.square().sum_axis::<1>();
    let far = squares.greater(40);
    let radii: Tensor<shape![5]> = squares.sqrt();

    println!("radii {radii}, far {far}");
    println!("longest {:.2}", radii.max().item());
}
