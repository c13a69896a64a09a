//! Static facts about a model: the number of parameters and bytes, as constants.

use std::collections::BTreeMap;

use tensor_kernels::element::Element;

use super::{Frozen, Module, ModuleTree};
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// A model whose number of parameters and bytes is known at compile time: all sizes are static, and it
/// contains no `Vec`, `Option` or enum.
///
/// `#[derive(Module)]` implements it too. For a model whose number is known only at run time, using a
/// constant is a compile error.
///
/// ```
/// use tensor_core::module::{Module, StaticModule};
/// use tensor_core::{Tensor, shape};
///
/// #[derive(Module)]
/// struct Linear {
///     weight: Tensor<shape![784, 10]>,
///     bias: Tensor<shape![10]>,
/// }
///
/// const { assert!(<[Linear; 2]>::NUM_PARAMETERS == 15_700) };
/// const { assert!(Linear::NUM_BYTES < 32 * 1024) };
/// ```
///
/// ```compile_fail,E0080
/// use tensor_core::module::{Module, StaticModule};
/// use tensor_core::{Tensor, shape};
///
/// #[derive(Module)]
/// struct Layers(Vec<Tensor<shape![10]>>);
///
/// // error: the number of parameters of this model is known at run time: call `num_parameters()`
/// const PARAMETERS: usize = Layers::NUM_PARAMETERS;
/// ```
#[diagnostic::on_unimplemented(
    message = "the number of parameters of `{Self}` is not known when it is compiled",
    label = "expected a model of tensors",
    note = "`num_parameters()` counts when the program runs; for a constant, write \
        `#[derive(Module)]` above the model [T902]"
)]
pub trait StaticModule: Module {
    /// The number of parameters and bytes, if they are known.
    #[doc(hidden)]
    const FACTS: Facts;

    /// The tensors that are read from a file.
    #[doc(hidden)]
    const TREE: ModuleTree = ModuleTree::Unknown;

    /// The number of elements of all parameters, including frozen ones, without buffers.
    const NUM_PARAMETERS: usize = match Self::FACTS.known {
        Some((parameters, _)) => parameters,
        None => panic!(
            "the number of parameters of this model is known at run time: call `num_parameters()`"
        ),
    };

    /// The size of all tensors in bytes, including buffers.
    const NUM_BYTES: usize = match Self::FACTS.known {
        Some((_, bytes)) => bytes,
        None => panic!("the bytes of this model are known at run time: call `num_bytes()`"),
    };
}

/// The static facts about a module, from which [`StaticModule`] is computed.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// The number of parameters and bytes, if known at compile time.
    known: Option<(usize, usize)>,
}

impl Facts {
    /// The facts about a type without tensors.
    pub const NONE: Self = Self { known: Some((0, 0)) };
    /// The facts about a type whose numbers are known only at run time.
    pub const UNKNOWN: Self = Self { known: None };

    /// The sums of the facts about two modules.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self.known, other.known) {
            (Some((a, b)), Some((c, d))) => Self { known: Some((a + c, b + d)) },
            _ => Self::UNKNOWN,
        }
    }

    /// The facts about `count` such modules.
    #[must_use]
    pub const fn times(self, count: usize) -> Self {
        match self.known {
            Some((a, b)) => Self { known: Some((a * count, b * count)) },
            None => Self::UNKNOWN,
        }
    }

    /// The facts about the same tensors as buffers.
    #[must_use]
    pub const fn as_buffers(self) -> Self {
        match self.known {
            Some((_, bytes)) => Self { known: Some((0, bytes)) },
            None => Self::UNKNOWN,
        }
    }
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> StaticModule for Tensor<S, T> {
    const FACTS: Facts = match S::STATIC_SIZES {
        Some(sizes) => {
            let len = sizes.len_in_memory(size_of::<T>());
            let parameters = if T::IS_FLOAT { len } else { 0 };
            Facts { known: Some((parameters, len * size_of::<T>())) }
        }
        None => Facts::UNKNOWN,
    };
    const TREE: ModuleTree = ModuleTree::Tensor(T::NAME, S::LAST_AXIS);
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule, const N: usize> StaticModule for [M; N] {
    const FACTS: Facts = M::FACTS.times(N);
    const TREE: ModuleTree = ModuleTree::Array(&M::TREE, N);
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule> StaticModule for Box<M> {
    const FACTS: Facts = M::FACTS;
    const TREE: ModuleTree = M::TREE;
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule> StaticModule for Frozen<M> {
    const FACTS: Facts = M::FACTS;
    const TREE: ModuleTree = M::TREE;
}

/// Implements the facts for types that can be counted only at run time.
macro_rules! unknown {
    ($([$($G:tt)*] $T:ty = $tree:expr;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($G)*> StaticModule for $T {
            const FACTS: Facts = Facts::UNKNOWN;
            const TREE: ModuleTree = $tree;
        }
    )*};
}

unknown! {
    [T: Element] DynTensor<T> = ModuleTree::AnySizes(T::NAME);
    [M: StaticModule] Vec<M> = ModuleTree::List(&M::TREE);
    [M: StaticModule] Option<M> = ModuleTree::Optional(&M::TREE);
    [M: StaticModule] BTreeMap<String, M> = ModuleTree::Map(&M::TREE);
}

/// The facts about the type of a field, which may implement none: then those of the trait
/// [`FactsOrUnknown`] are used.
#[doc(hidden)]
pub struct FactsOf<M: ?Sized>(core::marker::PhantomData<M>);

impl<M: StaticModule> FactsOf<M> {
    /// The facts that the type implements.
    pub const FACTS: Facts = M::FACTS;
    /// The tensors that are read from a file.
    pub const TREE: ModuleTree = M::TREE;
}

/// The fallback for a field whose type implements no facts: unknown.
#[doc(hidden)]
pub trait FactsOrUnknown {
    /// Unknown.
    const FACTS: Facts = Facts::UNKNOWN;
    /// Unknown.
    const TREE: ModuleTree = ModuleTree::Unknown;
}

impl<M: ?Sized> FactsOrUnknown for FactsOf<M> {}
