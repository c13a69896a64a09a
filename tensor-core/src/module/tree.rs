//! [`ModuleTree`]: the tensors that a type of models reads from a file, as a constant.

use crate::shape::ConstantAxis;

/// The tensors that [`Module::from_tensors`](super::Module::from_tensors) of a type requires, by the parts of their names.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub enum ModuleTree {
    /// A tensor of this element type and these axes.
    Tensor(&'static str, Option<&'static ConstantAxis>),
    /// A tensor of this element type, and any sizes.
    AnySizes(&'static str),
    /// Modules by their names.
    Fields(&'static [(&'static str, Self)]),
    /// This number of modules, whose names are their indices.
    Array(&'static Self, usize),
    /// A module for each index up to the largest one in the file.
    List(&'static Self),
    /// A module for each name in the file.
    Map(&'static Self),
    /// A module that a file may lack.
    Optional(&'static Self),
    /// A value of this type, which no file has.
    NoTensor(&'static str),
    /// A module that is written by hand.
    Unknown,
}
