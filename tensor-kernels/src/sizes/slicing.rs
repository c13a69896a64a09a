//! Slices at run time: the part that is kept of each axis.

use core::ops::{Bound, RangeBounds};

use smallvec::SmallVec;

use crate::sizes::Sizes;
use crate::sizes::error::ShapeError;

/// The part of each axis that a slice keeps, first axis first.
pub type SlicePlan = SmallVec<[AxisPart; 6]>;

/// The part of one axis that a slice keeps, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(doc, doc(hidden))]
pub enum AxisPart {
    /// The whole axis.
    All,
    /// One index; the axis is removed.
    At(usize),
    /// `len` indices, `step` apart.
    Range {
        /// The first index.
        first: usize,
        /// The number of indices.
        len: usize,
        /// The distance from one index to the next, which may be negative.
        step: isize,
    },
}

/// The part of one axis, as written by the user.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(doc, doc(hidden))]
pub enum WrittenPart {
    /// `..`
    All,
    /// `2`, `-1`
    At(isize),
    /// `start..end; step`, where negative bounds count from the end.
    Range {
        /// The first index; 0 if it is left out.
        start: isize,
        /// The index after the last; the size if it is left out.
        end: Option<isize>,
        /// The distance from one index to the next; a negative step starts at the end.
        step: isize,
    },
}

impl WrittenPart {
    /// Resolves the part for axis `axis`, which has this size.
    ///
    /// # Errors
    ///
    /// If the part is out of range.
    #[doc(hidden)]
    pub fn of(self, axis: usize, size: usize) -> Result<AxisPart, ShapeError> {
        let from_the_front = |bound: isize| {
            let bound = if bound < 0 { bound.checked_add_unsigned(size) } else { Some(bound) };
            bound.and_then(|bound| usize::try_from(bound).ok())
        };
        match self {
            Self::All => Ok(AxisPart::All),
            Self::At(index) => match from_the_front(index) {
                Some(at) if at < size => Ok(AxisPart::At(at)),
                _ => Err(ShapeError::IndexOutOfRange { index, axis, size }),
            },
            Self::Range { step: 0, .. } => Err(ShapeError::StepOfZero { axis }),
            Self::Range { start, end, step } => {
                let bounds = from_the_front(start).zip(end.map_or(Some(size), from_the_front));
                match bounds {
                    Some((first, behind)) if first <= behind && behind <= size => {
                        let len = (behind - first).div_ceil(step.unsigned_abs());
                        let first = if step > 0 { first } else { behind.saturating_sub(1) };
                        Ok(AxisPart::Range { first, len, step })
                    }
                    _ => Err(ShapeError::SliceOutOfRange { start, end, axis, size }),
                }
            }
        }
    }
}

/// The parts of a slice, as `slice!` writes them: for the first axes, and for the last.
///
/// ```
/// use tensor_core::{DynTensor, slice, slicing::SliceParts, tensor};
///
/// fn part<P: SliceParts>(x: &DynTensor<i32>, parts: P) -> Vec<i32> {
///     x.slice(parts).unwrap().to_vec()
/// }
///
/// assert_eq!(part(&tensor![1, 2, 3].into(), slice![1..]), [2, 3]);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a slice",
    label = "this needs a slice",
    note = "`slice!` writes slices: `x.slice(slice![.., 1..-1])` keeps all of axis 0 and leaves out the first and the last of axis 1 [T220]"
)]
pub trait SliceParts {
    /// The parts of the first axes, and of the last, in the order of the axes.
    #[doc(hidden)]
    fn written(self) -> (Vec<WrittenPart>, Vec<WrittenPart>);
}

impl<F: PartList, B: PartList> SliceParts for (F, B) {
    fn written(self) -> (Vec<WrittenPart>, Vec<WrittenPart>) {
        let (mut front, mut back) = (Vec::new(), Vec::new());
        self.0.append(&mut front);
        self.1.append(&mut back);
        (front, back)
    }
}

