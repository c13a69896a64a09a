//! From typed operands to the [kernels](crate::array::kernel): the shape of the result, its plan, and
//! the memory that it goes to.
//!
//! This is the last place that knows shape types. What a static shape decides is a constant here, tiny
//! tensors are computed in place, and everything else is a call of a function without type parameters.

use core::marker::PhantomData;
use core::ptr::null;

use crate::array::kernel::division;
use crate::array::kernel::elementwise::{Run, Splats};
use crate::array::layout::{ErasedView, UntypedView, len_in_memory};
use crate::array::plan::StaticPlan;
use crate::array::storage::{Buffer, INLINE, Storage};
use crate::element::operation::{BinaryOp, Cost, UnaryOp};
use crate::element::{Element, Isa};
use crate::ops::{Kernel, Params};
use crate::shape::broadcast::{ElementWise, ElementWiseRhs, InPlace};
use crate::shape::{Shape, Sizes, StaticSizes};
use crate::tensor::Tensor;
use crate::tensor::broadcast_warning;
use crate::tensor::typed_view::{SizesOf, View};

/// The value, or a panic with the words of the error at the place of the user's call.
#[track_caller]
pub(crate) fn unwrap_or_panic<T>(result: Result<T, impl core::fmt::Display>) -> T {
    match result {
        Ok(value) => value,
        Err(error) => panic!("{error}"),
    }
}

/// The shape of a result of type `$S`: the one there is, or what `$shape` gives. Where the type says it,
/// the rest is not even compiled, which is much of what an operation on new shapes takes.
macro_rules! result_shape {
    ($S:ty, $shape:expr) => {
        if const { <$S as Shape>::CONSTANT.is_some() } {
            <$S as Shape>::CONSTANT.expect("it was there right before")
        } else {
            $crate::tensor::operations::dispatch::unwrap_or_panic($shape)
        }
    };
}

pub(crate) use result_shape;

/// No parameters.
pub(crate) const NONE: Params = null();

/// The plan for operands in row-major order that stretch to `result`, where the types know all
/// sizes.
pub(crate) const fn constant_plan<const N: usize>(
    result: Option<StaticSizes>,
    operands: [Option<StaticSizes>; N],
) -> Option<StaticPlan<N>> {
    let Some(result) = result else { return None };
    let mut known = [result; N];
    let mut k = 0;
    while k < N {
        match operands[k] {
            Some(sizes) => known[k] = sizes,
            None => return None,
        }
        k += 1;
    }
    let mut slices: [&[usize]; N] = [&[]; N];
    let mut k = 0;
    while k < N {
        slices[k] = known[k].as_slice();
        k += 1;
    }
    StaticPlan::from_sizes(result.as_slice(), slices)
}

/// For results of at most [`INLINE`] elements: which element of the operand each element of the
/// result comes from.
const fn source_indices(result: &StaticSizes, operand: &StaticSizes) -> [usize; INLINE] {
    let mut table = [0; INLINE];
    if result.num_elements() == 0 {
        return table;
    }
    let (result, operand) = (result.as_slice(), operand.as_slice());
    let missing = result.len() - operand.len();
    let mut element = 0;
    while element < INLINE {
        let mut rest = element;
        let mut step = 1;
        let mut axis = result.len();
        while axis > missing {
            axis -= 1;
            let size = operand[axis - missing];
            if size != 1 {
                table[element] += rest % result[axis] * step;
            }
            step *= size;
            rest /= result[axis];
        }
        element += 1;
    }
    table
}

/// For targets of at most [`INLINE`] elements: their number, and which element of the operand meets
/// each of them.
const fn small_target(
    target: Option<StaticSizes>,
    operand: Option<StaticSizes>,
) -> Option<(usize, [usize; INLINE])> {
    match (target, operand) {
        (Some(target), Some(operand)) if target.num_elements() <= INLINE => {
            Some((target.num_elements(), source_indices(&target, &operand)))
        }
        _ => None,
    }
}

/// What the types decide about an operation on two operands.
struct PairPlan<L, R>(PhantomData<(L, R)>);

