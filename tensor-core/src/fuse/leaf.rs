//! The leaves of an expression in [`fuse!`](crate::fuse!): tensors and numbers.
//!
//! The operands of a pass are a list of types, `(X, (Y, ()))`: references to tensors, and numbers, which
//! are passed by value and are not counted.

use core::ops::Deref;

use tensor_kernels::element::Element;

use super::broadcast_sizes::BroadcastSizes;
use super::{FusedElement, never};
use crate::shape::Shape;
use crate::shape::error::ShapeError;
use crate::tensor::Tensor;
use crate::tensor::typed_view::View;

/// A leaf of the expression: a tensor or a number.
#[doc(hidden)]
pub trait Leaf {
    /// A reference to the tensor, or the number.
    type Operand<'a>
    where
        Self: 'a;

    /// The operand.
    fn operand(&self) -> Self::Operand<'_>;
}

#[diagnostic::do_not_recommend]
impl<S: Shape, T: Element> Leaf for Tensor<S, T> {
    type Operand<'a> = &'a Self;

    #[inline(always)]
    fn operand(&self) -> &Self {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element> Leaf for T {
    type Operand<'a> = T;

    #[inline(always)]
    fn operand(&self) -> T {
        *self
    }
}

/// A value that may be a leaf.
#[doc(hidden)]
pub struct OperandProbe<'a, P>(Pointer<'a, P>);

/// A value that may point to a leaf.
#[doc(hidden)]
pub struct Pointer<'a, P>(PointerToPointer<'a, P>);

/// A value that may point to a pointer to a leaf.
#[doc(hidden)]
pub struct PointerToPointer<'a, P>(NoLeaf<'a, P>);

/// A value that is neither a tensor nor a number; the operation on it reports the error.
#[doc(hidden)]
pub struct NoLeaf<'a, P>(&'a P);

/// Starts the test whether a value is a leaf, or points to one.
#[doc(hidden)]
#[inline(always)]
pub fn probe<P>(leaf: &P) -> OperandProbe<'_, P> {
    OperandProbe(Pointer(PointerToPointer(NoLeaf(leaf))))
}

/// An attempt: the methods that find an operand. If the bounds do not hold, method resolution continues
/// with the next attempt.
macro_rules! attempts {
    ($($Attempt:ident<$P:ident> where ($($bounds:tt)+): |$this:ident| $leaf:expr => $Leaf:ty, $Next:ident;)+) => {$(
        impl<'a, $P: $($bounds)+> $Attempt<'a, $P> {
            /// The operand in the expression over tensors.
            #[inline(always)]
            pub fn typed(&self) -> <$Leaf as Leaf>::Operand<'a> {
                self.operand()
            }

            /// The operand that the pass reads.
            #[inline(always)]
            pub fn operand(&self) -> <$Leaf as Leaf>::Operand<'a> {
                let $this = self;
                Leaf::operand($leaf)
            }
        }

        impl<'a, $P> Deref for $Attempt<'a, $P> {
            type Target = $Next<'a, $P>;

            #[inline(always)]
            fn deref(&self) -> &Self::Target {
                &self.0
            }
        }
    )+};
}

attempts! {
    OperandProbe<P> where (Leaf): |this| this.0.0.0.0 => P, Pointer;
    Pointer<P> where (Deref<Target: Leaf + Sized>): |this| this.0.0.0.deref() => P::Target, PointerToPointer;
    PointerToPointer<P> where (Deref<Target: Deref<Target: Leaf + Sized>>):
        |this| this.0.0.deref().deref() => <P::Target as Deref>::Target, NoLeaf;
}

impl<P> NoLeaf<'_, P> {
    /// The value itself, in code that never runs.
    pub fn typed(&self) -> P {
        never()
    }

    /// An operand, in a program that does not compile.
    pub fn operand(&self) -> NoOperand {
        NoOperand
    }
}

/// The operand for a value that is not a leaf.
#[doc(hidden)]
#[derive(Clone, Copy)]
#[cfg_attr(doc, doc(hidden))]
pub struct NoOperand;

