//! A generic block whose layers are in a struct of the program that lacks the `derive`.
//!
//! The compiler says: "`Linear<I, O>` is not a module: a walk over the parameters of a model finds none in it"
//! And: "write `#[derive(Module)]` above its declaration"

use tensor_core::{Axis, Module, Tensor, shape};

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![O, I]>,
}

#[derive(Module)]
struct Block<I: Axis, O: Axis> {
    up: Linear<I, O>,
}

fn main() {
    let up = Linear { weight: Tensor::<shape![4096, 1024]>::zeros() };
    let block = Block { up };
    println!("{} {:?}", block.num_parameters(), block.up.weight.shape());
}
