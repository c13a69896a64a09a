//! The axes of windows in the order in which kernels walk them: few axes, a long one last.
//!
//! Kernels compute rows along the last axis. An image of one column would have rows of one element, so:
//!
//! - axes that the window does not move along are merged with the axis before them: `[h, w]` with a window `[k, 1]` is
//!   `[h · w]` with a window `[k]` of dilation `w`;
//! - a short last axis is exchanged with the longest one, in copies of the operands, and the result is copied back;
//! - where all axes are short, many images follow them as one more axis, in copies likewise.

use core::mem::swap;

use super::bits::{bits, bits_of, from_bits};
use super::row_major::RowMajor;
use super::transpose::transpose_matrices;
use crate::arrays;
use crate::element::Element;
use crate::layout::{ErasedView, StridedLayout, num_elements};
use crate::plan::row_major_strides;
use crate::sizes::Sizes;
use crate::sizes::window_options::PerAxis;
use crate::sizes::windows::{Convolution, Pooling, WindowAxis};
use crate::storage::Storage;

/// Rows of at least this length are long enough: loops over them are vectorised.
const LONG: usize = 16;

/// How the axes of a window are merged and exchanged.
#[derive(Default)]
pub(super) struct WindowOrder {
    /// The axes in the new order.
    axes: PerAxis<WindowAxis>,
    /// The number of axes that each of the merged ones consists of, in the old order.
    merged: PerAxis<usize>,
    /// The axis that is exchanged with the last one.
    exchanged: Option<usize>,
    /// The number of images, if these are the last axis; then no axes are merged or exchanged.
    images: Option<usize>,
}

/// Whether the window does not move along the axis, and covers one element of it at a time.
fn is_plain(axis: &WindowAxis) -> bool {
    let WindowAxis { size, window, stride, before, spread, positions, .. } = *axis;
    [window, stride, spread] == [1; 3] && before == 0 && positions == size
}

/// Whether each window is two by two elements that no other window has: the common case, for which loops have a
/// constant number of elements per window.
pub(super) fn are_quads(axes: &[WindowAxis]) -> bool {
    let is_pair = |axis: &WindowAxis| {
        let WindowAxis { size, window, dilation, stride, before, spread, positions, .. } = *axis;
        [window, dilation, stride, spread] == [2, 1, 2, 1] && before == 0 && 2 * positions <= size
    };
    axes.len() == 2 && axes.iter().all(is_pair)
}

/// A copy of whole matrices of these sizes, transposed.
fn transposed<T: Element>(sizes: [usize; 2], elements: &[T]) -> Storage<T> {
    let write = |results: &mut [_]| transpose_matrices(elements, sizes, results);
    // SAFETY: every element is written: there are whole matrices.
    unsafe { Storage::build(elements.len(), write) }
}

/// Two neighbouring axes as one.
fn merged(outer: &WindowAxis, inner: &WindowAxis) -> Option<WindowAxis> {
    if is_plain(outer) && outer.size == 1 {
        return Some(*inner);
    }
    if !is_plain(inner) {
        return None;
    }
    if inner.size == 1 {
        return Some(*outer);
    }
    let WindowAxis { size, window, dilation, stride, before, after, spread, positions } = *outer;
    let times = |count: usize| count.checked_mul(inner.size);
    if [stride, spread] != [1; 2] {
        return None;
    }
    Some(WindowAxis {
        size: times(size)?,
        window,
        dilation: if window == 1 { 1 } else { times(dilation)? },
        stride,
        before: before.checked_mul(isize::try_from(inner.size).ok()?)?,
        after: times(after)?,
        spread,
        positions: times(positions)?,
    })
}

