//! Gradient rules: compute the gradients of operands from that of the result, for every float type.

use core::marker::PhantomData;

use smallvec::SmallVec;
#[cfg(feature = "half")]
use tensor_kernels::autocast::with_autocast;
use tensor_kernels::element::{Element, Float};
use tensor_kernels::ops::elements::for_each_element;
#[cfg(feature = "half")]
use tensor_kernels::ops::elements::types::*;

use crate::array::dynamic::DynTensor;
use crate::array::history::{AnyArray, Backward, ElementType, Gradients, Recorded, Rule, Saves};
#[cfg(feature = "half")]
use crate::ops::autocast::Half;

/// A gradient rule for every float type.
pub(crate) trait GradientRule: Send + Sync + 'static {
    /// What [`gradients`](Self::gradients) reads besides the gradient.
    const SAVES: Saves = Saves::NOTHING;

    /// [`SAVES`](Self::SAVES) of this value.
    fn saves(&self) -> Saves {
        Self::SAVES
    }

    /// The gradients of the operands that are [wanted](Recorded::wants). The gradient of a broadcast
    /// operand may have the sizes of the result.
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T>;
}

/// The gradients of the operands.
pub(crate) type GradientsOf<T> = SmallVec<[Option<DynTensor<T>>; 2]>;

/// The gradients of one operand, or two.
#[inline(never)]
pub(super) fn of_operands<T: Float, const N: usize>(
    gradients: [Option<DynTensor<T>>; N],
) -> GradientsOf<T> {
    gradients.into_iter().collect()
}

/// A node that a rule is applied at.
pub(crate) struct At<'a, 'b>(pub(crate) &'a Recorded<'b>);

impl At<'_, '_> {
    /// An operand with elements of the same type as the gradient.
    pub(crate) fn operand<T: Float>(&self, position: usize) -> DynTensor<T> {
        match self.0.constant_operand(position) {
            Some(operand) => operand,
            None => of_type(&self.0.operand(position)),
        }
    }

    /// The result.
    pub(crate) fn result<T: Float>(&self) -> DynTensor<T> {
        match self.0.constant_result() {
            Some(result) => result,
            None => of_type(&self.0.result()),
        }
    }

    /// A saved value of the rule: the result of another rule on the first operand.
    pub(crate) fn as_result<T: Float>(
        &self,
        kept: &AnyArray,
        rule: impl FnOnce() -> Rule,
    ) -> DynTensor<T> {
        of_type(&self.0.as_result(kept, rule))
    }

    pub(crate) fn sizes(&self, position: usize) -> &[usize] {
        self.0.sizes(position)
    }

    /// The number of operands.
    pub(crate) fn count(&self) -> usize {
        self.0.node.operands.len()
    }

    pub(crate) fn is_recorded(&self, position: usize) -> bool {
        self.0.is_recorded(position)
    }

    pub(crate) fn wants(&self, position: usize) -> bool {
        self.0.wants(position)
    }

    /// The gradient of an operand, if it is required.
    pub(crate) fn want<T: Float>(
        &self,
        position: usize,
        gradient: impl FnOnce() -> DynTensor<T>,
    ) -> Option<DynTensor<T>> {
        self.wants(position).then(gradient)
    }
}

/// A rule for gradients of one type, so that programs have the code of no other type. 16-bit floats are computed as `f32`,
/// as everywhere, and no rule is compiled for them; their products have operands of their type.
struct Typed<R, T>(R, PhantomData<T>);

impl<R: GradientRule, T: Float> Backward for Typed<R, T> {
    fn saves(&self) -> Saves {
        self.0.saves()
    }

    fn backward(&self, at: &Recorded<'_>, gradient: &AnyArray) -> Gradients {
        if let Some(gradient) = gradient.get() {
            return erased::<T>(self.0.gradients(&At(at), gradient), None);
        }
        let wide = of_type::<T>(gradient);
        let gradients = with_products_of(gradient, || self.0.gradients(&At(at), &wide));
        erased(gradients, Some(gradient))
    }
}

/// Not inlined, so that the code of rules is that of this crate also where an operation is compiled in another one.
#[inline(never)]
fn typed<R: GradientRule, T: Float>(rule: R) -> Rule {
    Typed::<R, T>(rule, PhantomData).into()
}

