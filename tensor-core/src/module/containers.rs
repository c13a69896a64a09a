//! Containers of modules: tuples, arrays, `Vec` …

use std::collections::BTreeMap;

use super::{ModeVisitor, Module, Path, TensorReader, Visitor, VisitorMut};

/// Generates impls whose elements are named by their index.
macro_rules! elements {
    ($(#[$doc:meta] [$($G:tt)*] $T:ty $(, |$path:ident, $tensors:ident| $make:expr)?;)*) => {$(
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

            $(fn from_tensors($path: &Path<'_>, $tensors: &mut TensorReader<'_>) -> Option<Self> {
                $make
            })?
        }
    )*};
}

elements! {
    /// `layers.0`, `layers.1` …
    [M: Module] Vec<M>, |path, tensors| list(path, tensors, tensors.len_of_list(path));
    /// `layers.0`, `layers.1` …
    [M: Module] [M];
    /// `layers.0`, `layers.1` …
    [M: Module, const N: usize] [M; N], |path, tensors| list(path, tensors, N)?.try_into().ok();
}

/// Makes the elements of a list. In the first pass, in which none is made, all are requested.
fn list<M: Module>(path: &Path<'_>, tensors: &mut TensorReader<'_>, len: usize) -> Option<Vec<M>> {
    let made: Vec<Option<M>> =
        (0..len).map(|index| M::from_tensors(&path.index(index), tensors)).collect();
    made.into_iter().collect()
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

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        match tensors.contains(path) {
            true => M::from_tensors(path, tensors).map(Some),
            false => Some(None),
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

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        let made: Vec<(String, Option<M>)> = tensors
            .names_below(path)
            .into_iter()
            .map(|key| {
                let module = M::from_tensors(&path.field(&key), tensors);
                (key, module)
            })
            .collect();
        made.into_iter().map(|(key, module)| Some((key, module?))).collect()
    }
}

/// Generates impls for tuples, whose elements are named by their index.
macro_rules! tuples {
    ($(($($M:ident $position:tt),+))*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($M: Module),+> Module for ($($M,)+) {
            fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
                $(self.$position.visit(&path.index($position), visitor);)+
            }

            fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
                $(self.$position.visit_mut(&path.index($position), visitor);)+
            }

            fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
                $(self.$position.visit_modes(visitor);)+
            }

            fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
                let made = ($($M::from_tensors(&path.index($position), tensors),)+);
                Some(($(made.$position?,)+))
            }
        }

        #[diagnostic::do_not_recommend]
        impl<$($M: super::StaticModule),+> super::StaticModule for ($($M,)+) {
            const FACTS: super::Facts = super::Facts::NONE$(.and($M::FACTS))+;
            const TREE: super::ModuleTree =
                super::ModuleTree::Fields(&[$((stringify!($position), $M::TREE)),+]);
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
