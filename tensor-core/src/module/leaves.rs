//! Where a walk ends: at tensors, and at what has none.

use core::marker::PhantomData;

use super::{Module, Path, Role, Visitor, VisitorMut};
use crate::element::Element;
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// The role of a tensor with elements of this type, where nobody says another.
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
}

#[diagnostic::do_not_recommend]
impl<T: Element> Module for DynTensor<T> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        visitor(path, role_of::<T>(), self);
    }
}

/// Types without tensors.
macro_rules! without_tensors {
    ($($(#[$cfg:meta])* [$($G:tt)*] $T:ty;)*) => {$(
        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<$($G)*> Module for $T {
            #[inline]
            fn visit<'a>(&'a self, _: &Path<'_>, _: &mut Visitor<'a, '_>) {}

            #[inline]
            fn visit_mut<'a>(&'a mut self, _: &Path<'_>, _: &mut VisitorMut<'a, '_>) {}
        }

        $(#[$cfg])*
        #[diagnostic::do_not_recommend]
        impl<$($G)*> super::StaticModule for $T {
            const FACTS: super::Facts = super::Facts::NONE;
        }
    )*};
}

without_tensors! {
    [] ();
    [] bool;
    [] char;
    [] i8;
    [] i16;
    [] i32;
    [] i64;
    [] i128;
    [] isize;
    [] u8;
    [] u16;
    [] u32;
    [] u64;
    [] u128;
    [] usize;
    [] f32;
    [] f64;
    [] String;
    [] &'static str;
    [T: ?Sized] PhantomData<T>;
    #[cfg(feature = "rand")] [] crate::random::Generator;
}
