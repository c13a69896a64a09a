//! What the types know of a model: parameters and bytes, as constants.

use std::collections::BTreeMap;

use super::{Frozen, Module};
use crate::element::Element;
use crate::shape::Shape;
use crate::tensor::{DynTensor, Tensor};

/// A model whose number of parameters and bytes are known when it is compiled, where all sizes are
/// static, and no `Vec`, `Option` or enum is in it.
///
/// `#[derive(Module)]` implements it as well. Asked of a model whose number is known at run time,
/// a constant is an error of the compiler.
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
    /// Parameters and bytes, if they are known.
    #[doc(hidden)]
    const FACTS: Facts;

    /// The number of elements of all parameters, frozen ones included, and without buffers.
    const NUM_PARAMETERS: usize = match Self::FACTS.known {
        Some((parameters, _)) => parameters,
        None => panic!(
            "the number of parameters of this model is known at run time: call `num_parameters()`"
        ),
    };

    /// The bytes of all tensors, buffers included.
    const NUM_BYTES: usize = match Self::FACTS.known {
        Some((_, bytes)) => bytes,
        None => panic!("the bytes of this model are known at run time: call `num_bytes()`"),
    };
}

/// What is known of a module: what [`StaticModule`] is made of.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Parameters and bytes.
    known: Option<(usize, usize)>,
}

impl Facts {
    /// Of what has no tensors.
    pub const NONE: Self = Self { known: Some((0, 0)) };
    /// Of what is known at run time.
    pub const UNKNOWN: Self = Self { known: None };

    /// Of both.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        match (self.known, other.known) {
            (Some((a, b)), Some((c, d))) => Self { known: Some((a + c, b + d)) },
            _ => Self::UNKNOWN,
        }
    }

    /// Of so many.
    #[must_use]
    pub const fn times(self, count: usize) -> Self {
        match self.known {
            Some((a, b)) => Self { known: Some((a * count, b * count)) },
            None => Self::UNKNOWN,
        }
    }

    /// Of buffers.
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
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule, const N: usize> StaticModule for [M; N] {
    const FACTS: Facts = M::FACTS.times(N);
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule> StaticModule for Box<M> {
    const FACTS: Facts = M::FACTS;
}

#[diagnostic::do_not_recommend]
impl<M: StaticModule> StaticModule for Frozen<M> {
    const FACTS: Facts = M::FACTS;
}

/// What can be counted at run time alone.
macro_rules! unknown {
    ($([$($G:tt)*] $T:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($G)*> StaticModule for $T {
            const FACTS: Facts = Facts::UNKNOWN;
        }
    )*};
}

unknown! {
    [T: Element] DynTensor<T>;
    [M: Module] Vec<M>;
    [M: Module] Option<M>;
    [M: Module] BTreeMap<String, M>;
}

/// The facts of the type of a field, which may have none: then those of the trait
/// [`FactsOrUnknown`] are taken.
#[doc(hidden)]
pub struct FactsOf<M: ?Sized>(core::marker::PhantomData<M>);

impl<M: StaticModule> FactsOf<M> {
    /// What is known.
    pub const FACTS: Facts = M::FACTS;
}

/// What is known of a field whose type has no facts: nothing.
#[doc(hidden)]
pub trait FactsOrUnknown {
    /// Nothing.
    const FACTS: Facts = Facts::UNKNOWN;
}

impl<M: ?Sized> FactsOrUnknown for FactsOf<M> {}
