//! The bytes of a model whose walk is written by hand, asked when it is compiled.
//!
//! The compiler says: "the number of parameters of `Model` is not known when it is compiled"
//! And: "for a constant, write `#[derive(Module)]` above the model"

use tensor_core::module::{Path, StaticModule, Visitor, VisitorMut};
use tensor_core::{Module, Tensor, shape};

struct Model {
    weight: Tensor<shape![2048, 1024]>,
}

impl Module for Model {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.weight.visit(path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.weight.visit_mut(path, visitor);
    }
}

const BYTES: usize = <Model as StaticModule>::NUM_BYTES;

fn main() {
    println!("{BYTES}");
}
