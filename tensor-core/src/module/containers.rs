//! Containers of modules: tuples, arrays, `Vec` …

use std::collections::BTreeMap;

use super::{ModeVisitor, Module, Path, Visitor, VisitorMut};

/// Generates impls whose elements are named by their index.
macro_rules! elements {
    ($(#[$doc:meta] [$($G:tt)*] $T:ty;)*) => {$(
        #[$doc]
        #[diagnostic::do_not_recommend]
        impl<$($G)*> Module for $T {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                for (index, module) in self.iter().enumerate() {
                    module.visit(&path.index(index), visitor);
                }
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                for (index, module) in self.iter_mut().enumerate() {
                    module.visit_mut(&path.index(index), visitor);
                }
            }

            fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
                self.iter_mut().for_each(|module| module.visit_modes(visitor));
            }
        }
    )*};
}

elements! {
    /// `layers.0`, `layers.1` …
    [M: Module] Vec<M>;
    /// `layers.0`, `layers.1` …
    [M: Module] [M];
    /// `layers.0`, `layers.1` …
    [M: Module, const N: usize] [M; N];
}

/// Visits the content under the name of the container; nothing for `None`.
#[diagnostic::do_not_recommend]
impl<M: Module> Module for Option<M> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        if let Some(module) = self {
            module.visit(path, visitor);
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        if let Some(module) = self {
            module.visit_mut(path, visitor);
        }
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        if let Some(module) = self {
            module.visit_modes(visitor);
        }
    }
}

/// Visits the content under the name of the container.
#[diagnostic::do_not_recommend]
impl<M: Module + ?Sized> Module for Box<M> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        (**self).visit(path, visitor);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        (**self).visit_mut(path, visitor);
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        (**self).visit_modes(visitor);
    }
}

/// Visits the elements under their keys, in the order of the keys.
#[diagnostic::do_not_recommend]
impl<M: Module> Module for BTreeMap<String, M> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        for (key, module) in self {
            module.visit(&path.field(key), visitor);
        }
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        for (key, module) in self {
            module.visit_mut(&path.field(key), visitor);
        }
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        self.values_mut().for_each(|module| module.visit_modes(visitor));
    }
}

/// Generates impls for tuples, whose elements are named by their index.
macro_rules! tuples {
    ($(($($M:ident $place:tt),+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($M: Module),+> Module for ($($M,)+) {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                $(self.$place.visit(&path.index($place), visitor);)+
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                $(self.$place.visit_mut(&path.index($place), visitor);)+
            }

            fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
                $(self.$place.visit_modes(visitor);)+
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($M: super::StaticModule),+> super::StaticModule for ($($M,)+) {
            const FACTS: super::Facts = super::Facts::NONE$(.and($M::FACTS))+;
        }
    )*};
}

tuples! {
    (A 0)
    (A 0, B 1)
    (A 0, B 1, C 2)
    (A 0, B 1, C 2, D 3)
    (A 0, B 1, C 2, D 3, E 4)
    (A 0, B 1, C 2, D 3, E 4, F 5)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10)
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11)
}
