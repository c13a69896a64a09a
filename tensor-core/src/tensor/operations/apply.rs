//! From typed operands to the [kernel](crate::array::kernel): the shape of the result, its plan, and the
//! memory that it goes to.
//!
//! This is the last place that knows shape types. What a static shape decides is a constant here;
//! the loops below are shared by all shapes.

use core::marker::PhantomData;

use super::collect::{
    Shared, ToLeft, ToRight, Update, Work2, Work3, Work4, WorkOnSlice, WorkOnSlices, map_any,
    update_any, zip2_any, zip2_large, zip2_slices, zip3_any, zip3_large, zip4_any, zip4_large,
};
use crate::array::layout::{SizesOf, View};
use crate::array::plan::StaticPlan;
use crate::array::storage::{INLINE, Storage};
use crate::element::{Element, Instructions};
use crate::shape::broadcast::{ElementWise3, ElementWise4, ElementWiseOf, InPlace};
use crate::shape::{Shape, Sizes, StaticSizes};
use crate::tensor::Tensor;
use crate::tensor::broadcast_warning;

/// The value, or a panic with the words of the error at the place of the user's call.
#[track_caller]
pub(crate) fn checked<T>(result: Result<T, impl core::fmt::Display>) -> T {
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
            checked($shape)
        }
    };
}

/// Whether the types know that there are more elements than a value holds.
pub(crate) const fn is_large(sizes: Option<StaticSizes>) -> bool {
    matches!(sizes, Some(sizes) if sizes.num_elements() > INLINE)
}

/// The storage of results of type `$S`, by the function for many elements or by the one for any.
macro_rules! storage_of {
    ($S:ty, $large:expr, $any:expr, $arguments:tt) => {
        if const { is_large(<$S as Shape>::STATIC_SIZES) } {
            Storage::Shared($large $arguments)
        } else {
            $any $arguments
        }
    };
}

pub(crate) use storage_of;

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
    StaticPlan::of_sizes(result.as_slice(), slices)
}

/// For results of at most [`INLINE`] elements: which element of the operand each element of the
/// result comes from.
const fn sources(result: &StaticSizes, operand: &StaticSizes) -> [usize; INLINE] {
    let (result, operand) = (result.as_slice(), operand.as_slice());
    let missing = result.len() - operand.len();
    let mut table = [0; INLINE];
    let mut element = 0;
    while element < INLINE {
        let mut rest = element;
        let mut step = 1;
        let mut axis = result.len();
        while axis > missing {
            axis -= 1;
            if result[axis] == 0 {
                return table;
            }
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
            Some((target.num_elements(), sources(&target, &operand)))
        }
        _ => None,
    }
}

/// What the types decide about an operation on two operands.
struct Pair<L, R>(PhantomData<(L, R)>);

/// A result that is kept within the value, made of operands that fit there too.
struct Small {
    len: usize,
    left: [usize; INLINE],
    right: [usize; INLINE],
    left_len: usize,
    right_len: usize,
    /// Whether all three have the same sizes.
    same: bool,
}

impl<L: Shape, R: ElementWiseOf<L>> Pair<L, R> {
    const SIZES: Option<StaticSizes> = <<R as ElementWiseOf<L>>::Output as Shape>::STATIC_SIZES;
    const PLAN: &'static Option<StaticPlan<2>> =
        &constant_plan(Self::SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]);
    /// The plan when the left operand is the result too.
    const RIGHT_PLAN: &'static Option<StaticPlan<1>> =
        &constant_plan(Self::SIZES, [R::STATIC_SIZES]);
    /// The plan when the right operand is the result too.
    const LEFT_PLAN: &'static Option<StaticPlan<1>> =
        &constant_plan(Self::SIZES, [L::STATIC_SIZES]);
    /// How many elements both operands and the result have, where all have the same sizes, and more
    /// elements than a value holds.
    const SAME_LEN: Option<usize> = match (Self::PLAN, Self::SIZES) {
        (Some(plan), Some(sizes)) if plan.loops.is_one_piece() && is_large(Self::SIZES) => {
            Some(sizes.num_elements())
        }
        _ => None,
    };
    const SMALL: &'static Option<Small> = &match (Self::SIZES, L::STATIC_SIZES, R::STATIC_SIZES) {
        (Some(sizes), Some(left), Some(right)) if sizes.num_elements() <= INLINE => {
            let (len, left_len, right_len) =
                (sizes.num_elements(), left.num_elements(), right.num_elements());
            Some(Small {
                len,
                left: sources(&sizes, &left),
                right: sources(&sizes, &right),
                left_len,
                right_len,
                same: len == left_len && len == right_len,
            })
        }
        _ => None,
    };
}

