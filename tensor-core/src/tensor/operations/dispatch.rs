//! From typed operands to the [kernels](tensor_kernels::kernel): the shape of the result, its plan, and
//! the memory that receives it.
//!
//! Shape types are erased here. What follows from a static shape is a constant in this module, tiny
//! tensors are computed here, and everything else is a call of a function without type parameters.

#![allow(unsafe_code, reason = "kernels take pointers")]

mod in_place;
mod plans;

pub(crate) use in_place::{
    assign, binary_reuse, map_assign, scalar_rhs_reuse, with_scalar_reuse, zip_assign,
};
pub(crate) use plans::constant_plan;
use plans::{PairPlan, TriplePlan};

use tensor_kernels::element::operation::{BinaryOp, ElementCost, UnaryOp};
use tensor_kernels::element::{Element, Isa};
use tensor_kernels::evaluate::{call_views, call_with_scalar};
pub(crate) use tensor_kernels::evaluate::{copy_to_vec, evaluate, unwrap_or_panic};
use tensor_kernels::kernel::division;
use tensor_kernels::kernel::elementwise::{Run, Splats};
use tensor_kernels::kernel::function::{Function, Operands};
use tensor_kernels::layout::is_traced;
use tensor_kernels::layout::{ErasedView, checked_len, is_contiguous};
use tensor_kernels::ops::{ElementwiseCall, Kernel, Params, RawResults};
use tensor_kernels::plan::StaticPlan;
use tensor_kernels::static_calls::{call_binary, call_binary_into, call_unary};
use tensor_kernels::storage::{Buffer, INLINE, Storage};

use crate::shape::broadcast::{Broadcast, BroadcastOf, Broadcasted, ElementWise3};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::broadcast_warning;
use crate::tensor::typed_view::{SizesOf, View};

/// The shape of a result of type `$S`: its constant if it is static, else the result of `$function`.
///
/// The function is an `Option`, `None` for a static shape: the compiler would visit a function called in
/// a dead branch, for each shape, which is much of the compile time of an operation on new shapes.
macro_rules! result_shape {
    ($S:ty, $function:expr, ($($shape:expr),+)) => {{
        let function = const {
            if <$S as Shape>::CONSTANT.is_some() {
                None
            } else {
                Some($function as fn($($crate::tensor::operations::dispatch::any_type!($shape)),+) -> _)
            }
        };
        match function {
            Some(function) => {
                $crate::tensor::operations::dispatch::unwrap_or_panic(function($($shape),+))
            }
            None => <$S as Shape>::CONSTANT.expect("the branch above found that it is static"),
        }
    }};
}

/// A type that is inferred, for an argument.
macro_rules! any_type {
    ($argument:expr) => {
        _
    };
}

pub(crate) use any_type;
pub(crate) use result_shape;

/// Whether all sizes of a shape are static.
#[track_caller]
pub(crate) const fn is_static<S: Shape>() -> bool {
    S::STATIC_SIZES.is_some()
}

/// The tensor of a shape whose elements a kernel computes.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn combine<S: Shape, O: Element, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    shape: S,
    plan: &Option<StaticPlan<N>>,
    operands: &[ErasedView<'_>; N],
) -> Tensor<S, O>
where
    Kernel<N>: Run<N>,
{
    // SAFETY: as the caller promises; `out` has room for the results, all of which are written, and they
    // are of type `O`.
    let storage = unsafe {
        if const { matches!(kind_of_storage::<S, O>(), Some(Kind::Inline)) } {
            let mut results = [O::ZERO; INLINE];
            let sizes = SizesOf::<S>::STATIC;
            kernel.write(params, plan, sizes, operands, results.as_mut_ptr().cast());
            Storage::Inline(results)
        } else if const { matches!(kind_of_storage::<S, O>(), Some(Kind::Heap)) } {
            let sizes = SizesOf::<S>::STATIC;
            Storage::Heap(Buffer::from_raw(kernel.collect(params, plan, sizes, operands)))
        } else {
            evaluate(kernel, params, plan, &shape.sizes(), operands)
        }
    };
    Tensor::from_storage(shape, storage)
}

/// The tensor of a shape whose elements are the results of a function.
#[inline]
#[track_caller]
pub(crate) fn apply<S: Shape, X: Operands<N>, O: Element, const N: usize>(
    function: Function<'_, X, O, N>,
    shape: S,
    plan: &Option<StaticPlan<N>>,
    operands: X::Views<'_>,
) -> Tensor<S, O>
where
    Kernel<N>: Run<N>,
{
    let (kernel, params) = function.untyped();
    // SAFETY: the function has these types.
    unsafe { combine(kernel, params, shape, plan, &X::untyped(operands)) }
}

