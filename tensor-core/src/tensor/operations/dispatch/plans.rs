//! Constants of an operation that follow from the shape types.

use core::marker::PhantomData;

use tensor_kernels::ops::ElementwiseCall;
use tensor_kernels::plan::StaticPlan;
use tensor_kernels::storage::INLINE;

use crate::shape::broadcast::{Broadcast, Broadcasted, ElementWise3};
use crate::shape::{Shape, StaticSizes};
use crate::tensor::typed_view::SizesOf;

/// The plan for operands in row-major order that stretch to `result`, if all sizes are
/// static.
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

/// For results of at most [`INLINE`] elements: the index of the operand's element for each element of
/// the result.
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

/// The constants of a call with results of shape `O`, if all sizes are static.
const fn constant_call<O: Shape, L: Shape, R: Shape>() -> Option<ElementwiseCall<'static, 2>> {
    let (Some(sizes), Some(left), Some(right)) =
        (O::STATIC_SIZES, L::STATIC_SIZES, R::STATIC_SIZES)
    else {
        return None;
    };
    let len = sizes.num_elements();
    let same = len == left.num_elements() && len == right.num_elements();
    Some(ElementwiseCall {
        sizes: SizesOf::<O>::STATIC,
        operands: [SizesOf::<L>::STATIC, SizesOf::<R>::STATIC],
        contiguous: if same { Some(len) } else { None },
        plan: match same {
            true => None,
            false => constant_plan(O::STATIC_SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]),
        },
    })
}

/// The constants of an operation on two operands.
pub(super) struct PairPlan<L, R>(PhantomData<(L, R)>);

/// A result that is stored inline, of operands that are stored inline too.
pub(super) struct InlinePlan {
    pub len: usize,
    /// Whether all three have the same sizes, so that elements at the same index are paired.
    pub same: bool,
    /// Otherwise, for each element of the result, the index of the element of each side.
    pub left: [usize; INLINE],
    pub right: [usize; INLINE],
}

impl<L: Shape + Broadcast<R>, R: Shape> PairPlan<L, R> {
    pub const SIZES: Option<StaticSizes> = <Broadcasted<L, R> as Shape>::STATIC_SIZES;
    pub const PLAN: &'static Option<StaticPlan<2>> =
        &constant_plan(Self::SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]);
    /// The constants of a call on tensors of these shapes: their sizes.
    pub const CALL: &'static Option<ElementwiseCall<'static, 2>> =
        &constant_call::<Broadcasted<L, R>, L, R>();
    /// The number of elements of both operands and the result, if all have the same sizes and too many
    /// elements to be stored inline.
    pub const CONTIGUOUS_LEN: Option<usize> = match (Self::PLAN, Self::SIZES) {
        (Some(plan), Some(sizes))
            if plan.loops.is_contiguous() && sizes.num_elements() > INLINE =>
        {
            Some(sizes.num_elements())
        }
        _ => None,
    };
    /// Whether the result is stored inline, and all three have the same sizes.
    pub const IS_SMALL_AND_SAME: bool = matches!(Self::SMALL, Some(InlinePlan { same: true, .. }));
    pub const SMALL: &'static Option<InlinePlan> =
        &match (Self::SIZES, L::STATIC_SIZES, R::STATIC_SIZES) {
            (Some(sizes), Some(left), Some(right)) if sizes.num_elements() <= INLINE => {
                let len = sizes.num_elements();
                let same = len == left.num_elements() && len == right.num_elements();
                Some(InlinePlan {
                    len,
                    left: if same { [0; INLINE] } else { source_indices(&sizes, &left) },
                    right: if same { [0; INLINE] } else { source_indices(&sizes, &right) },
                    same,
                })
            }
            _ => None,
        };
}

/// The constants of an operation on three operands.
pub(super) struct TriplePlan<A, B, C>(PhantomData<(A, B, C)>);

impl<A: Shape, B: Shape, C: ElementWise3<A, B>> TriplePlan<A, B, C> {
    /// The plan, if all sizes are static.
    pub const PLAN: &'static Option<StaticPlan<3>> = &constant_plan(
        <<C as ElementWise3<A, B>>::Output as Shape>::STATIC_SIZES,
        [A::STATIC_SIZES, B::STATIC_SIZES, C::STATIC_SIZES],
    );
}

/// The constants of an operation in place.
pub(super) struct Target<L, R>(PhantomData<(L, R)>);

impl<L: Shape, R: Shape> Target<L, R> {
    pub const PLAN: &'static Option<StaticPlan<2>> =
        &constant_plan(L::STATIC_SIZES, [L::STATIC_SIZES, R::STATIC_SIZES]);
    /// The number of elements of both, if they have the same sizes.
    pub const CONTIGUOUS_LEN: Option<usize> = match (Self::PLAN, L::STATIC_SIZES) {
        (Some(plan), Some(sizes)) if plan.loops.is_contiguous() => Some(sizes.num_elements()),
        _ => None,
    };
    /// The constants of a call on tensors of these shapes.
    pub const CALL: &'static Option<ElementwiseCall<'static, 2>> = &constant_call::<L, L, R>();
    pub const SMALL: &'static Option<InlineTarget> = &match (L::STATIC_SIZES, R::STATIC_SIZES) {
        (Some(sizes), Some(operand)) if sizes.num_elements() <= INLINE => {
            let len = sizes.num_elements();
            let same = len == operand.num_elements();
            let indices = if same { [0; INLINE] } else { source_indices(&sizes, &operand) };
            Some(InlineTarget { len, same, indices })
        }
        _ => None,
    };
}

/// A target that is stored inline, as is its operand.
pub(super) struct InlineTarget {
    pub len: usize,
    /// Whether both have the same sizes, so that elements at the same index are paired.
    pub same: bool,
    /// Otherwise, for each element of the target, the index of the operand's element.
    pub indices: [usize; INLINE],
}
