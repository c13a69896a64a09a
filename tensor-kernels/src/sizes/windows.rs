//! The result sizes of window operations, by the formulas of [`windows`](crate::windows) at run time: the
//! description of an operation that kernels read.

use smallvec::{SmallVec, smallvec};

use super::window_options::{AxisPadding, ConvOptions, Interpolation, PerAxis, PoolOptions};
use crate::sizes::Sizes;
use crate::sizes::count::num_elements;
use crate::sizes::error::ShapeError;

/// A window along one axis.
#[derive(Clone, Copy, Debug)]
pub struct WindowAxis {
    /// The number of elements of the axis.
    pub size: usize,
    /// The number of elements of the window.
    pub window: usize,
    /// The distance between elements of the window.
    pub dilation: usize,
    /// The stride of the window.
    pub stride: usize,
    /// The padding before the axis. A transposed convolution may remove elements there.
    pub before: isize,
    /// The padding after it, which the mean of a window may include.
    pub after: usize,
    /// The distance between elements of the axis, with zeros between them: 1, or the stride of a
    /// transposed convolution.
    pub spread: usize,
    /// The number of positions of the window.
    pub positions: usize,
}

/// The sizes of a convolution, as kernels read them.
#[derive(Clone, Debug)]
pub struct Convolution {
    /// The number of images.
    pub images: usize,
    /// The number of groups of channels.
    pub groups: usize,
    /// The number of input channels in a group.
    pub channels: usize,
    /// The number of result channels in a group.
    pub outputs: usize,
    pub axes: PerAxis<WindowAxis>,
    /// Whether the convolution is transposed: the weights have the channels of the input before those of the
    /// results, and the window is mirrored.
    pub is_transposed: bool,
    /// The sizes of the result.
    pub result: Sizes,
}

/// The sizes of a pooling, as kernels read them.
#[derive(Clone, Debug)]
pub struct Pooling {
    /// The axes of the window, the last ones of the input.
    pub axes: PerAxis<WindowAxis>,
    /// Whether the mean of a window excludes its padding.
    pub excludes_padding: bool,
    /// The sizes of the result.
    pub result: Sizes,
}

/// `x / by`, rounded up.
pub(crate) fn div_ceil(x: isize, by: isize) -> isize {
    x.div_euclid(by) + isize::from(x.rem_euclid(by) > 0)
}

/// The entry of an axis in a list with one entry for all axes or one for each.
fn entry<T: Copy>(
    list: &[T],
    option: &'static str,
    axis: usize,
    axes: usize,
) -> Result<T, ShapeError> {
    match *list {
        [all] => Ok(all),
        _ if list.len() == axes => Ok(list[axis]),
        _ => Err(ShapeError::WindowOptionCount { option, found: list.len(), axes }),
    }
}

/// Checks that a number is not 0.
fn positive(value: usize, option: &'static str) -> Result<usize, ShapeError> {
    if value > 0 { Ok(value) } else { Err(ShapeError::WindowOptionZero { option }) }
}

/// The product of one number of each axis.
pub(crate) fn product_of(axes: &[WindowAxis], of: fn(&WindowAxis) -> usize) -> usize {
    num_elements(&axes.iter().map(of).collect::<Sizes>())
}