/// A result that is kept within the value, made of operands that fit there too.
struct InlinePlan {
    len: usize,
    left: [usize; INLINE],
    right: [usize; INLINE],
    left_len: usize,
    right_len: usize,
    /// Whether all three have the same sizes.
    same: bool,
}

impl<L: Shape, R: ElementWiseRhs<L>> PairPlan<L, R> {
    const SIZES: Option<StaticSizes> = <<R as ElementWiseRhs<L>>::Output as Shape>::STATIC_SIZES;
    const PLAN: &'static Option<StaticPlan<2>> =
        &constant_plan(Self::SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]);
    /// How many elements both operands and the result have, where all have the same sizes, and more
    /// elements than a value holds.
    const CONTIGUOUS_LEN: Option<usize> = match (Self::PLAN, Self::SIZES) {
        (Some(plan), Some(sizes))
            if plan.loops.is_contiguous() && sizes.num_elements() > INLINE =>
        {
            Some(sizes.num_elements())
        }
        _ => None,
    };
    const SMALL: &'static Option<InlinePlan> =
        &match (Self::SIZES, L::STATIC_SIZES, R::STATIC_SIZES) {
            (Some(sizes), Some(left), Some(right)) if sizes.num_elements() <= INLINE => {
                let (len, left_len, right_len) =
                    (sizes.num_elements(), left.num_elements(), right.num_elements());
                Some(InlinePlan {
                    len,
                    left: source_indices(&sizes, &left),
                    right: source_indices(&sizes, &right),
                    left_len,
                    right_len,
                    same: len == left_len && len == right_len,
                })
            }
            _ => None,
        };
}

/// The results of a kernel, which are of type `O`.
///
/// # Panics
///
/// If they have more than `isize::MAX` bytes.
///
/// # Safety
///
/// The operands have elements of the types of the kernel, whose results are of type `O`. The
/// parameters are what it takes.
#[inline]
#[track_caller]
pub(crate) unsafe fn evaluate<O: Element, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    plan: &Option<StaticPlan<N>>,
    sizes: &[usize],
    operands: &[UntypedView<'_>; N],
) -> Storage<O>
where
    Kernel<N>: Run<N>,
{
    if len_in_memory(sizes, size_of::<O>()) <= INLINE {
        let mut results = [O::ZERO; INLINE];
        // SAFETY: there is room for the results; the rest the caller promises.
        unsafe { kernel.write(params, plan, sizes, operands, results.as_mut_ptr().cast()) };
        return Storage::Inline(results);
    }
    // SAFETY: as the caller promises; all results are written, and they are of type `O`.
    Storage::Heap(unsafe { Buffer::from_raw(kernel.collect(params, plan, sizes, operands)) })
}

/// The results of a kernel on `len` contiguous elements of each operand, or one where it is a splat.
///
/// # Safety
///
/// As [`evaluate`], and each pointer has as many elements.
#[inline]
unsafe fn evaluate_contiguous<O: Element, const N: usize>(
    kernel: &Kernel<N>,
    params: Params,
    firsts: [*const u8; N],
    splats: Splats,
    len: usize,
) -> Storage<O>
where
    Kernel<N>: Run<N>,
{
    if len <= INLINE {
        let mut results = [O::ZERO; INLINE];
        // SAFETY: there is room for the results; the rest the caller promises.
        let out = results.as_mut_ptr().cast();
        unsafe { kernel.write_contiguous(params, firsts, splats, len, out) };
        return Storage::Inline(results);
    }
    // SAFETY: as the caller promises; all results are written, and they are of type `O`.
    Storage::Heap(unsafe {
        Buffer::from_raw(kernel.collect_contiguous(params, firsts, splats, len))
    })
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
    operands: &[UntypedView<'_>; N],
) -> Tensor<S, O>
where
    Kernel<N>: Run<N>,
{
    let sizes = &mut Sizes::new();
    let sizes = SizesOf::of(shape, sizes);
    // SAFETY: as the caller promises; there is room for the results, all of which are written, and
    // they are of type `O`.
    let storage = unsafe {
        if const { matches!(place::<S>(), Some(Place::Inline)) } {
            let mut results = [O::ZERO; INLINE];
            kernel.write(params, plan, sizes, operands, results.as_mut_ptr().cast());
            Storage::Inline(results)
        } else if const { matches!(place::<S>(), Some(Place::Heap)) } {
            Storage::Heap(Buffer::from_raw(kernel.collect(params, plan, sizes, operands)))
        } else {
            evaluate(kernel, params, plan, sizes, operands)
        }
    };
    Tensor::from_storage(shape, storage)
}

/// Where the elements of a tensor are.
enum Place {
    /// In the value.
    Inline,
    /// In memory of their own.
    Heap,
}

/// Where the elements of a shape are, if its type says it: then only that is compiled.
const fn place<S: Shape>() -> Option<Place> {
    match S::STATIC_SIZES {
        Some(sizes) if sizes.num_elements() <= INLINE => Some(Place::Inline),
        Some(_) => Some(Place::Heap),
        None => None,
    }
}

/// `[..s] → [..s]`: what a kernel computes of every element.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn map<S: Shape, T: Element, O: Element>(
    kernel: &Kernel<1>,
    params: Params,
    x: View<'_, S, T>,
) -> Tensor<S, O> {
    // SAFETY: as the caller promises.
    let storage = unsafe { map_erased(kernel, params, x.erase(&mut Sizes::new())) };
    Tensor::from_storage(x.shape, storage)
}

