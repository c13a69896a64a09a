//! Operations along an axis that keep the sizes: cumulative sums and normalisations.
//!
//! A strided tensor is copied to contiguous memory first. Blocks `[n, ..inner]` of the axis and the axes
//! after it are independent of each other: they are divided among threads.

use super::elementwise::copy_elements;
use super::erased::{BlockSizes, ErasedAxisMap, Results};
use super::raw_view::RawView;
use crate::layout::num_elements;
use crate::ops::AxisParams;
use crate::plan::Loops;

/// Writes the results of an operation on a view of any layout, in row-major order.
///
/// # Safety
///
/// The elements and the results have the element types of the operation.
///
/// # Panics
///
/// If there is another number of results.
pub(crate) unsafe fn map_axis(
    map: &dyn ErasedAxisMap,
    view: &RawView<'_>,
    axis: usize,
    params: AxisParams,
    mut results: Results<'_>,
) {
    assert_eq!(view.len(), results.len(), "one slot for each result");
    assert_eq!(view.element(), results.size(), "results of the type of the elements");
    if results.len() == 0 {
        return;
    }
    // Lanes of one element are one row: its loops take many elements at a time.
    let inner = match view.sizes()[axis] {
        1 => view.len(),
        _ => num_elements(&view.sizes()[axis + 1..]),
    };
    let sizes = BlockSizes { block: view.sizes()[axis] * inner, inner };
    let plan = Loops::from_strides(view.sizes(), [view.strides()], [0]);
    if plan.single().is_some_and(|(_, row)| row.strides == [1]) {
        // SAFETY: the elements are contiguous.
        unsafe { map.contiguous(view.first(), sizes, params, results) }
    } else {
        copy_strided(view, &mut results);
        // SAFETY: every element was written.
        unsafe { map.in_place(sizes, params, results) }
    }
}

/// Writes the elements of a view in row-major order.
pub(super) fn copy_strided(view: &RawView<'_>, results: &mut Results<'_>) {
    let (least, len) = view.reach();
    let (first, count) = (view.at(-(least as isize)), results.len());
    let loops = Loops::from_strides(view.sizes(), [view.strides()], [least]);
    // SAFETY: the view has `len` initialised elements from `first` on, and `results` has room for `count`
    // elements.
    unsafe { copy_elements(view.element(), (first, len), &loops, (results.room(0, count), count)) }
}
