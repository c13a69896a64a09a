//! Operations that overwrite an operand with the result.

use tensor_kernels::array_ref::ArrayRef;
use tensor_kernels::element::operation::{BinaryOp, ElementCost};
use tensor_kernels::element::{Element, Isa};
use tensor_kernels::kernel::elementwise::{Run, Splats};
use tensor_kernels::kernel::function::Function;
use tensor_kernels::layout::{ErasedView, is_contiguous};
use tensor_kernels::ops::{ElementwiseCall, Kernel, Params};
use tensor_kernels::plan::StaticPlan;
use tensor_kernels::static_calls::{assign_with_scalar, call_assign, call_assign_second};
use tensor_kernels::storage::{INLINE, Storage};

use super::plans::{PairPlan, Target};
use super::{apply, binary, check_divisor, check_scalar, map, result_shape, unwrap_or_panic};
use crate::shape::broadcast::{Broadcast, BroadcastOf, Broadcasted, InPlace};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::typed_view::{SizesOf, View};

/// The elements of a target, if it is contiguous and its storage is not shared.
#[inline]
#[track_caller]
fn writable<S: Shape, T: Element>(target: &mut Tensor<S, T>) -> Option<&mut [T]> {
    if !target.layout.is_none() {
        return None;
    }
    target.storage.get_mut()
}

/// Writes the results of a kernel for a target and an operand into the target, if it is
/// [writable](writable).
///
/// # Safety
///
/// As [`evaluate`](super::evaluate), with results of type `A`. The target is the first operand, and has the sizes of
/// the result.
#[inline]
#[track_caller]
unsafe fn update<S: Shape, A: Element, Y: Shape, B: Element>(
    kernel: &Kernel<2>,
    params: Params,
    target: &mut Tensor<S, A>,
    operand: View<'_, Y, B>,
    plan: &Option<StaticPlan<2>>,
    contiguous: Option<usize>,
) -> bool {
    let shape = target.axes;
    let Some(elements) = writable(target) else { return false };
    let out = elements.as_mut_ptr();
    if let Some(len) = contiguous
        && is_contiguous(operand.layout())
    {
        let source = operand.elements();
        assert!(elements.len() >= len && source.len() >= len);
        let firsts = [out.cast_const().cast(), source.as_ptr().cast()];
        // SAFETY: as the caller promises; both have `len` elements, and the results overwrite the
        // target.
        unsafe { kernel.write_contiguous(params, firsts, Splats::NONE, len, out.cast()) };
        return true;
    }
    let [of_target, of_operand] = &mut <[Sizes; 2]>::default();
    let sizes = [SizesOf::of(shape, of_target), SizesOf::of(operand.shape, of_operand)];
    // SAFETY: as the caller promises; the target is contiguous.
    unsafe { update_any(kernel, params, elements, sizes, operand.array, plan) };
    true
}

/// [`update`] of operands of any sizes, the target first: compiled once for each element type.
///
/// # Safety
///
/// As [`update`]; the elements are those of the target, in row-major order.
#[inline(never)]
#[track_caller]
unsafe fn update_any<A: Element, B: Element>(
    kernel: &Kernel<2>,
    params: Params,
    elements: &mut [A],
    [sizes, of_operand]: [&[usize]; 2],
    operand: ArrayRef<'_, B>,
    plan: &Option<StaticPlan<2>>,
) {
    let (out, len) = (elements.as_mut_ptr(), elements.len());
    // SAFETY: these are the elements of the target, which the kernel alone writes.
    let target = unsafe { ErasedView::contiguous(sizes, out.cast_const().cast(), len) };
    let operands = [target, operand.with_sizes(of_operand).untyped()];
    // SAFETY: as the caller promises; the results overwrite the target.
    unsafe { kernel.write(params, plan, sizes, &operands, out.cast()) };
}

/// An operand, owned or borrowed, of an operation that may write its results into an owned operand.
pub(crate) trait Reusable<S: Shape, T: Element> {
    /// Whether the operand is owned.
    const IS_OWNED: bool;

    /// The tensor, if it is owned.
    #[track_caller]
    fn owned(&mut self) -> Option<&mut Tensor<S, T>>;

    /// The tensor by value, if it is owned.
    #[track_caller]
    fn into_owned(self) -> Option<Tensor<S, T>>;

    #[track_caller]
    fn as_view(&self) -> View<'_, S, T>;
}

impl<S: Shape, T: Element> Reusable<S, T> for Tensor<S, T> {
    const IS_OWNED: bool = true;

    #[inline(always)]
    #[track_caller]
    fn owned(&mut self) -> Option<&mut Tensor<S, T>> {
        Some(self)
    }

    #[inline(always)]
    #[track_caller]
    fn into_owned(self) -> Option<Tensor<S, T>> {
        Some(self)
    }

    #[inline(always)]
    #[track_caller]
    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

impl<S: Shape, T: Element> Reusable<S, T> for View<'_, S, T> {
    const IS_OWNED: bool = false;

    #[inline(always)]
    #[track_caller]
    fn owned(&mut self) -> Option<&mut Tensor<S, T>> {
        None
    }