/// A list of parts, nested from either side.
#[cfg_attr(doc, doc(hidden))]
pub trait PartList {
    /// Appends the parts in the order of the axes.
    fn append(self, parts: &mut Vec<WrittenPart>);
}

impl PartList for () {
    fn append(self, _: &mut Vec<WrittenPart>) {}
}

/// `(part, rest)` from the front, `(lead, part)` from the end: whichever side has the part.
impl<P: PartList, E: PartList> PartList for (P, E) {
    fn append(self, parts: &mut Vec<WrittenPart>) {
        self.0.append(parts);
        self.1.append(parts);
    }
}

/// A part that is a list of three types, as `slice!` writes it: the kind of the part, its bounds, and what `slice!`
/// knows of them.
#[cfg_attr(doc, doc(hidden))]
pub trait PartOfTypes<Bounds, Kind> {
    /// The part.
    const WRITTEN: WrittenPart;
}

impl<P: PartOfTypes<Bounds, Kind>, Bounds, Kind> PartList for (P, Bounds, Kind) {
    fn append(self, parts: &mut Vec<WrittenPart>) {
        parts.push(P::WRITTEN);
    }
}

/// A range given at run time. A bound above `isize::MAX` is out of any range.
pub fn run_time_range(range: impl RangeBounds<usize>, step: isize) -> WrittenPart {
    let bound = |bound: usize, more: usize| {
        isize::try_from(bound.saturating_add(more)).unwrap_or(isize::MAX)
    };
    let start = match range.start_bound() {
        Bound::Included(&start) => bound(start, 0),
        Bound::Excluded(&start) => bound(start, 1),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(&end) => Some(bound(end, 1)),
        Bound::Excluded(&end) => Some(bound(end, 0)),
        Bound::Unbounded => None,
    };
    WrittenPart::Range { start, end, step }
}

/// The plan of a slice of a tensor with these sizes, and the sizes of the slice.
///
/// # Errors
///
/// If there are more parts than axes, or one is out of range.
pub fn plan(
    (front, back): &(Vec<WrittenPart>, Vec<WrittenPart>),
    sizes: &[usize],
) -> Result<(SlicePlan, Sizes), ShapeError> {
    let (parts, rank) = (front.len() + back.len(), sizes.len());
    if parts > rank {
        return Err(ShapeError::TooManyParts { parts, rank });
    }
    let between = core::iter::repeat_n(&WrittenPart::All, rank - parts);
    let written = front.iter().chain(between).chain(back);
    let mut plan = SlicePlan::new();
    for (axis, (part, &size)) in written.zip(sizes).enumerate() {
        plan.push(part.of(axis, size)?);
    }
    let sizes = sizes_of(&plan, sizes);
    Ok((plan, sizes))
}

/// The sizes of a slice of a tensor with these sizes.
pub fn sizes_of(plan: &[AxisPart], sizes: &[usize]) -> Sizes {
    let kept = plan.iter().zip(sizes).filter_map(|(part, &size)| match *part {
        AxisPart::All => Some(size),
        AxisPart::At(_) => None,
        AxisPart::Range { len, .. } => Some(len),
    });
    kept.collect()
}

/// The plan that keeps a part of one axis and all other axes whole.
pub fn plan_along(rank: usize, axis: usize, part: AxisPart) -> SlicePlan {
    let mut plan = SlicePlan::from_elem(AxisPart::All, rank);
    plan[axis] = part;
    plan
}

/// The plan that reverses these axes.
pub fn flipped(sizes: &[usize], axes: impl Iterator<Item = usize>) -> SlicePlan {
    let mut plan = SlicePlan::from_elem(AxisPart::All, sizes.len());
    for axis in axes {
        let len = sizes[axis];
        plan[axis] = AxisPart::Range { first: len.saturating_sub(1), len, step: -1 };
    }
    plan
}