impl Convolution {
    /// The convolution for tensors of these sizes.
    pub fn new(
        input: &[usize],
        weights: &[usize],
        options: &ConvOptions,
        is_transposed: bool,
    ) -> Result<Self, ShapeError> {
        let rank = || ShapeError::ConvolutionRank { input: input.len(), weights: weights.len() };
        let (&[first, second], window) = weights.split_first_chunk::<2>().ok_or_else(rank)?;
        let axes = window.len();
        if axes == 0 || input.len() < axes + 1 {
            return Err(rank());
        }
        let (lead, spatial) = input.split_at(input.len() - axes);
        let (&channels, lead) = lead.split_last().ok_or_else(rank)?;
        let groups = positive(options.groups, "the number of groups")?;
        let mismatch = || ShapeError::Channels {
            input: channels,
            weights: if is_transposed { first } else { second },
            groups: if is_transposed { 1 } else { groups },
        };
        let uneven = |channels| ShapeError::Groups { channels, groups };
        let (in_group, outputs) = if is_transposed {
            if first != channels {
                return Err(mismatch());
            }
            if !channels.is_multiple_of(groups) {
                return Err(uneven(channels));
            }
            (channels / groups, second)
        } else {
            if second.checked_mul(groups) != Some(channels) {
                return Err(mismatch());
            }
            if !first.is_multiple_of(groups) {
                return Err(uneven(first));
            }
            (second, first / groups)
        };
        let mut all = PerAxis::new();
        for (axis, (&size, &window)) in spatial.iter().zip(window).enumerate() {
            let dilation = entry(&options.dilation, "dilation", axis, axes)?;
            let stride = entry(&options.stride, "stride", axis, axes)?;
            let slid = WindowAxis::new(size, window, dilation, stride)?;
            let padding = entry(&options.padding, "padding", axis, axes)?;
            let added = entry(&options.output_padding, "output padding", axis, axes)?;
            let axis = lead.len() + 1 + axis;
            all.push(if is_transposed {
                slid.transposed(padding, added, axis)?
            } else if added > 0 {
                return Err(ShapeError::WindowOutputPadding);
            } else {
                slid.placed(padding, false, axis)?
            });
        }
        let too_large = || ShapeError::TooLarge { sizes: input.to_vec() };
        let images = crate::sizes::count::checked_num_elements(lead).ok_or_else(too_large)?;
        let mut result = Sizes::from_slice(lead);
        result.push(outputs.checked_mul(groups).ok_or_else(too_large)?);
        result.extend(all.iter().map(|axis| axis.positions));
        Ok(Self { images, groups, channels: in_group, outputs, axes: all, is_transposed, result })
    }
}

impl Convolution {
    /// The convolution from results of this one to its input, of these sizes, with the same
    /// weights: its transpose, which is the gradient with respect to the input. The adjoint of the transpose
    /// is this one again.
    pub fn adjoint(&self, input: &[usize]) -> Self {
        let axes = self.axes.iter().map(|axis| {
            let reach = ((axis.window - 1) * axis.dilation) as isize;
            WindowAxis {
                size: axis.positions,
                positions: axis.size,
                before: reach - axis.before,
                after: 0,
                stride: axis.spread,
                spread: axis.stride,
                ..*axis
            }
        });
        Self {
            channels: self.outputs,
            outputs: self.channels,
            axes: axes.collect(),
            is_transposed: !self.is_transposed,
            result: input.into(),
            ..*self
        }
    }

    /// The element, counted along all axes, that an element of the window reads at a position; `None` in the
    /// padding and between the elements of a transposed convolution.
    pub(crate) fn element(&self, mut position: usize, mut tap: usize) -> Option<usize> {
        let (mut element, mut step) = (0, 1);
        for axis in self.axes.iter().rev() {
            let at = (position % axis.positions * axis.stride) as isize
                + (tap % axis.window * axis.dilation) as isize
                - axis.before;
            let spread = axis.spread as isize;
            let index = usize::try_from(at.div_euclid(spread)).ok()?;
            if at.rem_euclid(spread) != 0 || index >= axis.size {
                return None;
            }
            element += index * step;
            step *= axis.size;
            (position, tap) = (position / axis.positions, tap / axis.window);
        }
        Some(element)
    }

    /// The sizes of the weights.
    pub fn weights(&self) -> Sizes {
        let Self { groups, channels, outputs, .. } = *self;
        let channels = match self.is_transposed {
            true => [groups * channels, outputs],
            false => [groups * outputs, channels],
        };
        channels.into_iter().chain(self.axes.iter().map(|axis| axis.window)).collect()
    }
}

impl Pooling {
    /// The same windows along the last axis alone, of images that are rows.
    pub(crate) fn along_last(&self) -> Self {
        let last = &self.axes[self.axes.len() - 1..];
        Self { axes: last.into(), ..self.clone() }
    }

    /// The number of elements of an image.
    pub(crate) fn image(&self) -> usize {
        product_of(&self.axes, |axis| axis.size)
    }

    /// Whether each image has one window, which has its elements and no others.
    pub(crate) fn is_of_whole_images(&self) -> bool {
        let is_whole = |axis: &WindowAxis| {
            let WindowAxis { size, window, dilation, before, positions, .. } = *axis;
            window == size && [dilation, positions] == [1, 1] && before == 0
        };
        self.axes.iter().all(is_whole)
    }