impl Rule {
    /// The rule of an operation with a result of this element type.
    pub(crate) fn of<T: Element>(rule: impl GradientRule) -> Self {
        typed::<_, T::Gradient>(rule)
    }

    /// [`of`](Self::of) a type that is known at run time; `None` if it is not one of floats.
    pub(crate) fn of_type(element: &ElementType, rule: impl GradientRule) -> Option<Self> {
        macro_rules! of_float {
            ($T:ident [$element:ident $rule:ident]) => {
                if $element == ElementType::of::<$T>() {
                    return Some(Self::of::<$T>($rule));
                }
            };
        }
        for_each_element!(each_float[of_float [element rule]]);
        None
    }
}

/// Calls a function whose products have operands of the element type of an array, if it is one of 16 bits.
#[cfg_attr(not(feature = "half"), allow(unused_variables, reason = "there are none"))]
fn with_products_of<R>(array: &AnyArray, function: impl FnOnce() -> R) -> R {
    macro_rules! in_type {
        ([$array:ident $then:ident] $($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
            $($(#[$meta])* in_type! { @$class $T $array $then })+
        };
        (@half $T:ident $array:ident $then:ident) => {
            if $array.get::<DynTensor<$T>>().is_some() {
                return with_autocast(Some(<$T as Half>::AUTOCAST), $then);
            }
        };
        (@$class:ident $($rest:tt)*) => {};
    }
    for_each_element!(in_type[array function]);
    function()
}

/// Type-erased gradients, in their own element type or that of another array. A separate function, so
/// that it is not compiled for each rule.
#[inline(never)]
fn erased<T: Float>(gradients: GradientsOf<T>, like: Option<&AnyArray>) -> Gradients {
    let erase = |gradient: DynTensor<T>| {
        let gradient = AnyArray::new(gradient);
        match like {
            Some(like) => cast_like(&gradient, like),
            None => gradient,
        }
    };
    gradients.into_iter().map(|gradient| gradient.map(erase)).collect()
}

/// Calls a macro for each float type, with further arguments.
macro_rules! each_float {
    ([$then:ident $arguments:tt] $($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
        $($(#[$meta])* each_float! { @$class $then $T $arguments })+
    };
    (@float $then:ident $T:ident $arguments:tt) => { $then! { $T $arguments } };
    (@half $then:ident $T:ident $arguments:tt) => { $then! { $T $arguments } };
    (@$class:ident $($rest:tt)*) => {};
}

macro_rules! cast_to {
    ($U:ident [$gradient:ident $like:ident]) => {
        if $like.get::<DynTensor<$U>>().is_some() {
            for_each_element!(each_float[cast_from [$gradient $U]]);
        }
    };
}

macro_rules! cast_from {
    ($T:ident [$gradient:ident $U:ident]) => {
        if let Some(array) = $gradient.get::<DynTensor<$T>>() {
            return AnyArray::new(array.cast_to::<$U>());
        }
    };
}

/// The gradient with the element type of another array.
pub(crate) fn cast_like(gradient: &AnyArray, like: &AnyArray) -> AnyArray {
    for_each_element!(each_float[cast_to [gradient like]]);
    unreachable!("only floats are tracked")
}

/// An operand or a result, converted to the type that its rule computes in.
fn of_type<T: Float>(array: &AnyArray) -> DynTensor<T> {
    if let Some(array) = array.get::<DynTensor<T>>() {
        return array.clone();
    }
    let like = AnyArray::new(DynTensor::<T>::zeros(&[]));
    cast_like(array, &like).get().cloned().expect("it was cast to this type")
}

/// Runs a block on an array of floats whose element type is known at run time, and returns its array.
macro_rules! for_float {
    ([$array:ident $x:ident $then:block] $($(#[$meta:meta])* $T:ident: $class:ident $other:ident;)+) => {
        'found: {
            $($(#[$meta])* for_float! { @$class 'found $T $array $x $then })+
            unreachable!("only floats are tracked")
        }
    };
    (@float $found:lifetime $T:ident $array:ident $x:ident $then:block) => {
        if let Some($x) = $array.get::<DynTensor<$T>>() {
            break $found AnyArray::new($then);
        }
    };
    (@half $($rest:tt)*) => { for_float! { @float $($rest)* } };
    (@$class:ident $($rest:tt)*) => {};
}

pub(crate) use {each_float, for_float};
