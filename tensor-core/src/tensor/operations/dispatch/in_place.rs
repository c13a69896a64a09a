//! Operations that overwrite an operand with the result.

use super::plans::{PairPlan, Target};
use super::{
    NONE, binary, check_divisor, check_scalar, combine, map, result_shape, unwrap_or_panic,
    with_scalar,
};
use crate::array::array_ref::ArrayRef;
use crate::array::history::HasRule;
use crate::array::kernel::elementwise::{Run, Splats};
use crate::array::layout::{ErasedView, is_contiguous};
use crate::array::plan::StaticPlan;
use crate::array::storage::{INLINE, Storage};
use crate::element::{Element, Isa};
use crate::ops::{ElementwiseCall, Kernel, Params};
use crate::shape::broadcast::{Broadcast, BroadcastOf, Broadcasted, InPlace};
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use crate::tensor::recording::Recordable;
use crate::tensor::typed_view::{SizesOf, View};
use tensor_array::internal::element::operation::{BinaryOp, ElementCost};

/// The elements of a target, if it is contiguous and its storage is not shared.
#[inline]
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
/// As [`evaluate`], with results of type `A`. The target is operand number `OPERAND`, and has the sizes of
/// the result.
#[inline]
unsafe fn update<S: Shape, A: Element, Y: Shape, B: Element, const OPERAND: usize>(
    kernel: &Kernel<2>,
    params: Params,
    target: &mut Tensor<S, A>,
    operand: View<'_, Y, B>,
    plan: &Option<StaticPlan<2>>,
    contiguous: Option<usize>,
) -> bool {
    let shape = target.shape;
    let Some(elements) = writable(target) else { return false };
    let out = elements.as_mut_ptr();
    if let Some(len) = contiguous
        && is_contiguous(operand.layout())
    {
        let source = operand.elements();
        assert!(elements.len() >= len && source.len() >= len);
        let mut firsts = [out.cast_const().cast(); 2];
        firsts[1 - OPERAND] = source.as_ptr().cast();
        // SAFETY: as the caller promises; both have `len` elements, and the results overwrite the
        // target.
        unsafe { kernel.write_contiguous(params, firsts, Splats::NONE, len, out.cast()) };
        return true;
    }
    let [of_target, of_operand] = &mut <[Sizes; 2]>::default();
    let sizes = [SizesOf::of(shape, of_target), SizesOf::of(operand.shape, of_operand)];
    // SAFETY: as the caller promises; the target is contiguous.
    unsafe { update_any(kernel, params, elements, sizes, operand.array, plan, OPERAND) };
    true
}

/// [`update`] of operands of any sizes, the target first: compiled once for each element type.
///
/// # Safety
///
/// As [`update`]; the elements are those of the target, in row-major order, and it is operand number `operand_number`.
#[inline(never)]
unsafe fn update_any<A: Element, B: Element>(
    kernel: &Kernel<2>,
    params: Params,
    elements: &mut [A],
    [sizes, of_operand]: [&[usize]; 2],
    operand: ArrayRef<'_, B>,
    plan: &Option<StaticPlan<2>>,
    operand_number: usize,
) {
    let (out, len) = (elements.as_mut_ptr(), elements.len());
    let mut operands = [ErasedView::contiguous(sizes, out.cast_const().cast(), len); 2];
    operands[1 - operand_number] = operand.with_sizes(of_operand).untyped();
    // SAFETY: as the caller promises; the results overwrite the target.
    unsafe { kernel.write(params, plan, sizes, &operands, out.cast()) };
}

/// An operand, owned or borrowed, of an operation that may write its results into an owned operand.
pub(crate) trait Reusable<S: Shape, T: Element> {
    /// The tensor, if it is owned.
    fn owned(&mut self) -> Option<&mut Tensor<S, T>>;

    /// The tensor by value, if it is owned.
    fn into_owned(self) -> Option<Tensor<S, T>>;

