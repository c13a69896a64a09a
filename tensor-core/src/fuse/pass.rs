//! One pass over any tensors: the function that [`fuse!`](crate::fuse!) runs.

#![allow(unsafe_code, reason = "chunks of elements have no type")]

use core::ptr::from_ref;

use tensor_array::array::gradients::{recorded, traced};
use tensor_array::array::trace::is_any_traced;
use tensor_kernels::element::Element;
use tensor_kernels::kernel::chunk::{Expression, OfExpression, RawChunk};
use tensor_kernels::ops::Kernel;

use super::broadcast_sizes::BroadcastSizes;
use super::{AtMostEight, FusedElement, FusedTensors, Leaves, OnePass, TooManyTensors, never};
use crate::shape::error::ShapeError;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::operations::dispatch::{self, combine, constant_plan};
use crate::tensor::recording::Recordable;
use crate::tensor::typed_view::View;

/// The promise that an expression reads each temporary result once: its memory is reused.
#[doc(hidden)]
pub struct ReadOnce(());

impl ReadOnce {
    /// The promise.
    ///
    /// # Safety
    ///
    /// The function that it is given with uses each result of an operation as the operand of one other operation.
    #[inline(always)]
    #[track_caller]
    pub unsafe fn new() -> Self {
        Self(())
    }
}

/// The tensor of shape `S` whose elements `f` computes.
///
/// The operands broadcast to `S`: the expression over the tensors, whose type this is, was checked for
/// it.
///
/// # Panics
///
/// When a named axis has two sizes.
#[doc(hidden)]
#[inline]
#[track_caller]
pub fn run_fused<L: Leaves, S: Shape, O: Element>(
    leaves: L,
    _: <<L::Tensors as FusedLoop>::Count as OnePass>::Proof,
    f: impl Fn(L::Elements) -> FusedElement<O> + Sync,
    _: ReadOnce,
) -> Tensor<S, O>
where
    L::Tensors: FusedLoop,
    <L::Tensors as FusedLoop>::Count: OnePass,
{
    let tensors = leaves.tensors();
    let shape = dispatch::result_shape!(S, result_shape::<S, L::Tensors>, (tensors));
    tensors.collect(
        shape,
        #[inline(always)]
        move |elements| f(leaves.elements(elements)),
    )
}

/// The shape of the result, if not all sizes are static.
#[inline]
#[track_caller]
fn result_shape<S: Shape, T: FusedTensors>(tensors: T) -> Result<S, ShapeError> {
    let mut meeting = BroadcastSizes::default();
    tensors.broadcast_into(&mut meeting)?;
    S::from_sizes(&meeting.sizes())
}

/// A list of tensors that are read in one pass.
#[doc(hidden)]
pub trait FusedLoop: FusedTensors {
    /// Whether there are at most eight.
    type Count;

    /// Computes `f` of the elements that broadcast to each element of `shape`.
    #[track_caller]
    fn collect<S: Shape, O: Element>(
        self,
        shape: S,
        f: impl Fn(Self::Elements) -> FusedElement<O> + Sync,
    ) -> Tensor<S, O>;
}

/// A list of types: `(A, (B, ()))`.
macro_rules! list {
    (.. $rest:tt) => { $rest };
    ($first:tt $($rest:tt)*) => { ($first, list!($($rest)*)) };
    () => { () };
}

/// A list of views: `(View<'a, SA, A>, (View<'a, SB, B>, ()))`.
macro_rules! views {
    ($S:ident $T:ident $($rest:tt)*) => { (View<'a, $S, $T>, views!($($rest)*)) };
    () => { () };
}

/// Generates the impl for this number of tensors.
macro_rules! tensors {
    ($($n:literal($($x:ident: $S:ident $T:ident @ $of_x:ident),+);)+) => {$(
        impl<'a, $($S: Shape, $T: Element),+> FusedLoop for views!($($S $T)+) {
            type Count = AtMostEight;

            #[inline]
            #[track_caller]
            fn collect<S: Shape, O: Element>(
                self,
                shape: S,
                work: impl Fn(Self::Elements) -> FusedElement<O> + Sync,
            ) -> Tensor<S, O> {
                let list!($($x)+) = self;
                let plan = const { &constant_plan(S::STATIC_SIZES, [$($S::STATIC_SIZES),+]) };
                let expression = |[$($x),+]: [RawChunk; $n]| {
                    // SAFETY: these are the elements of the operands, in order; operations run while
                    // they are valid.
                    $(let $x = unsafe { FusedElement::<$T>::new($x) };)+
                    work(list!($($x)+)).get()
                };
                let expression: &Expression<'_, $n> = &expression;
                let kernel = Kernel::<$n>::of_expression([$(size_of::<$T>()),+], size_of::<O>());
                let params = from_ref(&expression).cast();
                let is_recorded = $($x.is_recorded())||+;
                if is_recorded && is_any_traced(&[$(&$x),+]) {
                    let trace = Kernel::<$n>::trace(expression);
                    return Tensor::with_shape(shape, traced(&trace, &[$(&$x),+]));
                }
                // SAFETY: the kernel is that of the expression, which the parameters point to; its
                // results are of type `O`.
                let result = unsafe {
                    if const { $(dispatch::is_static::<$S>())&&+ } {
                        combine(&kernel, params, shape, plan, &[$($x.erase_static().untyped()),+])
                    } else {
                        $(let $of_x = &mut Sizes::new();)+
                        let operands = &[$($x.erase($of_x).untyped()),+];
                        combine(&kernel, params, shape, plan, operands)
                    }
                };
                if is_recorded {
                    let trace = Kernel::<$n>::trace(expression);
                    // SAFETY: the expression reads these operands.
                    return unsafe { recorded(result, trace, &[$(&$x),+]) };
                }
                result
            }
        }
    )+
    };
}

tensors! {
    1(a: SA A @ of_a);
    2(a: SA A @ of_a, b: SB B @ of_b);
    3(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c);
    4(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c, d: SD D @ of_d);
    5(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c, d: SD D @ of_d, e: SE E @ of_e);
    6(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c, d: SD D @ of_d, e: SE E @ of_e, f: SF F @ of_f);
    7(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c, d: SD D @ of_d, e: SE E @ of_e, f: SF F @ of_f, g: SG G @ of_g);
    8(a: SA A @ of_a, b: SB B @ of_b, c: SC C @ of_c, d: SD D @ of_d, e: SE E @ of_e, f: SF F @ of_f, g: SG G @ of_g, h: SH H @ of_h);
}

// Without a tensor, or with too many of them, the program does not compile.

impl FusedLoop for () {
    type Count = AtMostEight;

    #[track_caller]
    fn collect<S: Shape, O: Element>(
        self,
        _: S,
        _: impl Fn(()) -> FusedElement<O> + Sync,
    ) -> Tensor<S, O> {
        never()
    }
}

impl<A, B, C, D, E, F, G, H, I, Rest> FusedLoop for list!(A B C D E F G H I .. Rest)
where
    Self: FusedTensors,
{
    type Count = TooManyTensors;

    #[track_caller]
    fn collect<S: Shape, O: Element>(
        self,
        _: S,
        _: impl Fn(Self::Elements) -> FusedElement<O> + Sync,
    ) -> Tensor<S, O> {
        never()
    }
}
