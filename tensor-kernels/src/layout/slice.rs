//! The layout of slices.

use super::{Layout, StridedLayout, Strides, view_layout};
use crate::plan::row_major_strides;
use crate::sizes::slicing::{AxisPart, sizes_of};

/// The layout of a slice of a tensor with these sizes and this layout.
pub fn sliced_layout(sizes: &[usize], of: Option<&StridedLayout>, plan: &[AxisPart]) -> Layout {
    let (offset, strides) = match of {
        Some(layout) => (layout.offset, layout.strides.clone()),
        None => (0, row_major_strides(sizes)),
    };
    let mut offset = offset as isize;
    let mut kept = Strides::new();
    for (&part, &stride) in plan.iter().zip(&strides) {
        // Only an empty tensor has strides that overflow, and its offset is not used.
        match part {
            AxisPart::All => kept.push(stride),
            AxisPart::At(index) => {
                offset = offset.wrapping_add(stride.wrapping_mul(index as isize))
            }
            AxisPart::Range { first, step, .. } => {
                offset = offset.wrapping_add(stride.wrapping_mul(first as isize));
                kept.push(stride.wrapping_mul(step));
            }
        }
    }
    view_layout(of, &sizes_of(plan, sizes), offset as usize, kept)
}