    #[inline(always)]
    #[track_caller]
    fn into_owned(self) -> Option<Tensor<S, T>> {
        None
    }

    #[inline(always)]
    #[track_caller]
    fn as_view(&self) -> View<'_, S, T> {
        *self
    }
}

/// [`binary`] that reuses the memory of an owned operand for the result, if it has the result's shape.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn binary_reuse<Op, L, R, T, X, Y>(mut a: X, b: Y) -> Tensor<Broadcasted<L, R>, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
    X: Reusable<L, T>,
    Y: Reusable<R, T>,
{
    if PairPlan::<L, R>::SMALL.is_none() {
        let shapes = (a.as_view().shape, b.as_view().shape);
        let shape = result_shape!(
            Broadcasted<L, R>,
            <L as BroadcastOf<L, R>>::result_shape,
            (shapes.0, shapes.1)
        );
        // An operand in row-major order fits into memory, as its result then does. Of two owned operands, the second
        // one is written if the first one is not writable.
        let is_reused = if const { Y::IS_OWNED } {
            a.owned().and_then(writable).is_some()
        } else {
            a.as_view().layout().is_none()
        };
        if const { X::IS_OWNED } && is_reused && same_sizes(shape, shapes.0) {
            check_divisor::<Op, L, R, T>(a.as_view(), b.as_view());
            let target = a.into_owned().expect("it is owned");
            return reused::<Op, L, R, L, T, 0>(shape, shapes, target, b.as_view().array);
        }
        let is_reused = b.as_view().layout().is_none();
        if const { Y::IS_OWNED } && is_reused && same_sizes(shape, shapes.1) {
            check_divisor::<Op, L, R, T>(a.as_view(), b.as_view());
            let target = b.into_owned().expect("it is owned");
            return reused::<Op, L, R, R, T, 1>(shape, shapes, target, a.as_view().array);
        }
    }
    binary::<Op, L, R, T>(a.as_view(), b.as_view())
}

/// [`binary_reuse`] in the memory of operand number `TARGET`, 0 or 1, which has the sizes of the result.
#[inline(always)]
#[track_caller]
fn reused<Op, L, R, S, T, const TARGET: usize>(
    shape: Broadcasted<L, R>,
    shapes: (L, R),
    target: Tensor<S, T>,
    operand: ArrayRef<'_, T>,
) -> Tensor<Broadcasted<L, R>, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + Broadcast<R>,
    R: Shape,
    S: Shape,
    T: Element,
{
    let Tensor { axes: of_target, mut layout, mut storage } = target;
    // SAFETY: the kernel is that of the operation on elements of type `T`, which its results are too; the
    // results have the sizes of the target, and the operands those of the call.
    unsafe {
        let assign = const { if TARGET == 0 { call_assign::<T> } else { call_assign_second::<T> } };
        if const { PairPlan::<L, R>::CALL.is_some() } {
            let call = PairPlan::<L, R>::CALL.as_ref().expect("the sizes are static");
            assign(Op::KERNEL, call, &mut layout, &mut storage, operand);
        } else {
            let [of_a, of_b, sizes] = &mut <[Sizes; 3]>::default();
            let operands = [SizesOf::of(shapes.0, of_a), SizesOf::of(shapes.1, of_b)];
            let call = ElementwiseCall::new(SizesOf::of(of_target, sizes), operands);
            assign(Op::KERNEL, &call, &mut layout, &mut storage, operand);
        }
    }
    Tensor { axes: shape, layout, storage }
}

/// Whether two shapes have the same sizes; a constant for static shapes.
#[track_caller]
fn same_sizes<X: Shape, Y: Shape>(x: X, y: Y) -> bool {
    match (X::STATIC_SIZES, Y::STATIC_SIZES) {
        (Some(x), Some(y)) => x.as_slice() == y.as_slice(),
        _ => X::RANK == Y::RANK && x.sizes() == y.sizes(),
    }
}

/// `a = op(a, b)`, element by element, for an operand that broadcasts to the target: a call, or a tiny
/// target, whose elements are computed right here.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn assign<Op, L, R, T>(a: &mut Tensor<L, T>, b: View<'_, R, T>)
where
    Op: BinaryOp<T, Output = T>,
    L: Shape,
    R: InPlace<L> + Shape,
    T: Element,
{
    check_divisor::<Op, L, R, T>(a.as_view(), b);
    if const { Target::<L, R>::SMALL.is_some() && matches!(Op::COST, ElementCost::Cheap) }
        && let (true, Storage::Inline(elements)) = (a.layout.is_none(), &mut a.storage)
        && assign_small::<Op, L, R, T>(elements, b)
    {
        return;
    }
    let Tensor { axes: shape, layout, storage } = a;
    // SAFETY: the kernel is that of the operation on elements of type `T`, which its results are too; the
    // results have the sizes of the target.
    unsafe {
        if const { Target::<L, R>::CALL.is_some() } {
            let call = Target::<L, R>::CALL.as_ref().expect("the sizes are static");
            return call_assign(Op::KERNEL, call, layout, storage, b.array);
        }
        check_fits(b.shape, *shape);
        let [of_a, of_b] = &mut <[Sizes; 2]>::default();
        let sizes = SizesOf::of(*shape, of_a);
        let call = ElementwiseCall::new(sizes, [sizes, SizesOf::of(b.shape, of_b)]);
        call_assign(Op::KERNEL, &call, layout, storage, b.array);
    }
}

