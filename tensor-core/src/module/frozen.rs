//! Parts of a model that are not trained.

use core::ops::{Deref, DerefMut};

use super::{AnyTensor, ModeVisitor, Module, Path, Role, TensorReader, Visitor, VisitorMut};

/// A part of a model that is not trained: gradients and optimisers skip it.
///
/// It dereferences to its content, and is saved and counted with the model. Its tensors keep the names
/// of the content, so a model can be loaded from a file that was saved before it was frozen.
///
/// ```
/// use tensor_core::module::{Frozen, Module, Role};
/// use tensor_core::tensor;
///
/// let model = (Frozen(tensor![1.0, 2.0]), tensor![3.0]);
/// let roles: Vec<_> = model.tensors().into_iter().map(|(name, role, _)| (name, role)).collect();
/// assert_eq!(roles, [("0".to_owned(), Role::Frozen), ("1".to_owned(), Role::Parameter)]);
/// assert_eq!(model.0.sum().item(), 3.0);
/// ```
#[doc(alias = "requires_grad")]
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Frozen<M>(
    /// The content.
    pub M,
);

impl<M> Deref for Frozen<M> {
    type Target = M;

    fn deref(&self) -> &M {
        &self.0
    }
}

impl<M> DerefMut for Frozen<M> {
    fn deref_mut(&mut self) -> &mut M {
        &mut self.0
    }
}

impl<M> From<M> for Frozen<M> {
    fn from(module: M) -> Self {
        Self(module)
    }
}

#[diagnostic::do_not_recommend]
impl<M: Module> Module for Frozen<M> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        visit_frozen(&self.0, path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        visit_frozen_mut(&mut self.0, path, visitor);
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        self.0.visit_modes(visitor);
    }

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        M::from_tensors(path, tensors).map(Self)
    }
}

fn visit_frozen<'a>(module: &'a dyn Module, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
    module.visit(path, &mut |path, role, tensor| visitor(path, role.frozen(), tensor));
}

fn visit_frozen_mut<'a>(
    module: &'a mut dyn Module,
    path: &Path<'_>,
    visitor: &mut VisitorMut<'a, '_>,
) {
    module.visit_mut(path, &mut |path, role, tensor| visitor(path, role.frozen(), tensor));
}

/// Wraps the visitor for a field with `#[module(buffer)]`.
pub fn buffers<'a, 'x>(
    visitor: &'x mut Visitor<'a, '_>,
) -> impl FnMut(&Path<'_>, Role, &'a dyn AnyTensor) {
    |path, _, tensor| visitor(path, Role::Buffer, tensor)
}

/// [`buffers`] with mutable tensors.
pub fn buffers_mut<'a, 'x>(
    visitor: &'x mut VisitorMut<'a, '_>,
) -> impl FnMut(&Path<'_>, Role, &'a mut dyn AnyTensor) {
    |path, _, tensor| visitor(path, Role::Buffer, tensor)
}