/// [`map`] without the type of the shape.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn map_erased<T: Element, O: Element>(
    kernel: &Kernel<1>,
    params: Params,
    x: ErasedView<'_, T>,
) -> Storage<O> {
    // SAFETY: as the caller promises; a contiguous operand has as many elements as its sizes.
    unsafe {
        match x.as_slice() {
            Some(elements) => {
                let first = elements.as_ptr().cast();
                evaluate_contiguous(kernel, params, [first], Splats::NONE, elements.len())
            }
            None => evaluate(kernel, params, &None, x.sizes, &[x.untyped()]),
        }
    }
}

/// An operation of the table on every element: `[..s] → [..s]`.
#[inline]
#[track_caller]
pub(crate) fn unary<Op: UnaryOp<T>, S: Shape, T: Element>(
    x: View<'_, S, T>,
) -> Tensor<S, Op::Output> {
    // SAFETY: the kernel is that of the operation on elements of type `T`.
    unsafe { map(Op::KERNEL, NONE, x) }
}

/// A copy of the elements in row-major order.
#[inline]
#[track_caller]
pub(crate) fn copied<S: Shape, T: Element>(x: View<'_, S, T>) -> Tensor<S, T> {
    // SAFETY: the kernel copies elements of this size.
    unsafe { map(T::COPY, NONE, x) }
}

/// The elements in row-major order.
#[track_caller]
pub(crate) fn copy_to_vec<T: Element>(x: ErasedView<'_, T>) -> Vec<T> {
    if let Some(elements) = x.as_slice() {
        return elements.to_vec();
    }
    let len = len_in_memory(x.sizes, size_of::<T>());
    let mut elements = Vec::<T>::with_capacity(len);
    // SAFETY: the kernel copies elements of this size, and writes as many as there is room for.
    unsafe {
        T::COPY.write(NONE, &None, x.sizes, &[x.untyped()], elements.as_mut_ptr().cast());
        elements.set_len(len);
    }
    elements
}

/// Refuses a division of integers by zero. Where the operation does not divide, or floats, nothing is
/// compiled.
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
    if let Some(element) = const { Op::DIVIDES } {
        let [of_a, of_b] = &mut <[Sizes; 2]>::default();
        let (dividend, divisor) = (SizesOf::of(a.shape, of_a), b.erase(of_b).untyped());
        division::check_divisor(element, size_of::<T>(), dividend, divisor);
    }
}

/// What a kernel computes of every pair of elements: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn zip2<L, R, A, B, O>(
    kernel: &Kernel<2>,
    params: Params,
    a: View<'_, L, A>,
    b: View<'_, R, B>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, O>
