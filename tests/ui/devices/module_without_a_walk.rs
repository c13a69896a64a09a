//! A module that is written by hand, whose tensors the compiler cannot list.
//!
//! The compiler says: "the shapes of the tensors of `Table` are not known here"
//! And: "write `#[derive(Module)]` above its declaration"
//!
//! Lines: 26, the compiler lists modules

use tensor_core::module::{Module, Path, Visitor, VisitorMut};
use tensor_core::trace::trace;
use tensor_core::{Tensor, axis, shape};
use tensor_xla::{mesh, shard, sharding};

axis!(Word = 8);
mesh!(Grid: Model = 2);
sharding!(Rules on Grid: Word => Model);

#[derive(Clone)]
struct Table(Tensor<shape![Word, 4]>);

impl Module for Table {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.0.visit(path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.0.visit_mut(path, visitor);
    }
}

fn main() {
    let program = trace(&Table(Tensor::zeros()), |table| table.0.sum());
    let _ = shard(program, Rules);
}