    /// The pooling for a tensor of these sizes.
    pub fn new(input: &[usize], options: &PoolOptions) -> Result<Self, ShapeError> {
        let axes = options.window.len();
        if axes == 0 || input.len() < axes {
            return Err(ShapeError::PoolRank { input: input.len(), axes });
        }
        let (lead, last) = input.split_at(input.len() - axes);
        let mut all = PerAxis::new();
        for (axis, (&size, &window)) in last.iter().zip(&options.window).enumerate() {
            let dilation = entry(&options.dilation, "dilation", axis, axes)?;
            let stride = entry(&options.stride, "stride", axis, axes)?;
            let slid = WindowAxis::new(size, window, dilation, stride)?;
            let padding = entry(&options.padding, "padding", axis, axes)?;
            let axis = lead.len() + axis;
            let placed = slid.placed(padding, options.is_ceil, axis)?;
            // With more padding, a window could cover only padding.
            let (covered, padding) =
                (placed.extent(), placed.before.unsigned_abs().max(placed.after));
            if let Some(covered) = covered.filter(|covered| padding > covered / 2) {
                return Err(ShapeError::PoolPadding { axis, padding, covered });
            }
            all.push(placed);
        }
        let mut result = Sizes::from_slice(lead);
        result.extend(all.iter().map(|axis| axis.positions));
        Ok(Self { axes: all, excludes_padding: options.excludes_padding, result })
    }
}

impl WindowAxis {
    /// An axis that windows of one element move along.
    pub(crate) fn plain(size: usize) -> Self {
        Self {
            size,
            window: 1,
            dilation: 1,
            stride: 1,
            before: 0,
            after: 0,
            spread: 1,
            positions: size,
        }
    }

    /// An axis without padding; its positions are not counted yet.
    fn new(size: usize, window: usize, dilation: usize, stride: usize) -> Result<Self, ShapeError> {
        let dilation = positive(dilation, "a dilation")?;
        Ok(Self {
            window: positive(window, "a window")?,
            // A window of one element has no distances: the dilation is normalised to 1.
            dilation: if window == 1 { 1 } else { dilation },
            stride: positive(stride, "a stride")?,
            positions: 0,
            ..Self::plain(size)
        })
    }

    /// The number of elements that the window spans; `None` if it overflows.
    fn extent(&self) -> Option<usize> {
        let extent = (self.window - 1).checked_mul(self.dilation)?.checked_add(1)?;
        isize::try_from(extent).is_ok().then_some(extent)
    }

    /// The axis with its padding, and its positions counted.
    fn placed(self, padding: AxisPadding, is_ceil: bool, axis: usize) -> Result<Self, ShapeError> {
        let Self { size, window, dilation, stride, .. } = self;
        let (before, after) = match (padding, self.extent()) {
            (AxisPadding::Elements(before, after), _) => (before, after),
            (AxisPadding::Same, _) if stride != 1 => {
                return Err(ShapeError::WindowSame { stride });
            }
            (AxisPadding::Same, extent) => {
                let all = extent.map_or(0, |extent| extent - 1);
                (all / 2, all - all / 2)
            }
        };
        let positions = self.extent().and_then(|extent| {
            let padded = size.checked_add(before)?.checked_add(after)?;
            isize::try_from(padded).ok()?;
            if !is_ceil {
                return Some(padded.checked_sub(extent)? / stride + 1);
            }
            // The last window starts within the axis or the padding before it.
            let to_the_end = padded.checked_add(stride - 1)?.checked_sub(extent)?;
            let begins = (size + before).checked_sub(1)?;
            Some(to_the_end.min(begins) / stride + 1)
        });
        let Some(positions) = positions else {
            let padding = before.saturating_add(after);
            return Err(ShapeError::WindowTooLarge { axis, size, padding, window, dilation });
        };
        let before = isize::try_from(before).expect("less than the padded size");
        // A window with one position does not move: the stride is normalised to 1.
        let stride = if positions == 1 { 1 } else { stride };
        Ok(Self { before, after, positions, stride, ..self })
    }

