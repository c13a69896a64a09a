//! Whether two shapes can be joined is a bound of generic code.
//!
//! The compiler says: "add the bound `S: HasAxis<-1>`"

use tensor_core::{Shape, Tensor};

fn joined<S: Shape>(x: &Tensor<S>, y: &Tensor<S>) {
    let _ = x.concat::<-1, _>(y);
}

fn main() {}
