//! Typed reductions and operations along an axis: the entry points for typed code. Each row of the
//! table is one `static`, which holds pointers to code that is compiled in this crate.

use core::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::array_ref::ArrayRef;
use crate::element::Element;
use crate::kernel::axis_map::map_axis;
use crate::kernel::erased::{Affine, ErasedAxisMap, ErasedReduction, Results};
use crate::kernel::normalize::NormalizeKernel;
use crate::kernel::raw_view::RawView;
use crate::kernel::reduce::ReduceKernel;
use crate::kernel::reduce::argminmax::ArgKernel;
use crate::kernel::scan::ScanKernel;
use crate::kernel::typed::Typed;
use crate::layout::graph::{Elements, RowCall, Run, is_recording, recorded, traced};
use crate::layout::{ErasedView, Layout, is_recorded, is_traced};
use crate::ops::elements::for_each_element;
#[cfg(feature = "half")]
use crate::ops::elements::types::*;
use crate::ops::reductions::{
    self, BoolReductions, ElementReductions, FloatReductions, NumberReductions, for_each_reduction,
    result_type,
};
use crate::ops::{AxisParams, HasRow, Row};
use crate::rows::{AxesCall, AxisMap, Reduction};
use crate::sizes::Sizes;
use crate::storage::{Buffer, Storage};

/// The axes of a reduction.
type Axes = SmallVec<[usize; 6]>;

/// The reduced axes of a reduction.
#[derive(Clone, Copy)]
struct ReducedAxes<'a> {
    /// The reduced axes, without duplicates.
    axes: &'a [usize],
    /// The number of results.
    results: usize,
    /// The correction of a variance: its divisor is the number of elements minus this.
    correction: usize,
}

impl<T: Element, O: Element> Reduction<T, O> {
    #[track_caller]
    pub(crate) const fn new<K: ErasedReduction>(
        kernel: &'static Typed<K, T, O>,
        row: &'static Row,
    ) -> Self {
        Self { kernel: kernel.get(), call_all: call_all::<T, O>, call_axes: call_axes::<T, O>, row }
    }

    /// The result of reducing all elements.
    #[cfg(test)]
    pub(crate) fn all(&self, view: ErasedView<'_, T>, correction: usize) -> O {
        reduce_all(self, view, correction)
    }

    /// The results along axes without duplicates, `results` in number, in row-major order of the other axes.
    pub(crate) fn axes(
        &self,
        view: ErasedView<'_, T>,
        axes: &[usize],
        results: usize,
        correction: usize,
    ) -> Storage<O> {
        reduce_axes(self, view, ReducedAxes { axes, results, correction })
    }
}

fn reduce_all<T: Element, O: Element>(
    reduction: &Reduction<T, O>,
    view: ErasedView<'_, T>,
    correction: usize,
) -> O {
    let mut result = O::ZERO;
    let to = (&raw mut result).cast();
    // SAFETY: the kernel is for these types, and there is room for a result.
    unsafe {
        match view.as_slice() {
            Some(elements) if !elements.is_empty() => {
                let first = elements.as_ptr().cast();
                reduction.kernel.contiguous(first, elements.len(), correction, to);
            }
            _ => reduction.kernel.all(&RawView::new(&view), correction, to),
        }
    }
    result
}

fn reduce_axes<T: Element, O: Element>(
    reduction: &Reduction<T, O>,
    view: ErasedView<'_, T>,
    ReducedAxes { axes, results, correction }: ReducedAxes<'_>,
) -> Storage<O> {
    let one = neighbours(view.sizes, axes).and_then(|axes| RawView::around_axes(&view, axes));
    // SAFETY: the kernel is for these types, and writes every result.
    unsafe {
        Storage::build(results, |results| {
            let results = Results::of(results);
            match (one, axes) {
                (Some((view, axis)), _) => reduction.kernel.axis(&view, axis, correction, results),
                (None, &[axis]) => {
                    reduction.kernel.axis(&RawView::new(&view), axis, correction, results);
                }
                (None, _) => reduction.kernel.axes(&RawView::new(&view), axes, correction, results),
            }
        })
    }
}

/// [`Reduction::call_all`]
#[track_caller]
fn call_all<T: Element, O: Element>(
    reduction: &'static Reduction<T, O>,
    x: ArrayRef<'_, T>,
    sizes: &[usize],
    correction: usize,
) -> (O, Layout) {
    if is_traced(x.layout()) {
        let all: Axes = (0..sizes.len()).collect();
        let call = AxesCall { sizes, axes: &all, result: &[], results: 1 };
        return (O::ZERO, traced_axes(reduction, x, &call, correction).1);
    }
    let result = reduce_all(reduction, x.with_sizes(sizes), correction);
    let mut layout = Layout::ROW_MAJOR;
    if x.is_recorded() {
        let all: Axes = (0..sizes.len()).collect();
        layout = recorded_along(reduction.row, &all, corrected(correction), x, sizes, &result, &[]);
    }
    (result, layout)
}