/// Where the elements of a tensor are stored.
enum Kind {
    /// Inline, in the `Tensor` itself.
    Inline,
    /// In a heap allocation.
    Heap,
}

/// Where the elements of a shape are stored, if it is static: then only that case is compiled.
#[track_caller]
const fn kind_of_storage<S: Shape, O>() -> Option<Kind> {
    let Some(sizes) = S::STATIC_SIZES else { return None };
    // A number of elements that exceeds memory is rejected here, where the sizes are known.
    match checked_len(sizes.as_slice(), size_of::<O>()) {
        Some(..=INLINE) => Some(Kind::Inline),
        Some(_) => Some(Kind::Heap),
        None => None,
    }
}

/// Whether a shape is static and its elements are stored on the heap.
#[track_caller]
pub(crate) const fn is_on_heap<S: Shape, O>() -> bool {
    matches!(kind_of_storage::<S, O>(), Some(Kind::Heap))
}

/// The tensor with these results.
///
/// # Safety
///
/// There is one of type `O` for each element of the shape.
#[inline(always)]
#[track_caller]
pub(crate) unsafe fn with_results<S: Shape, O: Element>(
    shape: S,
    (results, layout): RawResults,
) -> Tensor<S, O> {
    // SAFETY: the results are of type `O`.
    let storage = Storage::Heap(unsafe { Buffer::from_raw(results) });
    Tensor { axes: shape, storage, layout }
}

/// `[..s] → [..s]`: applies a function to every element.
#[inline]
#[track_caller]
pub(crate) fn map<S: Shape, T: Element, O: Element>(
    function: Function<'_, (T,), O, 1>,
    x: View<'_, S, T>,
) -> Tensor<S, O> {
    let storage = function.map(x.erase(&mut Sizes::new()));
    Tensor::from_storage(x.shape, storage)
}

/// Applies an operation of the table to every element: `[..s] → [..s]`.
#[inline]
#[track_caller]
pub(crate) fn unary<Op: UnaryOp<T>, S: Shape, T: Element>(
    x: View<'_, S, T>,
) -> Tensor<S, Op::Output> {
    if const { is_on_heap::<S, Op::Output>() } {
        // SAFETY: the kernel is that of the operation on elements of type `T`, and returns elements of
        // type `T` where it has a rule.
        let results = unsafe { call_unary(Op::KERNEL, SizesOf::<S>::STATIC, x.array) };
        // SAFETY: the results are of type `Op::Output`.
        return unsafe { with_results(x.shape, results) };
    }
    let sizes = &mut Sizes::new();
    let sizes = SizesOf::of(x.shape, sizes);
    // SAFETY: the kernel is that of the operation on elements of type `T`; its results are `Op::Output`.
    let (storage, layout) =
        unsafe { call_views(Op::KERNEL, &ElementwiseCall::new(sizes, [sizes]), [x.array]) };
    Tensor { axes: x.shape, storage, layout }
}

/// Checks for a division of integers by zero. Where the operation does not divide, or divides floats, no
/// code is generated.
///
/// # Panics
///
/// If an element of `b` is 0, unless there is nothing to divide.
#[inline]
#[track_caller]
fn check_divisor<Op, L, R, T>(a: View<'_, L, T>, b: View<'_, R, T>)
where
    Op: BinaryOp<T>,
    L: Shape,
    R: Shape,
    T: Element,
{
    if const { Op::DIVIDES.is_some() } && !is_traced(b.layout()) {
        let element = Op::DIVIDES.expect("it was there right before");
        let [of_a, of_b] = &mut <[Sizes; 2]>::default();
        division::check_divisor(element, SizesOf::of(a.shape, of_a), b.erase(of_b));
    }
}