where
    L: Shape,
    R: ElementWiseRhs<L>,
    A: Element,
    B: Element,
    O: Element,
{
    if const { broadcast_warning::is_possible::<L, R>() } {
        broadcast_warning::check(a.shape, b.shape);
    }
    let shape = result_shape!(<R as ElementWiseRhs<L>>::Output, R::result_shape(a.shape, b.shape));
    if let Some(len) = const { PairPlan::<L, R>::CONTIGUOUS_LEN }
        && a.layout.is_none()
        && b.layout.is_none()
    {
        let (a, b) = (&a.elements[..len], &b.elements[..len]);
        let firsts = [a.as_ptr().cast(), b.as_ptr().cast()];
        // SAFETY: as the caller promises; both have `len` elements. All results are written.
        let results = unsafe {
            Buffer::from_raw(kernel.collect_contiguous(params, firsts, Splats::NONE, len))
        };
        return Tensor::from_storage(shape, Storage::Heap(results));
    }
    let [of_a, of_b] = &mut <[Sizes; 2]>::default();
    let operands = &[a.erase(of_a).untyped(), b.erase(of_b).untyped()];
    // SAFETY: as the caller promises.
    unsafe { combine(kernel, params, shape, PairPlan::<L, R>::PLAN, operands) }
}

/// [`zip2`] for what tiny tensors rarely are, such as views: a separate function, so that they do not pay
/// for its frame.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
///
/// # Safety
///
/// As [`evaluate`].
#[inline(never)]
#[track_caller]
unsafe fn zip2_outlined<L, R, A, B, O>(
    kernel: &Kernel<2>,
    a: View<'_, L, A>,
    b: View<'_, R, B>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, O>
where
    L: Shape,
    R: ElementWiseRhs<L>,
    A: Element,
    B: Element,
    O: Element,
{
    // SAFETY: as the caller promises.
    unsafe { zip2(kernel, NONE, a, b) }
}

/// An operation of the table on every pair of elements: `[..l], [..r] → [..(l ⊕ r)]`.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn binary<Op, L, R, T>(
    a: View<'_, L, T>,
    b: View<'_, R, T>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, Op::Output>
where
    Op: BinaryOp<T>,
    L: Shape,
    R: ElementWiseRhs<L>,
    T: Element,
{
    check_divisor::<Op, L, R, T>(a, b);
    if let Some(small) = PairPlan::<L, R>::SMALL
        && const { matches!(Op::COST, Cost::Cheap) }
        && a.layout.is_none()
        && b.layout.is_none()
    {
        if const { broadcast_warning::is_possible::<L, R>() } {
            broadcast_warning::check(a.shape, b.shape);
        }
        let shape =
            result_shape!(<R as ElementWiseRhs<L>>::Output, R::result_shape(a.shape, b.shape));
        let (a, b) = (&a.elements[..small.left_len], &b.elements[..small.right_len]);
        let mut results = [Op::Output::ZERO; INLINE];
        if small.same {
            for (result, (&a, &b)) in results.iter_mut().zip(a.iter().zip(b)) {
                *result = Op::apply(Isa::BASELINE, a, b);
            }
        } else {
            for (element, result) in results[..small.len].iter_mut().enumerate() {
                let (a, b) = (a[small.left[element]], b[small.right[element]]);
                *result = Op::apply(Isa::BASELINE, a, b);
            }
        }
        return Tensor::from_storage(shape, Storage::Inline(results));
    }
    if const { PairPlan::<L, R>::SMALL.is_some() } {
        // SAFETY: the kernel is that of the operation on elements of type `T`.
        return unsafe { zip2_outlined(Op::KERNEL, a, b) };
    }
    // SAFETY: as above.
    unsafe { zip2(Op::KERNEL, NONE, a, b) }
}

/// Writes what a kernel computes of a target and an operand into the target, if it is contiguous and
/// nobody else reads it.
///
/// # Safety
///
/// As [`evaluate`], with results of type `A`. The target is operand `PLACE`, and has the sizes of the
/// result.
#[inline]
unsafe fn update<S: Shape, A: Element, Y: Shape, B: Element, const PLACE: usize>(
    kernel: &Kernel<2>,
    params: Params,
    target: &mut Tensor<S, A>,
    operand: View<'_, Y, B>,
    plan: &Option<StaticPlan<2>>,
    contiguous: Option<usize>,
) -> bool {
    if target.layout.is_some() {
        return false;
    }
    let Some(elements) = target.storage.get_mut() else { return false };
    let (out, len) = (elements.as_mut_ptr(), elements.len());
    if let Some(len) = contiguous
        && operand.layout.is_none()
    {
        assert!(elements.len() >= len && operand.elements.len() >= len);
        let mut firsts = [out.cast_const().cast(); 2];
        firsts[1 - PLACE] = operand.elements.as_ptr().cast();
        // SAFETY: as the caller promises; both have `len` elements, and the results take the place of
        // the target.
        unsafe { kernel.write_contiguous(params, firsts, Splats::NONE, len, out.cast()) };
        return true;
    }
    let [of_target, of_operand] = &mut <[Sizes; 2]>::default();
    let sizes = SizesOf::of(target.shape, of_target);
    let first = out.cast_const().cast();
    let mut operands = [UntypedView { sizes, layout: None, first, len }; 2];
    operands[1 - PLACE] = operand.erase(of_operand).untyped();
    // SAFETY: as the caller promises; the target is contiguous, and the results take its place.
    unsafe { kernel.write(params, plan, sizes, &operands, out.cast()) };
    true
}

/// [`binary`] that gives the memory of the left operand to the result, where it has its shape.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn binary_reuse_lhs<Op, L, R, T>(
    mut a: Tensor<L, T>,
    b: View<'_, R, T>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape,
    R: ElementWiseRhs<L>,
    T: Element,
{
    if PairPlan::<L, R>::SMALL.is_none() {
        let shape =
            result_shape!(<R as ElementWiseRhs<L>>::Output, R::result_shape(a.shape, b.shape));
        let (plan, len) = (PairPlan::<L, R>::PLAN, PairPlan::<L, R>::CONTIGUOUS_LEN);
        if same_sizes(shape, a.shape) {
            check_divisor::<Op, L, R, T>(a.view(), b);
            // SAFETY: the kernel is that of the operation on elements of type `T`; the target has the
            // sizes of the result.
            let is_updated =
                unsafe { update::<_, _, _, _, 0>(Op::KERNEL, NONE, &mut a, b, plan, len) };
            if is_updated {
                return Tensor::from_storage(shape, a.storage);
            }
        }
    }
    binary::<Op, L, R, T>(a.view(), b)
}

/// [`binary`] that gives the memory of the right operand to the result, where it has its shape.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn binary_reuse_rhs<Op, L, R, T>(
    a: View<'_, L, T>,
    mut b: Tensor<R, T>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape,
    R: ElementWiseRhs<L>,
    T: Element,
{
    if PairPlan::<L, R>::SMALL.is_none() {
        let shape =
            result_shape!(<R as ElementWiseRhs<L>>::Output, R::result_shape(a.shape, b.shape));
        let (plan, len) = (PairPlan::<L, R>::PLAN, PairPlan::<L, R>::CONTIGUOUS_LEN);
        if same_sizes(shape, b.shape) {
            check_divisor::<Op, L, R, T>(a, b.view());
            // SAFETY: the kernel is that of the operation on elements of type `T`; the target has the
            // sizes of the result.
            let is_updated =
                unsafe { update::<_, _, _, _, 1>(Op::KERNEL, NONE, &mut b, a, plan, len) };
            if is_updated {
                return Tensor::from_storage(shape, b.storage);
            }
        }
    }
    binary::<Op, L, R, T>(a, b.view())
}

/// [`binary`] that gives the memory of either operand to the result.
///
/// # Panics
///
/// If two operands give a named axis different sizes.
#[inline]
#[track_caller]
pub(crate) fn binary_reuse_either<Op, L, R, T>(
    a: Tensor<L, T>,
    b: Tensor<R, T>,
) -> Tensor<<R as ElementWiseRhs<L>>::Output, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape,
    R: ElementWiseRhs<L>,
    T: Element,
{
    let shape = result_shape!(<R as ElementWiseRhs<L>>::Output, R::result_shape(a.shape, b.shape));
    if same_sizes(shape, a.shape) {
        binary_reuse_lhs::<Op, L, R, T>(a, b.view())
    } else {
        binary_reuse_rhs::<Op, L, R, T>(a.view(), b)
    }
}

/// Whether two shapes have the same sizes; a constant where the types know them.
fn same_sizes<X: Shape, Y: Shape>(x: X, y: Y) -> bool {
    match (X::STATIC_SIZES, Y::STATIC_SIZES) {
        (Some(x), Some(y)) => x.as_slice() == y.as_slice(),
        _ => X::RANK == Y::RANK && x.sizes() == y.sizes(),
    }
}

/// What the types decide about an operation in place.
struct Target<L, R>(PhantomData<(L, R)>);

impl<L: Shape, R: Shape> Target<L, R> {
    const PLAN: &'static Option<StaticPlan<2>> =
        &constant_plan(L::STATIC_SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]);
    /// How many elements both have, where they have the same sizes.
    const CONTIGUOUS_LEN: Option<usize> = match (Self::PLAN, L::STATIC_SIZES) {
        (Some(plan), Some(sizes)) if plan.loops.is_contiguous() => Some(sizes.num_elements()),
        _ => None,
    };
}

