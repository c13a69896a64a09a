//! Indices are integers, also in generic code.
//!
//! The compiler says: "elements of type `K` are not integers"
//! And: "in generic code, add the bound `K: Integer`"
//! Lines: 13, as the compiler proposes a bound

use tensor_core::{Axis, Element, IndexError, Shape, Tensor, shape};

fn embed<Lead: Shape, V: Axis, D: Axis, K: Element>(
    table: &Tensor<shape![V, D]>,
    tokens: &Tensor<Lead, K>,
) -> Result<Tensor<shape![Lead.., D]>, IndexError> {
    table.embedding(tokens)
}

fn main() {
    let table = Tensor::<shape![50257, 768]>::zeros();
    let tokens = Tensor::<shape![8, 1024], u16>::zeros();
    println!("{:?}", embed(&table, &tokens).map(|x| x.shape()));
}