    /// The axis of a transposed convolution: the elements of the input, at the distance of the stride,
    /// padded so that the positions of the window are the elements from which the forward convolution
    /// computes the input.
    fn transposed(
        self,
        padding: AxisPadding,
        added: usize,
        axis: usize,
    ) -> Result<Self, ShapeError> {
        let Self { size, window, dilation, stride, .. } = self;
        let too_large =
            |padding| ShapeError::WindowTooLarge { axis, size, padding, window, dilation };
        let Some(extent) = self.extent() else { return Err(too_large(0)) };
        let (before, after) = match padding {
            AxisPadding::Elements(before, after) => (before, after),
            AxisPadding::Same if stride != 1 => return Err(ShapeError::WindowSame { stride }),
            AxisPadding::Same if added != 0 => return Err(ShapeError::WindowOutputPadding),
            AxisPadding::Same => ((extent - 1) / 2, extent - 1 - (extent - 1) / 2),
        };
        let all = size.checked_mul(stride).and_then(|all| all.checked_add(extent));
        let all = all.and_then(|all| all.checked_add(added));
        let Some(all) = all.filter(|&all| isize::try_from(all).is_ok()) else {
            return Err(ShapeError::WindowResultTooLarge { axis, size, stride, window });
        };
        let positions = || {
            let removed = stride.checked_add(before)?.checked_add(after)?;
            all.checked_sub(removed).filter(|&positions| positions > 0)
        };
        let Some(positions) = positions() else {
            return Err(ShapeError::WindowNothingLeft {
                axis,
                size,
                padding: before.saturating_add(after),
                window,
            });
        };
        let before = isize::try_from(extent - 1).ok().zip(isize::try_from(before).ok());
        let before = before.map(|(extent, before)| extent - before);
        let before = before.ok_or_else(|| too_large(0))?;
        // A single element has no distances: the spread is normalised to 1.
        let spread = if size <= 1 { 1 } else { stride };
        Ok(Self { before, after: 0, stride: 1, spread, positions, ..self })
    }
}

/// How resizing computes an element from those of the other size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resample {
    Interpolate(Interpolation),
    /// The mean of the elements that its interval touches.
    Mean,
}

/// The elements along an axis that are blended to one: `first` and those after it, with their weights.
pub struct Blend {
    pub first: usize,
    pub weights: SmallVec<[f64; 4]>,
}

impl Blend {
    /// The indices of the elements, with their weights.
    pub fn elements(&self) -> impl Iterator<Item = (usize, f64)> {
        (self.first..).zip(self.weights.iter().copied())
    }
}

impl Resample {
    /// The elements of an axis of size `from` that are interpolated to element `index` of an axis
    /// of size `to`.
    pub fn blend(self, index: usize, from: usize, to: usize) -> Blend {
        let one = |first: usize| Blend { first: first.min(from - 1), weights: smallvec![1.0] };
        let between = |position: f64| {
            let position = position.clamp(0.0, (from - 1) as f64);
            let first = position as usize;
            let part = position - first as f64;
            match part {
                0.0 => one(first),
                _ => Blend { first, weights: smallvec![1.0 - part, part] },
            }
        };
        // Divisions of 128 bits are slow.
        let scaled = |index: usize| match index.checked_mul(from) {
            Some(product) => product / to,
            None => (index as u128 * from as u128 / to as u128) as usize,
        };
        match self {
            Self::Interpolate(Interpolation::Nearest) => one(scaled(index)),
            Self::Interpolate(Interpolation::Bilinear) => {
                between((index as f64 + 0.5) * from as f64 / to as f64 - 0.5)
            }
            Self::Interpolate(Interpolation::BilinearAlignCorners) => match to {
                1 => one(0),
                _ => between(index as f64 * (from - 1) as f64 / (to - 1) as f64),
            },
            Self::Mean => {
                let end = ((index as u128 + 1) * from as u128).div_ceil(to as u128) as usize;
                let first = scaled(index);
                let count = end - first;
                Blend { first, weights: SmallVec::from_elem(1.0 / count as f64, count) }
            }
        }
    }
}

/// The sizes of a resizing of the last axes, as kernels read them.
#[derive(Clone, Debug)]
pub struct Resizing {
    /// The number of the last axes that are resized.
    pub axes: usize,
    pub resample: Resample,
    /// The sizes of the result.
    pub result: Sizes,
}

impl Resizing {
    /// The resizing of the last axes of a tensor of these sizes to the sizes of `target`.
    pub fn new(input: &[usize], target: &[usize], resample: Resample) -> Result<Self, ShapeError> {
        let axes = target.len();
        if axes == 0 || input.len() < axes {
            return Err(ShapeError::PoolRank { input: input.len(), axes });
        }
        let (lead, last) = input.split_at(input.len() - axes);
        let is_grown = |(axis, (&size, &target)): (usize, (&usize, &usize))| {
            (size == 0 && target > 0).then_some(lead.len() + axis)
        };
        if let Some(axis) = last.iter().zip(target).enumerate().find_map(is_grown) {
            let operation = match resample {
                Resample::Mean => "adaptive_avg_pool",
                Resample::Interpolate(_) => "interpolate",
            };
            return Err(ShapeError::Empty { operation, axis: Some(axis) });
        }
        let result = lead.iter().chain(target).copied().collect();
        Ok(Self { axes, resample, result })
    }
}