/// `a = op(a, b)`, element by element, for an operand that fits into the target.
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
    check_divisor::<Op, L, R, T>(a.view(), b);
    if let Some((len, source_indices)) = const { small_target(L::STATIC_SIZES, R::STATIC_SIZES) }
        && const { matches!(Op::COST, Cost::Cheap) }
        && let (None, None, Some(elements)) = (&a.layout, b.layout, a.storage.get_mut())
    {
        for (element, source) in elements[..len].iter_mut().zip(source_indices) {
            *element = Op::apply(Isa::BASELINE, *element, b.elements[source]);
        }
        return;
    }
    // SAFETY: the kernel is that of the operation on elements of type `T`.
    unsafe { zip_assign(Op::KERNEL, NONE, a, b) }
}

/// Replaces the elements of the target by what a kernel computes of them and those of an operand.
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
    // The target is on the left, as it is written.
    let fits = b.shape.fits(shape).map_err(|mismatch| mismatch.swapped());
    unwrap_or_panic(fits.map_err(|mismatch| mismatch.in_rank(L::RANK)));
    let (plan, len) = (Target::<L, R>::PLAN, Target::<L, R>::CONTIGUOUS_LEN);
    // SAFETY: as the caller promises; the operand fits into the target, which has the sizes of the
    // result.
    unsafe {
        if !update::<_, _, _, _, 0>(kernel, params, a, b, plan, len) {
            let view = a.view();
            let [of_a, of_b] = &mut <[Sizes; 2]>::default();
            let operands = &[view.erase(of_a).untyped(), b.erase(of_b).untyped()];
            *a = combine(kernel, params, shape, plan, operands);
        }
    }
}