impl WindowOrder {
    /// `None` if the axes are in the best order already, or if there is nothing to compute. `is_fast` states whether
    /// short rows of axes are as fast as long ones.
    pub(super) fn new(
        axes: &[WindowAxis],
        result: &[usize],
        is_fast: &dyn Fn(&[WindowAxis]) -> bool,
    ) -> Option<Self> {
        if axes.len() == 1 || result.contains(&0) || axes.iter().any(|axis| axis.size == 0) {
            return None;
        }
        let mut order = Self::default();
        for axis in axes {
            match order.axes.last().and_then(|outer| merged(outer, axis)) {
                Some(both) => {
                    let last = order.axes.len() - 1;
                    order.axes[last] = both;
                    order.merged[last] += 1;
                }
                None => {
                    order.axes.push(*axis);
                    order.merged.push(1);
                }
            }
        }
        let last = order.axes.len() - 1;
        let longest = (0..last).max_by_key(|&axis| order.axes[axis].positions);
        order.exchanged = longest.filter(|&longest| {
            let positions = |axis: usize| order.axes[axis].positions;
            positions(last) < LONG
                && positions(longest) / 2 >= positions(last)
                && !is_fast(&order.axes)
        });
        if let Some(axis) = order.exchanged {
            order.axes.swap(axis, last);
        }
        (order.axes.len() < axes.len() || order.exchanged.is_some()).then_some(order)
    }

    /// Sizes whose last axes are those of the windows, merged and exchanged.
    pub(super) fn sizes(&self, sizes: &[usize]) -> Sizes {
        if let Some(images) = self.images {
            let mut all = Sizes::from_slice(&sizes[sizes.len() - self.axes.len()..]);
            all.push(images);
            return all;
        }
        let mut all = self.merged_sizes(sizes);
        self.exchange(&mut all);
        all
    }

    fn merged_sizes(&self, sizes: &[usize]) -> Sizes {
        let (lead, mut last) = sizes.split_at(sizes.len() - self.merged.iter().sum::<usize>());
        let mut all = Sizes::from_slice(lead);
        for &count in &self.merged {
            all.push(last[..count].iter().product());
            last = &last[count..];
        }
        all
    }

    /// Exchanges the axes in a list with an entry for each merged axis at its end.
    fn exchange<T>(&self, list: &mut [T]) {
        let Some(axis) = self.exchanged else { return };
        let (last, rest) = list.split_last_mut().expect("an entry for each axis");
        let first = rest.len() + 1 - self.axes.len();
        swap(&mut rest[first + axis], last);
    }