/// Applies a function to every pair of elements: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn zip2<L, R, A, B, O>(
    function: Function<'_, (A, B), O, 2>,
    a: View<'_, L, A>,
    b: View<'_, R, B>,
) -> Tensor<Broadcasted<L, R>, O>
where
    L: Shape + Broadcast<R>,
    R: Shape,
    A: Element,
    B: Element,
    O: Element,
{
    if const { broadcast_warning::is_possible::<L, R>() } {
        broadcast_warning::check(a.shape, b.shape);
    }
    let shape = result_shape!(
        Broadcasted<L, R>,
        <L as BroadcastOf<L, R>>::result_shape,
        (a.shape, b.shape)
    );
    if const { PairPlan::<L, R>::CONTIGUOUS_LEN.is_some() }
        && is_contiguous(a.layout())
        && is_contiguous(b.layout())
    {
        let len = const {
            match PairPlan::<L, R>::CONTIGUOUS_LEN {
                Some(len) => len,
                None => 0,
            }
        };
        let (kernel, params) = function.untyped();
        let firsts = [a.array.first(len), b.array.first(len)];
        // SAFETY: the function has these types; both have `len` elements. All results are written.
        let results = unsafe {
            Buffer::from_raw(kernel.collect_contiguous(params, firsts, Splats::NONE, len))
        };
        return Tensor::from_storage(shape, Storage::Heap(results));
    }
    if const { is_static::<L>() && is_static::<R>() } {
        let operands = (a.erase_static(), b.erase_static());
        return apply(function, shape, PairPlan::<L, R>::PLAN, operands);
    }
    let [of_a, of_b] = &mut <[Sizes; 2]>::default();
    apply(function, shape, PairPlan::<L, R>::PLAN, (a.erase(of_a), b.erase(of_b)))
}

/// Applies a function to three operands that broadcast:
/// `[..a], [..b], [..c] → [..(a ⊕ b ⊕ c)]`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[track_caller]
pub(crate) fn zip3<SA, SB, SC, A, B, C, O>(
    function: Function<'_, (A, B, C), O, 3>,
    a: View<'_, SA, A>,
    b: View<'_, SB, B>,
    c: View<'_, SC, C>,
) -> Tensor<<SC as ElementWise3<SA, SB>>::Output, O>
where
    SA: Shape,
    SB: Shape,
    SC: ElementWise3<SA, SB>,
    A: Element,
    B: Element,
    C: Element,
    O: Element,
{
    let shape = result_shape!(
        <SC as ElementWise3<SA, SB>>::Output,
        <SC as ElementWise3<SA, SB>>::result_shape,
        (a.shape, b.shape, c.shape)
    );
    let plan = TriplePlan::<SA, SB, SC>::PLAN;
    if const { is_static::<SA>() && is_static::<SB>() && is_static::<SC>() } {
        let operands = (a.erase_static(), b.erase_static(), c.erase_static());
        return apply(function, shape, plan, operands);
    }
    let [of_a, of_b, of_c] = &mut <[Sizes; 3]>::default();
    apply(function, shape, plan, (a.erase(of_a), b.erase(of_b), c.erase(of_c)))
}

/// Applies an operation of the table to every pair of elements: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline(always)]
#[track_caller]
pub(crate) fn binary<Op, L, R, T>(
    a: View<'_, L, T>,
    b: View<'_, R, T>,
) -> Tensor<Broadcasted<L, R>, Op::Output>
where
    Op: BinaryOp<T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
{
    if const { Op::DIVIDES.is_some() } {
        check_divisor::<Op, L, R, T>(a, b);
    }
    if const { broadcast_warning::is_possible::<L, R>() } {
        broadcast_warning::check(a.shape, b.shape);
    }
    let shape = result_shape!(
        Broadcasted<L, R>,
        <L as BroadcastOf<L, R>>::result_shape,
        (a.shape, b.shape)
    );
    if const { !is_static_call::<Op, L, R, T>() } {
        return binary_views::<Op, _, L, R, T>(shape, a, b);
    }
    let call = PairPlan::<L, R>::CALL.as_ref().expect("the sizes are static");
    // SAFETY: the kernel is that of the operation on elements of type `T`, and returns elements of type
    // `T` where it has a rule; the operands have the sizes of the call. The results are of type
    // `Op::Output`, and `results` has room for them.
    unsafe {
        if const { PairPlan::<L, R>::SMALL.is_some() } {
            if const { is_small_and_cheap::<Op, L, R, T>() }
                && let (Some(x), Some(y)) = (a.inline(), b.inline())
            {
                // A separate array: one shared by both branches would be kept in memory, and copied.
                let mut results = [Op::Output::ZERO; INLINE];
                write_small::<Op, L, R, T>(x, y, &mut results);
                return Tensor::from_storage(shape, Storage::Inline(results));
            }
            let mut results = [Op::Output::ZERO; INLINE];
            let out = results.as_mut_ptr().cast();
            let layout = call_binary_into(Op::KERNEL, call, a.array, b.array, out);
            Tensor { axes: shape, storage: Storage::Inline(results), layout }
        } else {
            with_results(shape, call_binary(Op::KERNEL, call, a.array, b.array))
        }
    }
}