/// Replaces every element by what a kernel computes of it.
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
    if x.layout.is_none()
        && let Some(elements) = x.storage.get_mut()
    {
        let first = elements[..len].as_mut_ptr();
        let firsts = [first.cast_const().cast()];
        // SAFETY: as the caller promises; the results take the place of the elements.
        return unsafe { kernel.write_contiguous(params, firsts, Splats::NONE, len, first.cast()) };
    }
    // SAFETY: as the caller promises.
    *x = unsafe { map(kernel, params, x.view()) };
}

/// [`check_divisor`] of a tensor and a scalar, which is operand `PLACE`.
#[inline]
#[track_caller]
fn check_scalar<Op: BinaryOp<T>, S: Shape, T: Element, const PLACE: usize>(
    x: View<'_, S, T>,
    scalar: T,
) {
    let scalar = View { shape: (), layout: None, elements: core::slice::from_ref(&scalar) };
    if const { PLACE == 0 } {
        check_divisor::<Op, (), S, T>(scalar, x);
    } else {
        check_divisor::<Op, S, (), T>(x, scalar);
    }
}

/// An operation of the table on every element and a scalar, which is operand `PLACE`.
#[inline]
#[track_caller]
pub(crate) fn with_scalar<Op, S, T, const PLACE: usize>(
    x: View<'_, S, T>,
    scalar: T,
) -> Tensor<S, Op::Output>
where
    Op: BinaryOp<T>,
    S: Shape,
    T: Element,
{
    check_scalar::<Op, S, T, PLACE>(x, scalar);
    let sizes = &mut Sizes::new();
    // SAFETY: the kernel is that of the operation on elements of type `T`.
    let storage = unsafe { with_scalar_erased(Op::KERNEL, x.erase(sizes), &scalar, PLACE) };
    Tensor::from_storage(x.shape, storage)
}