/// `[..] → [..]`: `f` of every element.
#[inline]
pub(crate) fn map<S: Shape, A: Element, O: Element>(
    a: View<'_, S, A>,
    f: impl WorkOnSlice<A, O>,
) -> Tensor<S, O> {
    let storage = map_any(a.any(&mut Sizes::new()), f);
    Tensor::from_storage(a.shape, storage)
}

/// `[..l] , [..r] → [..(l ⊕ r)]`: `f` of every pair of elements.
///
/// # Panics
///
/// When a named axis has two sizes.
#[inline]
#[track_caller]
pub(crate) fn zip2<L, R, A, B, O, F>(
    a: View<'_, L, A>,
    b: View<'_, R, B>,
    f: F,
) -> Tensor<<R as ElementWiseOf<L>>::Output, O>
where
    L: Shape,
    R: ElementWiseOf<L>,
    A: Element,
    B: Element,
    O: Element,
    F: WorkOnSlices<A, B, O>,
{
    if const { broadcast_warning::is_possible::<L, R>() } {
        broadcast_warning::check(a.shape, b.shape);
    }
    if let Some(small) = Pair::<L, R>::SMALL
        && !F::TAKES_INSTRUCTIONS
        && a.layout.is_none()
        && b.layout.is_none()
    {
        let shape =
            result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
        let (a, b) = (&a.elements[..small.left_len], &b.elements[..small.right_len]);
        let mut results = [O::ZERO; INLINE];
        if small.same {
            for (result, (&a, &b)) in results.iter_mut().zip(a.iter().zip(b)) {
                *result = f.of(Instructions::OF_THE_BUILD, a, b);
            }
        } else {
            for (element, result) in results[..small.len].iter_mut().enumerate() {
                let (a, b) = (a[small.left[element]], b[small.right[element]]);
                *result = f.of(Instructions::OF_THE_BUILD, a, b);
            }
        }
        return Tensor::from_storage(shape, Storage::Inline(results));
    }
    if let Some(len) = const { Pair::<L, R>::SAME_LEN }
        && a.layout.is_none()
        && b.layout.is_none()
    {
        let shape =
            result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
        let results = zip2_slices(len, a.elements, b.elements, f);
        return Tensor::from_storage(shape, Storage::Shared(results));
    }
    zip2_loops(a, b, f)
}

/// [`zip2`] by the kernel.
#[inline]
#[track_caller]
fn zip2_loops<L, R, A, B, O>(
    a: View<'_, L, A>,
    b: View<'_, R, B>,
    f: impl Work2<A, B, O>,
) -> Tensor<<R as ElementWiseOf<L>>::Output, O>
where
    L: Shape,
    R: ElementWiseOf<L>,
    A: Element,
    B: Element,
    O: Element,
{
    let shape = result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
    let [place, of_a, of_b] = &mut <[Sizes; 3]>::default();
    let sizes = SizesOf::of(shape, place);
    let operands = (a.any(of_a), b.any(of_b));
    let storage = storage_of!(
        <R as ElementWiseOf<L>>::Output,
        zip2_large,
        zip2_any,
        (Pair::<L, R>::PLAN, sizes, operands, f)
    );
    Tensor::from_storage(shape, storage)
}