/// [`Reduction::call_axes`]
#[track_caller]
fn call_axes<T: Element, O: Element>(
    reduction: &'static Reduction<T, O>,
    x: ArrayRef<'_, T>,
    call: &AxesCall<'_>,
    correction: usize,
) -> (Storage<O>, Layout) {
    if is_traced(x.layout()) {
        return traced_axes(reduction, x, call, correction);
    }
    let &AxesCall { sizes, axes, result, results } = call;
    let reduced = ReducedAxes { axes, results, correction };
    let storage = reduce_axes(reduction, x.with_sizes(sizes), reduced);
    let mut layout = Layout::ROW_MAJOR;
    if x.is_recorded() {
        let params = corrected(correction);
        layout = recorded_along(reduction.row, axes, params, x, sizes, &storage, result);
    }
    (storage, layout)
}

/// [`call_axes`] of an array that is traced.
#[cold]
#[inline(never)]
#[track_caller]
fn traced_axes<T: Element, O: Element>(
    reduction: &'static Reduction<T, O>,
    x: ArrayRef<'_, T>,
    &AxesCall { sizes, axes, result, .. }: &AxesCall<'_>,
    correction: usize,
) -> (Storage<O>, Layout) {
    let operation = RowCall::Along { row: reduction.row, axes, params: corrected(correction) };
    let (axes, of_result) = (Axes::from_slice(axes), Sizes::from_slice(result));
    let run: Run = Arc::new(move |operands| {
        let (x, sizes) = (operands[0].array::<T>(), operands[0].sizes.get());
        let results = of_result.iter().product();
        let call = AxesCall { sizes: &sizes, axes: &axes, result: &of_result, results };
        Box::new(reduction.call_axes(x, &call, correction).0)
    });
    step(&operation, x, sizes, result, run)
}

/// A step with results of type `O`: storage without elements, and the layout.
#[track_caller]
fn step<T: Element, O: Element>(
    operation: &RowCall<'_>,
    x: ArrayRef<'_, T>,
    sizes: &[usize],
    result: &[usize],
    run: Run,
) -> (Storage<O>, Layout) {
    let layout = traced(operation, O::NUMBER, result, &[x.part(sizes)], run);
    (Storage::Heap(Buffer::from_slice(&[])), layout)
}

/// The parameters of a reduction with this correction of the divisor.
fn corrected(correction: usize) -> AxisParams {
    AxisParams { correction, ..AxisParams::default() }
}

/// The layout of a result along axes of a tracked array.
#[cold]
#[inline(never)]
fn recorded_along<T: Element>(
    row: &'static Row,
    axes: &[usize],
    params: AxisParams,
    x: ArrayRef<'_, T>,
    sizes: &[usize],
    result: &dyn Elements,
    of_result: &[usize],
) -> Layout {
    recorded(&RowCall::Along { row, axes, params }, of_result, result, &[x.part(sizes)])
}

/// The range from the first to the last of `axes`, if every axis between has size 1 or is in `axes`.
fn neighbours(sizes: &[usize], axes: &[usize]) -> Option<Range<usize>> {
    if let &[axis] = axes {
        return Some(axis..axis + 1);
    }
    let first = axes.iter().copied().min().unwrap_or(0);
    let end = axes.iter().map(|axis| axis + 1).max().unwrap_or(0);
    let together = |axis: usize| sizes[axis] == 1 || axes.contains(&axis);
    (first..end).all(together).then_some(first..end)
}

impl<T: Element> AxisMap<T, T> {
    pub(crate) const fn new<K: ErasedAxisMap>(
        kernel: &'static Typed<K, T, T>,
        row: &'static Row,
    ) -> Self {
        let (call, call_affine) = (call_map::<T>, call_affine::<T>);
        Self { kernel: kernel.get(), call, call_affine, row }
    }
}

fn map_elements<T: Element>(
    map: &AxisMap<T, T>,
    view: ErasedView<'_, T>,
    axis: usize,
    params: AxisParams,
) -> Storage<T> {
    let view = RawView::new(&view);
    // SAFETY: the kernel is for this type, and writes every result.
    unsafe {
        Storage::build(view.len(), |results| {
            map_axis(map.kernel, &view, axis, params, Results::of(results));
        })
    }
}