/// Whether an operation on two operands is entirely static. False for a result that does not fit into memory,
/// which is rejected with its sizes and the location of the call.
#[track_caller]
const fn is_static_call<Op, L, R, T>() -> bool
where
    Op: BinaryOp<T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
{
    PairPlan::<L, R>::CALL.is_some() && kind_of_storage::<Broadcasted<L, R>, Op::Output>().is_some()
}

/// [`binary`] of sizes that are known only at run time, or exceed memory.
#[inline]
#[track_caller]
fn binary_views<Op, S, L, R, T>(
    shape: S,
    a: View<'_, L, T>,
    b: View<'_, R, T>,
) -> Tensor<S, Op::Output>
where
    Op: BinaryOp<T>,
    S: Shape,
    L: Shape,
    R: Shape,
    T: Element,
{
    let [of_result, of_a, of_b] = &mut <[Sizes; 3]>::default();
    let sizes = SizesOf::of(shape, of_result);
    let of_operands = [SizesOf::of(a.shape, of_a), SizesOf::of(b.shape, of_b)];
    let call = ElementwiseCall::new(sizes, of_operands);
    // SAFETY: the kernel is that of the operation on elements of type `T`; its results are `Op::Output`.
    let (storage, layout) = unsafe { call_views(Op::KERNEL, &call, [a.array, b.array]) };
    Tensor { axes: shape, storage, layout }
}

/// Whether the result is stored inline, its operands are too, and each element takes only a few
/// instructions.
#[track_caller]
const fn is_small_and_cheap<Op, L, R, T>() -> bool
where
    Op: BinaryOp<T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
{
    PairPlan::<L, R>::SMALL.is_some() && matches!(Op::COST, ElementCost::Cheap)
}

/// Computes a [small](is_small_and_cheap) result without a call.
#[inline(always)]
#[track_caller]
fn write_small<Op, L, R, T>(x: &[T; INLINE], y: &[T; INLINE], results: &mut [Op::Output; INLINE])
where
    Op: BinaryOp<T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
{
    let small = PairPlan::<L, R>::SMALL.as_ref().expect("the result is small");
    // Loops without iterators, which compile faster.
    let mut k = 0;
    if const { PairPlan::<L, R>::IS_SMALL_AND_SAME } {
        while k < small.len {
            results[k] = Op::apply(Isa::BASELINE, x[k], y[k]);
            k += 1;
        }
    } else {
        while k < small.len {
            let (a, b) = (x[small.left[k]], y[small.right[k]]);
            results[k] = Op::apply(Isa::BASELINE, a, b);
            k += 1;
        }
    }
}

/// [`check_divisor`] of a tensor and a scalar, which is operand number `OPERAND`.
#[inline]
#[track_caller]
fn check_scalar<Op: BinaryOp<T>, S: Shape, T: Element, const OPERAND: usize>(
    x: View<'_, S, T>,
    scalar: T,
) {
    let scalar = View::scalar(&scalar);
    if const { OPERAND == 0 } {
        check_divisor::<Op, (), S, T>(scalar, x);
    } else {
        check_divisor::<Op, S, (), T>(x, scalar);
    }
}

/// An operation of the table on every element and a scalar, which is operand number `OPERAND`.
#[inline]
#[track_caller]
pub(crate) fn with_scalar<Op, S, T, const OPERAND: usize>(
    x: View<'_, S, T>,
    scalar: T,
) -> Tensor<S, Op::Output>
where
    Op: BinaryOp<T>,
    S: Shape,
    T: Element,
{
    check_scalar::<Op, S, T, OPERAND>(x, scalar);
    let sizes = &mut Sizes::new();
    let sizes = SizesOf::of(x.shape, sizes);
    // SAFETY: the kernel is that of the operation on elements of type `T`; its results are `Op::Output`.
    let (storage, layout) =
        unsafe { call_with_scalar(Op::KERNEL, sizes, x.array, &scalar, OPERAND) };
    Tensor { axes: x.shape, storage, layout }
}

/// An operation of the table with a scalar on its right: `[..l], [] → [..(l ⊕ [])]`, where `l ⊕ []` is `l`.
#[inline]
#[track_caller]
pub(crate) fn scalar_rhs<Op, L, T>(x: View<'_, L, T>, scalar: T) -> Tensor<Broadcasted<L, ()>, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + BroadcastOf<L, ()>,
    T: Element,
{
    let shape = result_shape!(
        Broadcasted<L, ()>,
        <L as BroadcastOf<L, ()>>::result_shape,
        (x.shape, ())
    );
    with_scalar::<Op, L, T, 1>(x, scalar).in_shape(shape)
}
