//! Whether any shape has axes 1 to 3 is not known: the bound of the method says it.
//!
//! The compiler says: "axis 1 is out of range for shape `S`"
//! And: "`FlattenAxes<1, 2>`"

use tensor_core::{Shape, Tensor, shape};

fn rows<S: Shape>(x: &Tensor<S>) -> Vec<f32> {
    let rows = x.flatten_axes::<1, 3>();
    rows.to_vec()
}

fn main() {
    let x = Tensor::<shape![64, 32, 8, 8]>::ones();
    println!("{:?}", rows(&x).len());
}