/// Computes a tiny target without a call, if the operand is stored inline too, or is a number.
#[inline(always)]
#[track_caller]
fn assign_small<Op, L, R, T>(elements: &mut [T; INLINE], b: View<'_, R, T>) -> bool
where
    Op: BinaryOp<T, Output = T>,
    L: Shape,
    R: InPlace<L> + Shape,
    T: Element,
{
    let small = Target::<L, R>::SMALL.as_ref().expect("the target is small");
    // A separate array: the compiler need not know that the operands do not overlap.
    let mut results = *elements;
    let mut k = 0;
    match (b.inline(), b.array.storage()) {
        (Some(y), _) if small.same => {
            while k < small.len {
                results[k] = Op::apply(Isa::BASELINE, results[k], y[k]);
                k += 1;
            }
        }
        (Some(y), _) => {
            while k < small.len {
                results[k] = Op::apply(Isa::BASELINE, results[k], y[small.indices[k]]);
                k += 1;
            }
        }
        (None, Err(&y)) => {
            while k < small.len {
                results[k] = Op::apply(Isa::BASELINE, results[k], y);
                k += 1;
            }
        }
        _ => return false,
    }
    *elements = results;
    true
}

/// Compares the run-time sizes of an operand with those of the target.
///
/// # Panics
///
/// If a named axis has different sizes on the two sides.
#[inline(always)]
#[track_caller]
fn check_fits<R: InPlace<L> + Shape, L: Shape>(operand: R, target: L) {
    // The target is the left side, as it is written.
    let fits = operand.fits(target).map_err(|mismatch| mismatch.swapped());
    unwrap_or_panic(fits.map_err(|mismatch| mismatch.in_rank(L::RANK)));
}

/// Replaces the elements of the target by the results of a function for them and those of an operand.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn zip_assign<L, R, A, B>(
    function: Function<'_, (A, B), A, 2>,
    a: &mut Tensor<L, A>,
    b: View<'_, R, B>,
) where
    L: Shape,
    R: InPlace<L> + Shape,
    A: Element,
    B: Element,
{
    let shape = a.axes;
    check_fits(b.shape, shape);
    let (plan, len) = (Target::<L, R>::PLAN, Target::<L, R>::CONTIGUOUS_LEN);
    let (kernel, params) = function.untyped();
    // SAFETY: the function has these types; the operand broadcasts to the target, which has the sizes of the result.
    if !unsafe { update(kernel, params, a, b, plan, len) } {
        let view = a.as_view();
        let [of_a, of_b] = &mut <[Sizes; 2]>::default();
        *a = apply(function, shape, plan, (view.erase(of_a), b.erase(of_b)));
    }
}

/// Replaces every element by the result of a function for it.
#[inline]
#[track_caller]
pub(crate) fn map_assign<S: Shape, T: Element>(
    function: Function<'_, (T,), T, 1>,
    x: &mut Tensor<S, T>,
) {
    let len = x.len();
    if let Some(elements) = writable(x) {
        return function.replace_all(&mut elements[..len]);
    }
    *x = map(function, x.as_view());
}

/// [`with_scalar`](super::with_scalar) that reuses the memory of the tensor for the result.
#[inline]
#[track_caller]
pub(crate) fn with_scalar_reuse<Op, S, T, const OPERAND: usize>(
    mut x: Tensor<S, T>,
    scalar: T,
) -> Tensor<S, T>
where
    Op: BinaryOp<T, Output = T>,
    S: Shape,
    T: Element,
{
    check_scalar::<Op, S, T, OPERAND>(x.as_view(), scalar);
    let sizes = &mut Sizes::new();
    let sizes = SizesOf::of(x.axes, sizes);
    let target = (&mut x.layout, &mut x.storage);
    // SAFETY: the kernel is that of the operation on elements of type `T`, which its results are too; the sizes are
    // those of the tensor.
    unsafe { assign_with_scalar(Op::KERNEL, sizes, target, &scalar, OPERAND) };
    x
}

/// [`scalar_rhs`](super::scalar_rhs) that reuses the memory of the tensor for the result.
#[inline]
#[track_caller]
pub(crate) fn scalar_rhs_reuse<Op, L, T>(
    x: Tensor<L, T>,
    scalar: T,
) -> Tensor<Broadcasted<L, ()>, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + BroadcastOf<L, ()>,
    T: Element,
{
    let shape = result_shape!(
        Broadcasted<L, ()>,
        <L as BroadcastOf<L, ()>>::result_shape,
        (x.axes, ())
    );
    with_scalar_reuse::<Op, L, T, 1>(x, scalar).in_shape(shape)
}