/// Writes `f(target, operand)` into `target`, if it lies in one piece and nobody else reads it.
#[inline]
fn update<S: Shape, A: Element, Y: Shape, B: Element>(
    target: &mut Tensor<S, A>,
    sizes: impl Shape,
    operand: View<'_, Y, B>,
    plan: &Option<StaticPlan<1>>,
    f: impl Update<A, B>,
) -> bool {
    if target.layout.is_some() {
        return false;
    }
    let [place, of_operand] = &mut <[Sizes; 2]>::default();
    let sizes = SizesOf::of(sizes, place);
    update_any(&mut target.storage, plan, sizes, operand.any(of_operand), f)
}

/// [`zip2`] that gives the memory of the left operand to the result, where it has its shape.
#[inline]
#[track_caller]
pub(crate) fn zip2_left<L, R, A, B>(
    mut a: Tensor<L, A>,
    b: View<'_, R, B>,
    f: Shared<impl Fn(A, B) -> A + Sync>,
) -> Tensor<<R as ElementWiseOf<L>>::Output, A>
where
    L: Shape,
    R: ElementWiseOf<L>,
    A: Element,
    B: Element,
{
    if Pair::<L, R>::SMALL.is_none() {
        let shape =
            result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
        if same_sizes(shape, a.shape)
            && update(&mut a, shape, b, Pair::<L, R>::RIGHT_PLAN, ToLeft(&f))
        {
            return Tensor::from_storage(shape, a.storage);
        }
    }
    zip2(a.view(), b, f)
}

/// [`zip2`] that gives the memory of the right operand to the result, where it has its shape.
#[inline]
#[track_caller]
pub(crate) fn zip2_right<L, R, A, B>(
    a: View<'_, L, A>,
    mut b: Tensor<R, B>,
    f: Shared<impl Fn(A, B) -> B + Sync>,
) -> Tensor<<R as ElementWiseOf<L>>::Output, B>
where
    L: Shape,
    R: ElementWiseOf<L>,
    A: Element,
    B: Element,
{
    if Pair::<L, R>::SMALL.is_none() {
        let shape =
            result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
        if same_sizes(shape, b.shape)
            && update(&mut b, shape, a, Pair::<L, R>::LEFT_PLAN, ToRight(&f))
        {
            return Tensor::from_storage(shape, b.storage);
        }
    }
    zip2(a, b.view(), f)
}

/// [`zip2`] that gives the memory of either operand to the result.
#[inline]
#[track_caller]
pub(crate) fn zip2_both<L, R, A>(
    a: Tensor<L, A>,
    b: Tensor<R, A>,
    f: Shared<impl Fn(A, A) -> A + Sync>,
) -> Tensor<<R as ElementWiseOf<L>>::Output, A>
where
    L: Shape,
    R: ElementWiseOf<L>,
    A: Element,
{
    let shape = result_shape!(<R as ElementWiseOf<L>>::Output, R::result_shape(a.shape, b.shape));
    if same_sizes(shape, a.shape) { zip2_left(a, b.view(), f) } else { zip2_right(a.view(), b, f) }
}

/// Whether two shapes have the same sizes; a constant where the types know them.
fn same_sizes<X: Shape, Y: Shape>(x: X, y: Y) -> bool {
    match (X::STATIC_SIZES, Y::STATIC_SIZES) {
        (Some(x), Some(y)) => x.as_slice() == y.as_slice(),
        _ => X::RANK == Y::RANK && x.sizes() == y.sizes(),
    }
}

