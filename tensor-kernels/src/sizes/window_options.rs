//! Run-time options of windows, for shapes known only at run time.

use smallvec::SmallVec;

/// The padding of an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(doc, doc(hidden))]
pub enum AxisPadding {
    /// The numbers of elements before it and after it.
    Elements(usize, usize),
    /// The padding that keeps the size of the axis.
    Same,
}

/// A list with one entry for each axis, or one for all of them.
pub(crate) type PerAxis<T> = SmallVec<[T; 3]>;

/// The options of a convolution of `DynTensor`s.
///
/// Each option takes one number for all axes of the window, or one for each.
///
/// ```
/// use tensor_core::{DynTensor, windows::ConvOptions};
///
/// let x = DynTensor::full(&[3, 224, 224], 1.0);
/// let weights = DynTensor::full(&[64, 3, 7, 7], 1.0);
/// let y = x.conv2d(&weights, &ConvOptions::new().stride(&[2]).padding(&[3]))?;
/// assert_eq!(y.sizes(), [64, 112, 112]);
/// # Ok::<(), tensor_core::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConvOptions {
    pub(crate) stride: PerAxis<usize>,
    pub(crate) dilation: PerAxis<usize>,
    pub(crate) padding: PerAxis<AxisPadding>,
    pub(crate) output_padding: PerAxis<usize>,
    pub(crate) groups: usize,
}

/// The options of pooling of `DynTensor`s.
///
/// Each option takes one number for all axes of the window, or one for each.
///
/// ```
/// use tensor_core::{DynTensor, windows::PoolOptions};
///
/// let x = DynTensor::full(&[64, 112, 112], 1.0);
/// let y = x.max_pool(&PoolOptions::new(&[3, 3]).stride(&[2]).padding(&[1]))?;
/// assert_eq!(y.sizes(), [64, 56, 56]);
/// # Ok::<(), tensor_core::ShapeError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PoolOptions {
    pub(crate) window: PerAxis<usize>,
    pub(crate) stride: PerAxis<usize>,
    pub(crate) dilation: PerAxis<usize>,
    pub(crate) padding: PerAxis<AxisPadding>,
    pub(crate) is_ceil: bool,
    pub(crate) excludes_padding: bool,
}

impl Default for ConvOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The options of one axis: stride, dilation, padding, output padding.
pub(crate) type AxisOptions = (usize, usize, AxisPadding, usize);

impl ConvOptions {
    /// Default options: stride 1, no padding, dilation 1, one group.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new())?, DynTensor::full(&[1, 4], 2.0));
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn new() -> Self {
        Self {
            stride: [1].into_iter().collect(),
            dilation: [1].into_iter().collect(),
            padding: [AxisPadding::Elements(0, 0)].into_iter().collect(),
            output_padding: [0].into_iter().collect(),
            groups: 1,
        }
    }

    #[doc(hidden)]
    pub fn of_axes(axes: &[AxisOptions], groups: usize) -> Self {
        Self {
            stride: axes.iter().map(|axis| axis.0).collect(),
            dilation: axes.iter().map(|axis| axis.1).collect(),
            padding: axes.iter().map(|axis| axis.2).collect(),
            output_padding: axes.iter().map(|axis| axis.3).collect(),
            groups,
        }
    }

    /// Sets the stride of the window.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 1], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().stride(&[2]))?.sizes(), [1, 3]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn stride(self, stride: &[usize]) -> Self {
        Self { stride: stride.into(), ..self }
    }

    /// Sets the dilation: the distance between elements of the window.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().dilation(&[3]))?.sizes(), [1, 2]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn dilation(self, dilation: &[usize]) -> Self {
        Self { dilation: dilation.into(), ..self }
    }

    /// Sets the number of zeros on both sides of each axis.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().padding(&[1]))?.sizes(), [1, 6]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn padding(self, padding: &[usize]) -> Self {
        Self { padding: padding.iter().map(|&n| AxisPadding::Elements(n, n)).collect(), ..self }
    }

    /// Sets the numbers of zeros before and after each axis.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().padding_sides(&[(1, 0)]))?.sizes(), [1, 5]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn padding_sides(self, padding: &[(usize, usize)]) -> Self {
        let padding = padding.iter().map(|&(before, after)| AxisPadding::Elements(before, after));
        Self { padding: padding.collect(), ..self }
    }

    /// Sets the padding that keeps the sizes, with one more zero after an axis than before it if their number
    /// is odd; requires stride 1.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().same())?.sizes(), [1, 5]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn same(self) -> Self {
        Self { padding: [AxisPadding::Same].into_iter().collect(), ..self }
    }

    /// Sets the number of results that a transposed convolution appends: of the sizes that a stride maps to
    /// the same number of positions, this selects one.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[1, 5], 1.0), DynTensor::full(&[1, 1, 2], 1.0));
    /// let options = ConvOptions::new().stride(&[2]).output_padding(&[1]);
    /// assert_eq!(x.conv_transpose1d(&weights, &options)?.sizes(), [1, 11]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn output_padding(self, output_padding: &[usize]) -> Self {
        Self { output_padding: output_padding.into(), ..self }
    }

    /// Sets the number of groups of channels, which are convolved independently.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::ConvOptions};
    ///
    /// let (x, weights) = (DynTensor::full(&[4, 5], 1.0), DynTensor::full(&[4, 1, 2], 1.0));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new().groups(4))?.sizes(), [4, 4]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn groups(self, groups: usize) -> Self {
        Self { groups, ..self }
    }
}

