//! A function that makes names where tensors are wanted.
//!
//! The compiler says: "no batch along `Batch` is made of `String`"
//! And: "expected a tensor, a number, or a tuple of these"

use tensor_core::axis;
use tensor_nn::data::{Loader, from_fn};

axis!(Batch);

fn main() {
    let names = from_fn(50257, |index| format!("word {index}"));
    let loader = Loader::new(names, 64);
    let _ = loader.epoch::<Batch>(0);
}