    fn as_view(&self) -> View<'_, S, T>;
}

impl<S: Shape, T: Element> Reusable<S, T> for Tensor<S, T> {
    #[inline(always)]
    fn owned(&mut self) -> Option<&mut Tensor<S, T>> {
        Some(self)
    }

    #[inline(always)]
    fn into_owned(self) -> Option<Tensor<S, T>> {
        Some(self)
    }

    #[inline(always)]
    fn as_view(&self) -> View<'_, S, T> {
        Tensor::as_view(self)
    }
}

impl<S: Shape, T: Element> Reusable<S, T> for View<'_, S, T> {
    #[inline(always)]
    fn owned(&mut self) -> Option<&mut Tensor<S, T>> {
        None
    }

    #[inline(always)]
    fn into_owned(self) -> Option<Tensor<S, T>> {
        None
    }

    #[inline(always)]
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
pub(crate) fn binary_reuse<Op, L, R, T>(
    mut a: impl Reusable<L, T>,
    mut b: impl Reusable<R, T>,
) -> Tensor<Broadcasted<L, R>, T>
where
    Op: BinaryOp<T, Output = T> + HasRule,
    L: Shape + Broadcast<R>,
    R: Shape,
    T: Element,
{
    if PairPlan::<L, R>::SMALL.is_none() && !a.as_view().is_recorded() && !b.as_view().is_recorded()
    {
        let (of_a, of_b) = (a.as_view().shape, b.as_view().shape);
        let shape = result_shape!(
            Broadcasted<L, R>,
            <L as BroadcastOf<L, R>>::result_shape,
            (of_a, of_b)
        );
        let (plan, len) = (PairPlan::<L, R>::PLAN, PairPlan::<L, R>::CONTIGUOUS_LEN);
        if same_sizes(shape, of_a) && a.owned().and_then(writable).is_some() {
            check_divisor::<Op, L, R, T>(a.as_view(), b.as_view());
            let mut a = a.into_owned().expect("it is owned");
            // SAFETY: the kernel is that of the operation on elements of type `T`; the target has the
            // sizes of the result.
            unsafe { update::<_, _, _, _, 0>(Op::KERNEL, NONE, &mut a, b.as_view(), plan, len) };
            return Tensor::from_storage(shape, a.storage);
        }
        if same_sizes(shape, of_b) && b.owned().and_then(writable).is_some() {
            check_divisor::<Op, L, R, T>(a.as_view(), b.as_view());
            let mut b = b.into_owned().expect("it is owned");
            // SAFETY: as above.
            unsafe { update::<_, _, _, _, 1>(Op::KERNEL, NONE, &mut b, a.as_view(), plan, len) };
            return Tensor::from_storage(shape, b.storage);
        }
    }
    binary::<Op, L, R, T>(a.as_view(), b.as_view())
}

/// Whether two shapes have the same sizes; a constant for static shapes.
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
    Op: BinaryOp<T, Output = T> + HasRule,
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
    let Tensor { shape, layout, storage } = a;
    // SAFETY: the kernel is that of the operation on elements of type `T`, which its results are too; the
    // results have the sizes of the target.
    unsafe {
        if const { Target::<L, R>::CALL.is_some() } {
            let call = Target::<L, R>::CALL.as_ref().expect("the sizes are static");
            return T::call_assign(Op::KERNEL, call, layout, storage, b.array);
        }
        check_fits(b.shape, *shape);
        let [of_a, of_b] = &mut <[Sizes; 2]>::default();
        let sizes = SizesOf::of(*shape, of_a);
        let call = ElementwiseCall::new(sizes, [sizes, SizesOf::of(b.shape, of_b)]);
        T::call_assign(Op::KERNEL, &call, layout, storage, b.array);
    }
}

/// Computes a tiny target without a call, if the operand is stored inline too, or is a number.
#[inline(always)]
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

