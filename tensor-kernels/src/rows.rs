//! Typed rows of the table of reductions and axis maps: pointers to code that is compiled in this
//! crate.

use crate::array_ref::ArrayRef;
use crate::kernel::erased::{ErasedAxisMap, ErasedReduction};
use crate::layout::graph::refuse_kept;
use crate::layout::{ErasedView, Layout};
use crate::ops::AxisParams;
use crate::ops::Row;
use crate::storage::Storage;

/// A reduction of elements of type `T` to results of type `O`.
#[doc(hidden)]
pub struct Reduction<T: 'static, O: 'static> {
    pub(crate) kernel: &'static dyn ErasedReduction,
    pub(crate) call_all: fn(&'static Self, ArrayRef<'_, T>, &[usize], usize) -> (O, Layout),
    pub(crate) call_axes:
        fn(&'static Self, ArrayRef<'_, T>, &AxesCall<'_>, usize) -> (Storage<O>, Layout),
    pub(crate) row: &'static Row,
}

/// The arguments of a reduction along axes: a constant where the sizes are static.
pub struct AxesCall<'a> {
    /// The sizes of the operand.
    pub sizes: &'a [usize],
    /// The reduced axes, without duplicates.
    pub axes: &'a [usize],
    /// The sizes of the result.
    pub result: &'a [usize],
    /// The number of results.
    pub results: usize,
}

impl<T, O> Reduction<T, O> {
    /// The result of all elements of an array of these sizes, and its layout; tracked if the array is.
    #[inline(always)]
    #[track_caller]
    pub fn call_all(
        &'static self,
        x: ArrayRef<'_, T>,
        sizes: &[usize],
        correction: usize,
    ) -> (O, Layout) {
        refuse_kept(x.layout());
        (self.call_all)(self, x, sizes, correction)
    }

    /// The results along axes of an array, and their layout, which is tracked if the array is.
    #[inline(always)]
    #[track_caller]
    pub fn call_axes(
        &'static self,
        x: ArrayRef<'_, T>,
        call: &AxesCall<'_>,
        correction: usize,
    ) -> (Storage<O>, Layout) {
        refuse_kept(x.layout());
        (self.call_axes)(self, x, call, correction)
    }
}

/// [`AxisMap::call_affine`]
type AffineCall<T, O> = fn(
    &'static AxisMap<T, O>,
    ErasedView<'_, T>,
    ErasedView<'_, T>,
    Option<ErasedView<'_, T>>,
    AxisParams,
) -> Option<Storage<O>>;

/// An operation along an axis that keeps the sizes, on elements of type `T` with results of type `O`.
#[doc(hidden)]
pub struct AxisMap<T: 'static, O: 'static> {
    pub(crate) kernel: &'static dyn ErasedAxisMap,
    pub(crate) call:
        fn(&'static Self, ArrayRef<'_, T>, &[usize], usize, AxisParams) -> (Storage<O>, Layout),
    pub(crate) call_affine: AffineCall<T, O>,
    pub(crate) row: &'static Row,
}

impl<T> AxisMap<T, T> {
    /// The results for an array of these sizes in row-major order, and their layout, which is tracked if
    /// the array is.
    #[inline(always)]
    #[track_caller]
    pub fn call(
        &'static self,
        x: ArrayRef<'_, T>,
        sizes: &[usize],
        axis: usize,
        params: AxisParams,
    ) -> (Storage<T>, Layout) {
        refuse_kept(x.layout());
        (self.call)(self, x, sizes, axis, params)
    }

    /// The results along the last axis, multiplied with a weight for each of its indices, plus a bias if there
    /// is one: in one pass over the rows. `None` if there are no loops for these operands, or one of
    /// them is tracked.
    #[inline(always)]
    pub fn call_affine(
        &'static self,
        x: ErasedView<'_, T>,
        weight: ErasedView<'_, T>,
        bias: Option<ErasedView<'_, T>>,
        params: AxisParams,
    ) -> Option<Storage<T>> {
        (self.call_affine)(self, x, weight, bias, params)
    }
}