/// A list of operands.
#[doc(hidden)]
pub trait Leaves: Copy + Sync {
    /// One element of each tensor, and the numbers.
    type Elements;
    /// The tensors alone.
    type Tensors: FusedTensors;

    /// The tensors alone.
    fn tensors(self) -> Self::Tensors;

    /// One element of each tensor, and the numbers.
    fn elements(self, elements: <Self::Tensors as FusedTensors>::Elements) -> Self::Elements;
}

impl Leaves for () {
    type Elements = ();
    type Tensors = ();

    #[inline(always)]
    fn tensors(self) {}

    #[inline(always)]
    fn elements(self, (): ()) {}
}

impl<'a, S: Shape, T: Element, Rest: Leaves> Leaves for (&'a Tensor<S, T>, Rest) {
    type Elements = (FusedElement<T>, Rest::Elements);
    type Tensors = (View<'a, S, T>, Rest::Tensors);

    #[inline(always)]
    fn tensors(self) -> Self::Tensors {
        (self.0.as_view(), self.1.tensors())
    }

    #[inline(always)]
    fn elements(
        self,
        (first, rest): (FusedElement<T>, <Rest::Tensors as FusedTensors>::Elements),
    ) -> Self::Elements {
        (first, self.1.elements(rest))
    }
}

impl<T: Element, Rest: Leaves> Leaves for (T, Rest) {
    type Elements = (T, Rest::Elements);
    type Tensors = Rest::Tensors;

    #[inline(always)]
    fn tensors(self) -> Self::Tensors {
        self.1.tensors()
    }

    #[inline(always)]
    fn elements(self, elements: <Rest::Tensors as FusedTensors>::Elements) -> Self::Elements {
        (self.0, self.1.elements(elements))
    }
}

impl<Rest: Leaves> Leaves for (NoOperand, Rest) {
    type Elements = (FusedElement<f32>, Rest::Elements);
    type Tensors = Rest::Tensors;

    fn tensors(self) -> Self::Tensors {
        never()
    }

    fn elements(self, _: <Rest::Tensors as FusedTensors>::Elements) -> Self::Elements {
        never()
    }
}

/// A number of tensors that can be read in one pass: at most eight.
///
/// ```compile_fail,E0277
/// use tensor_core::{fuse, tensor};
///
/// let x = tensor![1.0];
/// let [a, b, c, d, e, f, g, h] = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0].map(|n| tensor![n]);
/// let _ = fuse!(a + b + c + d + e + f + g + h + x);
/// ```
#[diagnostic::on_unimplemented(
    message = "`fuse!` reads at most eight tensors in one pass, and these are more",
    label = "more than eight tensors in here",
    note = "compute a part of it first: `let part = fuse!(…);`, and write `part` instead; numbers and tensors that are named twice do not count [T709]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait OnePass {
    /// The type of an argument that requires this trait.
    #[doc(hidden)]
    type Proof;
}

/// Up to eight tensors.
#[doc(hidden)]
pub struct AtMostEight;

/// Nine tensors or more, which are not read in [one pass](OnePass).
#[cfg_attr(doc, doc(hidden))]
pub struct TooManyTensors;

impl OnePass for AtMostEight {
    type Proof = ();
}

/// A list of tensors.
#[doc(hidden)]
pub trait FusedTensors: Copy {
    /// One element of each.
    type Elements;

    /// Broadcasts the axes of all of them.
    ///
    /// # Errors
    ///
    /// Two named axes may have got different sizes at run time.
    fn broadcast_into(self, meeting: &mut BroadcastSizes) -> Result<(), ShapeError>;
}

impl FusedTensors for () {
    type Elements = ();

    fn broadcast_into(self, _: &mut BroadcastSizes) -> Result<(), ShapeError> {
        Ok(())
    }
}

impl<S: Shape, T: Element, Rest: FusedTensors> FusedTensors for (View<'_, S, T>, Rest) {
    type Elements = (FusedElement<T>, Rest::Elements);

    fn broadcast_into(self, meeting: &mut BroadcastSizes) -> Result<(), ShapeError> {
        meeting.join(self.0.shape)?;
        self.1.broadcast_into(meeting)
    }
}