/// Replaces the elements of the target by the results of a kernel for them and those of an operand.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// # Safety
///
/// As [`evaluate`], with results of type `A`.
#[inline]
#[track_caller]
pub(crate) unsafe fn zip_assign<L, R, A, B>(
    kernel: &Kernel<2>,
    params: Params,
    a: &mut Tensor<L, A>,
    b: View<'_, R, B>,
) where
    L: Shape,
    R: InPlace<L> + Shape,
    A: Element,
    B: Element,
{
    let shape = a.shape;
    check_fits(b.shape, shape);
    let (plan, len) = (Target::<L, R>::PLAN, Target::<L, R>::CONTIGUOUS_LEN);
    // SAFETY: as the caller promises; the operand broadcasts to the target, which has the sizes of the
    // result.
    unsafe {
        if !update::<_, _, _, _, 0>(kernel, params, a, b, plan, len) {
            let view = a.as_view();
            let [of_a, of_b] = &mut <[Sizes; 2]>::default();
            let operands = &[view.erase(of_a).untyped(), b.erase(of_b).untyped()];
            *a = combine(kernel, params, shape, plan, operands);
        }
    }
}

/// Replaces every element by the result of a kernel for it.
///
/// # Safety
///
/// As [`evaluate`], with results of type `T`.
#[inline]
#[track_caller]
pub(crate) unsafe fn map_assign<S: Shape, T: Element>(
    kernel: &Kernel<1>,
    params: Params,
    x: &mut Tensor<S, T>,
) {
    let len = x.len();
    if let Some(elements) = writable(x) {
        let first = elements[..len].as_mut_ptr();
        let firsts = [first.cast_const().cast()];
        // SAFETY: as the caller promises; the results overwrite the elements.
        return unsafe { kernel.write_contiguous(params, firsts, Splats::NONE, len, first.cast()) };
    }
    // SAFETY: as the caller promises.
    *x = unsafe { map(kernel, params, x.as_view()) };
}

/// [`with_scalar`] that reuses the memory of the tensor for the result.
#[inline]
#[track_caller]
pub(crate) fn with_scalar_reuse<Op, S, T, const OPERAND: usize>(
    mut x: Tensor<S, T>,
    scalar: T,
) -> Tensor<S, T>
where
    Op: BinaryOp<T, Output = T> + HasRule,
    S: Shape,
    T: Element,
{
    let len = x.len();
    if writable(&mut x).is_some() {
        check_scalar::<Op, S, T, OPERAND>(x.as_view(), scalar);
        let elements = writable(&mut x).expect("it was right before");
        let first = elements[..len].as_mut_ptr();
        let mut firsts = [core::ptr::from_ref(&scalar).cast(); 2];
        firsts[1 - OPERAND] = first.cast_const().cast();
        let splats = Splats::only(OPERAND);
        // SAFETY: the kernel is that of the operation on elements of type `T`; the results overwrite the
        // elements.
        unsafe { Op::KERNEL.write_contiguous(NONE, firsts, splats, len, first.cast()) };
        return x;
    }
    with_scalar::<Op, S, T, OPERAND>(x.as_view(), scalar)
}

/// [`scalar_rhs`](super::scalar_rhs) that reuses the memory of the tensor for the result.
#[inline]
#[track_caller]
pub(crate) fn scalar_rhs_reuse<Op, L, T>(
    x: Tensor<L, T>,
    scalar: T,
) -> Tensor<Broadcasted<L, ()>, T>
where
    Op: BinaryOp<T, Output = T> + HasRule,
    L: Shape + BroadcastOf<L, ()>,
    T: Element,
{
    let shape = result_shape!(
        Broadcasted<L, ()>,
        <L as BroadcastOf<L, ()>>::result_shape,
        (x.shape, ())
    );
    let Tensor { layout, storage, .. } = with_scalar_reuse::<Op, L, T, 1>(x, scalar);
    Tensor { shape, layout, storage }
}