/// [`AxisMap::call`]
#[track_caller]
fn call_map<T: Element>(
    map: &'static AxisMap<T, T>,
    x: ArrayRef<'_, T>,
    sizes: &[usize],
    axis: usize,
    params: AxisParams,
) -> (Storage<T>, Layout) {
    if is_traced(x.layout()) {
        let operation = RowCall::Along { row: map.row, axes: &[axis], params };
        let run: Run = Arc::new(move |operands| {
            let (x, sizes) = (operands[0].array::<T>(), operands[0].sizes.get());
            Box::new(map.call(x, &sizes, axis, params).0)
        });
        return step(&operation, x, sizes, sizes, run);
    }
    let storage = map_elements(map, x.with_sizes(sizes), axis, params);
    let mut layout = Layout::ROW_MAJOR;
    if x.is_recorded() {
        layout = recorded_along(map.row, &[axis], params, x, sizes, &storage, sizes);
    }
    (storage, layout)
}

/// [`AxisMap::call_affine`]
fn call_affine<T: Element>(
    map: &'static AxisMap<T, T>,
    x: ErasedView<'_, T>,
    weight: ErasedView<'_, T>,
    bias: Option<ErasedView<'_, T>>,
    params: AxisParams,
) -> Option<Storage<T>> {
    let is_tracked = |view: &ErasedView<'_, T>| {
        is_traced(view.layout) || is_recording() && is_recorded(view.layout)
    };
    let lane = *x.sizes.last()?;
    let kernel = map.kernel.affine(lane)?;
    if [&x, &weight].into_iter().chain(&bias).any(is_tracked) {
        return None;
    }
    let bias = match bias {
        Some(bias) => Some(bias.as_slice()?),
        None => None,
    };
    let (x, weight) = (x.as_slice()?, weight.as_slice()?);
    if x.is_empty() || weight.len() != lane || bias.is_some_and(|bias| bias.len() != lane) {
        return None;
    }
    // SAFETY: the elements are initialised, have no padding, and are borrowed as long as the bytes.
    let bytes = |elements: &[T]| unsafe {
        core::slice::from_raw_parts(elements.as_ptr().cast::<u8>(), size_of_val(elements))
    };
    let affine = Affine { weight: bytes(weight), bias: bias.map(bytes) };
    // SAFETY: the kernel is for this type, and writes every result.
    Some(unsafe {
        Storage::build(x.len(), |results| {
            kernel.contiguous(x.as_ptr().cast(), params, affine, Results::of(results));
        })
    })
}

/// Generates the impls of the traits of the table. Each row is a separate `static`, linked only if used.
macro_rules! impl_rows {
    ($(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident {
                kernel: $Kernel:ty = $kernel:expr, $($names:tt)*
            } $kind:ident $methods:tt
        )*}
    )*) => {$(
        for_each_element!(impl_rows @all $elements $Trait {
            $($Op $ROW: $Row -> $Result, $Kernel = $kernel;)*
        });
    )*};
    (@all $elements:ident $Trait:ident $rows:tt
        $($(#[$cfg:meta])* $T:ident: $class:ident $Other:ident;)*
    ) => {
        $($(#[$cfg])* impl_rows! { @$elements $class $Trait $T $rows })*
    };
    (@elements $element:ident $($row:tt)*) => { impl_rows! { @one $($row)* } };
    (@booleans boolean $($row:tt)*) => { impl_rows! { @one $($row)* } };
    (@floats float $($row:tt)*) => { impl_rows! { @one $($row)* } };
    (@floats half $($row:tt)*) => { impl_rows! { @one $($row)* } };
    (@numbers boolean $($row:tt)*) => {};
    (@numbers $number:ident $($row:tt)*) => { impl_rows! { @one $($row)* } };
    (@one $Trait:ident $Element:ident {
        $($Op:ident $ROW:ident: $Row:ident -> $Result:ident, $Kernel:ty = $kernel:expr;)*
    }) => {
        impl $Trait for $Element {
            $(
                const $ROW: &'static $Row<Self, result_type!($Result, Self)> = {
                    #[allow(dead_code)]
                    type T = $Element;
                    static KERNEL: Typed<$Kernel, $Element, result_type!($Result, $Element)> = $kernel;
                    static ROW: $Row<$Element, result_type!($Result, $Element)> =
                        $Row::new(&KERNEL, <reductions::$Op as HasRow>::ROW);
                    &ROW
                };
            )*
        }
    };
    (@$elements:ident $class:ident $($row:tt)*) => {};
}

for_each_reduction!(impl_rows);
