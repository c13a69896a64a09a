//! Copies of a shape of which nothing is known.
//!
//! The compiler says: "add the bound `S: TileBy<((), Dim<2>)>`"

use tensor_core::{Shape, Tensor, shape};

fn twice<S: Shape>(x: &Tensor<S>) {
    let _ = x.tile::<shape![2]>();
}

fn main() {}