    /// The elements of a view in the new order.
    fn reorder<'a, T: Element>(&self, view: ErasedView<'a, T>) -> RowMajor<'a, T> {
        match self.reordered(bits(&view)) {
            // SAFETY: these are the elements of the view.
            Some(bits) => RowMajor::Copied(unsafe { from_bits(bits) }, num_elements(view.sizes)),
            None => RowMajor::of(view),
        }
    }

    /// A copy of the elements of a view in the new order, if it is not the old one.
    fn reordered<T: Element>(&self, view: ErasedView<'_, T>) -> Option<Storage<T>> {
        let merged = match self.images {
            Some(images) => Sizes::from_slice(&[images, num_elements(view.sizes) / images]),
            None => self.merged_sizes(view.sizes),
        };
        if self.keeps_order(&merged) {
            return None;
        }
        Some(self.exchange_elements(&merged, RowMajor::of(view).as_slice()))
    }

    /// Whether the elements of an array of merged sizes have the same order in memory.
    fn keeps_order(&self, merged: &[usize]) -> bool {
        let Some(axis) = self.exchanged else { return self.images.is_none() };
        let [between @ .., last] = &merged[merged.len() - self.axes.len() + axis..] else {
            unreachable!("an entry for each axis")
        };
        num_elements(between) == 1 || (*last == 1 && num_elements(&between[1..]) == 1)
    }

    /// A copy of the elements of an array of merged sizes, with its axes exchanged.
    fn exchange_elements<T: Element>(&self, merged: &[usize], elements: &[T]) -> Storage<T> {
        let first = match self.exchanged {
            Some(axis) => merged.len() - self.axes.len() + axis,
            None => 0,
        };
        if let [rows, between @ .., columns] = &merged[first..]
            && between.iter().all(|&size| size == 1)
        {
            return transposed([*rows, *columns], &elements[..num_elements(merged)]);
        }
        let (mut sizes, mut strides) = (Sizes::from_slice(merged), row_major_strides(merged));
        self.exchange(&mut sizes);
        self.exchange(&mut strides);
        let layout = StridedLayout::new(0, strides);
        RowMajor::copied(&ErasedView::new(&sizes, Some(&layout), elements)).into_storage()
    }

    /// An array in the old order of `sizes`, from its elements in the new order.
    fn restore<T: Element>(&self, sizes: &[usize], elements: Storage<T>) -> Storage<T> {
        match self.restored(sizes, bits_of(elements.as_slice())) {
            // SAFETY: these are the elements.
            Some(bits) => unsafe { from_bits(bits) },
            None => elements,
        }
    }

    /// A copy of elements in the new order in the old one, if it is not the same.
    fn restored<T: Element>(&self, sizes: &[usize], elements: &[T]) -> Option<Storage<T>> {
        let sizes = match self.images {
            Some(images) => Sizes::from_slice(&[num_elements(sizes) / images, images]),
            // Exchanging twice is the identity.
            None => self.sizes(sizes),
        };
        (!self.keeps_order(&sizes)).then(|| self.exchange_elements(&sizes, elements))
    }

    /// The result of a window operation, of the sizes `result` in the old order, on the operands in the new one.
    #[track_caller]
    pub(super) fn run<T: Element, const N: usize>(
        &self,
        operands: [ErasedView<'_, T>; N],
        result: &[usize],
        run: impl FnOnce([ErasedView<'_, T>; N]) -> Storage<T>,
    ) -> Storage<T> {
        let elements: [_; N] = arrays::from_fn(|index| self.reorder(operands[index]));
        let sizes: [_; N] = arrays::from_fn(|index| self.sizes(operands[index].sizes));
        let view = |index: usize| ErasedView::new(&sizes[index], None, elements[index].as_slice());
        self.restore(result, run(arrays::from_fn(view)))
    }

    /// The convolution with the axes in this order.
    pub(super) fn convolution(&self, plan: &Convolution) -> Convolution {
        Convolution { axes: self.axes.clone(), result: self.sizes(&plan.result), ..*plan }
    }

    /// The better order of the axes of a pooling.
    pub(super) fn of_pooling(plan: &Pooling) -> Option<Self> {
        // Loops over windows of two by two elements are vectorised already.
        if are_quads(&plan.axes) && plan.axes[1].positions >= 4 {
            return None;
        }
        Self::new(&plan.axes, &plan.result, &|_| false)
    }

    /// [`of_pooling`](Self::of_pooling), or with the images as the last axis.
    pub(super) fn of_images(plan: &Pooling) -> Option<Self> {
        let is_long = |axis: &WindowAxis| axis.positions > LONG / 2 || axis.size == 0;
        let images = num_elements(&plan.result[..plan.result.len() - plan.axes.len()]);
        if images < LONG || plan.axes.iter().any(is_long) {
            return Self::of_pooling(plan);
        }
        Some(Self { axes: plan.axes.clone(), images: Some(images), ..Self::default() })
    }

    /// The pooling with the axes in this order.
    pub(super) fn pooling(&self, plan: &Pooling) -> Pooling {
        let mut axes = self.axes.clone();
        axes.extend(self.images.map(WindowAxis::plain));
        Pooling { axes, result: self.sizes(&plan.result), ..*plan }
    }

    /// The number of axes in this order.
    pub(super) fn rank(&self) -> usize {
        self.axes.len()
    }

    /// Whether axes are exchanged: elements of a window are then in another order.
    pub(super) fn is_exchanged(&self) -> bool {
        self.exchanged.is_some()
    }
}