/// `a = f(a, b)`, element by element, for an operand that fits into the target.
///
/// # Panics
///
/// When a named axis has two sizes.
#[inline]
#[track_caller]
pub(crate) fn assign<L, R, A, B, F>(a: &mut Tensor<L, A>, b: View<'_, R, B>, f: F)
where
    L: Shape,
    R: InPlace<L> + Shape,
    A: Element,
    B: Element,
    F: Work2<A, B, A>,
    for<'x> ToLeft<'x, F>: Update<A, B>,
{
    let shape = a.shape;
    let fits = b.shape.fits(shape);
    checked(fits.map_err(|mismatch| mismatch.in_rank(L::RANK)));
    if let Some((len, sources)) = const { small_target(L::STATIC_SIZES, R::STATIC_SIZES) }
        && let (None, None, Some(elements)) = (&a.layout, b.layout, a.storage.get_mut())
    {
        for (element, source) in elements[..len].iter_mut().zip(sources) {
            *element = f.of(Instructions::OF_THE_BUILD, *element, b.elements[source]);
        }
        return;
    }
    let plan = const { &constant_plan(L::STATIC_SIZES, [R::STATIC_SIZES]) };
    if !update(a, shape, b, plan, ToLeft(&f)) {
        let view = a.view();
        let [place, of_a, of_b] = &mut <[Sizes; 3]>::default();
        let sizes = SizesOf::of(shape, place);
        let storage = zip2_any(&None, sizes, (view.any(of_a), b.any(of_b)), f);
        *a = Tensor::from_storage(shape, storage);
    }
}

/// `x = f(x)`, element by element.
#[inline]
pub(crate) fn map_assign<S: Shape, T: Element>(x: &mut Tensor<S, T>, f: impl WorkOnSlice<T, T>) {
    let len = x.len();
    if x.layout.is_none()
        && let Some(elements) = x.storage.get_mut()
    {
        return f.update_slice(&mut elements[..len]);
    }
    *x = map(x.view(), f);
}

/// [`zip2`] for three operands.
#[track_caller]
pub(crate) fn zip3<SA, SB, SC, A, B, C, O>(
    a: View<'_, SA, A>,
    b: View<'_, SB, B>,
    c: View<'_, SC, C>,
    f: impl Work3<A, B, C, O>,
) -> Tensor<<SA as ElementWise3<SB, SC>>::Output, O>
where
    SA: Shape + ElementWise3<SB, SC>,
    SB: Shape,
    SC: Shape,
    A: Element,
    B: Element,
    C: Element,
    O: Element,
{
    let shape = result_shape!(
        <SA as ElementWise3<SB, SC>>::Output,
        ElementWise3::result_shape(a.shape, b.shape, c.shape)
    );
    let plan = const {
        &constant_plan(
            <<SA as ElementWise3<SB, SC>>::Output as Shape>::STATIC_SIZES,
            [SA::STATIC_SIZES, SB::STATIC_SIZES, SC::STATIC_SIZES],
        )
    };
    let [place, of_a, of_b, of_c] = &mut <[Sizes; 4]>::default();
    let operands = (a.any(of_a), b.any(of_b), c.any(of_c));
    let storage = storage_of!(
        <SA as ElementWise3<SB, SC>>::Output,
        zip3_large,
        zip3_any,
        (plan, SizesOf::of(shape, place), operands, f)
    );
    Tensor::from_storage(shape, storage)
}

/// [`zip2`] for four operands.
#[track_caller]
pub(crate) fn zip4<SA, SB, SC, SD, A, B, C, D, O>(
    a: View<'_, SA, A>,
    b: View<'_, SB, B>,
    c: View<'_, SC, C>,
    d: View<'_, SD, D>,
    f: impl Work4<A, B, C, D, O>,
) -> Tensor<<SA as ElementWise4<SB, SC, SD>>::Output, O>
where
    SA: Shape + ElementWise4<SB, SC, SD>,
    SB: Shape,
    SC: Shape,
    SD: Shape,
    A: Element,
    B: Element,
    C: Element,
    D: Element,
    O: Element,
{
    let shape = result_shape!(
        <SA as ElementWise4<SB, SC, SD>>::Output,
        ElementWise4::result_shape(a.shape, b.shape, c.shape, d.shape)
    );
    let plan = const {
        &constant_plan(
            <<SA as ElementWise4<SB, SC, SD>>::Output as Shape>::STATIC_SIZES,
            [SA::STATIC_SIZES, SB::STATIC_SIZES, SC::STATIC_SIZES, SD::STATIC_SIZES],
        )
    };
    let [place, of_a, of_b, of_c, of_d] = &mut <[Sizes; 5]>::default();
    let operands = (a.any(of_a), b.any(of_b), c.any(of_c), d.any(of_d));
    let storage = storage_of!(
        <SA as ElementWise4<SB, SC, SD>>::Output,
        zip4_large,
        zip4_any,
        (plan, SizesOf::of(shape, place), operands, f)
    );
    Tensor::from_storage(shape, storage)
}