/// An operation of the table with a scalar on its right: `[..l], [] → [..(l ⊕ [])]`, and `l ⊕ []` is `l`.
#[inline]
#[track_caller]
pub(crate) fn scalar_rhs<Op, L, T>(
    x: View<'_, L, T>,
    scalar: T,
) -> Tensor<<L as ElementWise<()>>::Output, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + ElementWise<()>,
    T: Element,
{
    let shape = result_shape!(<L as ElementWise<()>>::Output, x.shape.result_shape(()));
    let sizes = &mut Sizes::new();
    // SAFETY: the kernel is that of the operation on elements of type `T`.
    let storage = unsafe { with_scalar_erased(Op::KERNEL, x.erase(sizes), &scalar, 1) };
    Tensor::from_storage(shape, storage)
}

/// [`scalar_rhs`] that gives the memory of the tensor to the result.
#[inline]
#[track_caller]
pub(crate) fn scalar_rhs_reuse<Op, L, T>(
    x: Tensor<L, T>,
    scalar: T,
) -> Tensor<<L as ElementWise<()>>::Output, T>
where
    Op: BinaryOp<T, Output = T>,
    L: Shape + ElementWise<()>,
    T: Element,
{
    let shape = result_shape!(<L as ElementWise<()>>::Output, x.shape.result_shape(()));
    let result = with_scalar_reuse::<Op, L, T, 1>(x, scalar);
    Tensor::from_storage(shape, result.storage)
}

/// [`with_scalar`] without the type of the shape.
///
/// # Safety
///
/// As [`evaluate`].
#[inline]
#[track_caller]
pub(crate) unsafe fn with_scalar_erased<T: Element, O: Element>(
    kernel: &Kernel<2>,
    x: ErasedView<'_, T>,
    scalar: &T,
    place: usize,
) -> Storage<O> {
    let of_scalar = core::ptr::from_ref(scalar).cast();
    match x.as_slice() {
        Some(elements) => {
            let mut firsts = [of_scalar; 2];
            firsts[1 - place] = elements.as_ptr().cast();
            // SAFETY: as the caller promises.
            unsafe {
                evaluate_contiguous(kernel, NONE, firsts, Splats::only(place), elements.len())
            }
        }
        None => {
            let mut operands =
                [UntypedView { sizes: &[], layout: None, first: of_scalar, len: 1 }; 2];
            operands[1 - place] = x.untyped();
            // SAFETY: as the caller promises.
            unsafe { evaluate(kernel, NONE, &None, x.sizes, &operands) }
        }
    }
}

/// [`with_scalar`] that gives the memory of the tensor to the result.
#[inline]
#[track_caller]
pub(crate) fn with_scalar_reuse<Op, S, T, const PLACE: usize>(
    mut x: Tensor<S, T>,
    scalar: T,
) -> Tensor<S, T>
where
    Op: BinaryOp<T, Output = T>,
    S: Shape,
    T: Element,
{
    check_scalar::<Op, S, T, PLACE>(x.view(), scalar);
    let len = x.len();
    if x.layout.is_none()
        && let Some(elements) = x.storage.get_mut()
    {
        let first = elements[..len].as_mut_ptr();
        let mut firsts = [core::ptr::from_ref(&scalar).cast(); 2];
        firsts[1 - PLACE] = first.cast_const().cast();
        let splats = Splats::only(PLACE);
        // SAFETY: the kernel is that of the operation on elements of type `T`; the results take the
        // place of the elements.
        unsafe { Op::KERNEL.write_contiguous(NONE, firsts, splats, len, first.cast()) };
        return x;
    }
    with_scalar::<Op, S, T, PLACE>(x.view(), scalar)
}