impl PoolOptions {
    /// A window of these sizes, one for each of the last axes; its stride is its size, without padding.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[64, 112, 112], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2, 2]))?.sizes(), [64, 56, 56]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn new(window: &[usize]) -> Self {
        Self {
            window: window.into(),
            stride: window.into(),
            dilation: [1].into_iter().collect(),
            padding: [AxisPadding::Elements(0, 0)].into_iter().collect(),
            is_ceil: false,
            excludes_padding: false,
        }
    }

    #[doc(hidden)]
    pub fn of_axes(
        window: &[usize],
        axes: &[AxisOptions],
        is_ceil: bool,
        excludes_padding: bool,
    ) -> Self {
        Self {
            window: window.into(),
            stride: axes.iter().map(|axis| axis.0).collect(),
            dilation: axes.iter().map(|axis| axis.1).collect(),
            padding: axes.iter().map(|axis| axis.2).collect(),
            is_ceil,
            excludes_padding,
        }
    }

    /// Sets the stride of the window.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[5], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2]).stride(&[1]))?.sizes(), [4]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn stride(self, stride: &[usize]) -> Self {
        Self { stride: stride.into(), ..self }
    }

    /// Sets the dilation: the distance between elements of the window.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[5], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2]).dilation(&[4]))?.sizes(), [1]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn dilation(self, dilation: &[usize]) -> Self {
        Self { dilation: dilation.into(), ..self }
    }

    /// Sets the padding on both sides of each axis: it is never a maximum, and 0 in a mean.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[5], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[3]).padding(&[1]))?.sizes(), [2]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn padding(self, padding: &[usize]) -> Self {
        Self { padding: padding.iter().map(|&n| AxisPadding::Elements(n, n)).collect(), ..self }
    }

    /// Sets the padding before and after each axis.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[5], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2]).padding_sides(&[(0, 1)]))?.sizes(), [3]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn padding_sides(self, padding: &[(usize, usize)]) -> Self {
        let padding = padding.iter().map(|&(before, after)| AxisPadding::Elements(before, after));
        Self { padding: padding.collect(), ..self }
    }

    /// Sets whether the last window may extend beyond an axis, as PyTorch's `ceil_mode`; it still starts
    /// within the axis or the padding before it.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[5], 1.0);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2]).ceil_mode(true))?.sizes(), [3]);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn ceil_mode(self, is_ceil: bool) -> Self {
        Self { is_ceil, ..self }
    }

    /// Sets whether the mean of a window counts its padding; it does by default, as in PyTorch.
    ///
    /// ```
    /// use tensor_core::{DynTensor, windows::PoolOptions};
    ///
    /// let x = DynTensor::full(&[2], 1.0);
    /// let options = PoolOptions::new(&[2]).padding(&[1]);
    /// assert_eq!(x.avg_pool(&options)?, DynTensor::full(&[2], 0.5));
    /// assert_eq!(x.avg_pool(&options.count_include_pad(false))?, x);
    /// # Ok::<(), tensor_core::ShapeError>(())
    /// ```
    pub fn count_include_pad(self, counts: bool) -> Self {
        Self { excludes_padding: !counts, ..self }
    }

    /// The number of axes of the window.
    pub fn rank(&self) -> usize {
        self.window.len()
    }
}

/// How [`interpolate`](https://docs.rs/tensor-core/latest/tensor_core/struct.Tensor.html#method.interpolate)
/// computes values between elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The element whose interval contains the value: `⌊i · n / m⌋`.
    Nearest,
    /// Linear between two neighbours along each axis; elements are the centres of equal intervals, as
    /// with PyTorch's `align_corners=False`.
    Bilinear,
    /// Linear between two neighbours along each axis; the first and the last element keep their positions, as
    /// with PyTorch's `align_corners=True`.
    BilinearAlignCorners,
}
