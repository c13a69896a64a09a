//! The leaves of a walk: tensors, and types without tensors.

use core::marker::PhantomData;

use tensor_kernels::element::Element;
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use super::{Module, Path, Role, TensorReader, Visitor, VisitorMut};
use crate::shape::Shape;
use crate::tensor::{DynTensor, IntoTensor, Tensor};

/// The default role of a tensor with elements of this type.
const fn role_of<T: Element>() -> Role {
    if T::IS_FLOAT { Role::Parameter } else { Role::Buffer }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Module for Tensor<S, T> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        tensors.tensor::<S, T>(path)?.into_tensor().ok()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Module for DynTensor<T> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        tensors.dyn_tensor(path)
    }
}

/// Implements the trait for types without tensors.
macro_rules! without_tensors {
    ($($(#[$cfg:meta])* [$($G:tt)*] $T:ty $(= $value:expr)?;)*) => {$(
        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<$($G)*> Module for $T {
            #[inline]
            fn visit<'a>(&'a self, _: &Path<'_>, _: &mut Visitor<'a, '_>) {}

            #[inline]
            fn visit_mut<'a>(&'a mut self, _: &Path<'_>, _: &mut VisitorMut<'a, '_>) {}

            $(fn from_tensors(_: &Path<'_>, _: &mut TensorReader<'_>) -> Option<Self> {
                Some($value)
            })?
        }

        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<$($G)*> super::StaticModule for $T {
            const FACTS: super::Facts = super::Facts::NONE;
            const TREE: super::ModuleTree = without_tensors!(@tree $T $(= $value)?);
        }

        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<V, In, $($G)*> super::WalkShapes<V, In> for $T {
            type Out = In;
        }
    )*};
    (@tree $T:ty = $value:expr) => { super::ModuleTree::Fields(&[]) };
    (@tree $T:ty) => { super::ModuleTree::NoTensor(stringify!($T)) };
}

/// Implements it for plain numbers.
macro_rules! numbers {
    ($($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*) => {
        without_tensors! { $($(#[$cfg])* [] $T;)* }
    };
}

for_each_element!(numbers);

without_tensors! {
    [] () = ();
    [] char;
    [] i128;
    [] isize;
    [] u128;
    [] usize;
    [] String;
    [] &'static str;
    [T: ?Sized] PhantomData<T> = PhantomData;
    #[cfg(feature = "rand")] [] crate::random::Generator;
}
