//! Convolutions, and their gradients: `conv`, `conv_transpose`.

use tensor_kernels::sizes::window_options::ConvOptions;
use tensor_kernels::sizes::windows::Convolution;

use super::autocast::{Product, autocast_product};
use super::prelude::*;

operation_rows! {
    topic "Convolution" {
        conv1d: 2 "Number" "" "nn.functional.conv1d" "convolution";
        conv2d: 2 "Number" "" "nn.functional.conv2d" "convolution";
        conv3d: 2 "Number" "" "nn.functional.conv3d" "convolution";
        conv_transpose1d: 2 "Number" "" "nn.functional.conv_transpose1d" "convolution";
        conv_transpose2d: 2 "Number" "" "nn.functional.conv_transpose2d" "convolution";
        conv_transpose3d: 2 "Number" "" "nn.functional.conv_transpose3d" "convolution";
    }
}

/// A convolution: the operands are the input and the weights.
#[derive(Clone, Debug)]
struct Convolve(Convolution);

primitive!(
    Convolve,
    |_| "convolve",
    |_, operands, result| {
        // Each element of the result is a sum over one filter.
        2 * count(result) * count(&operands[1][1..])
    },
    |conv, to| { to.builder.convolve(&conv.0, &to.x[0], &to.x[1]) }
);

evaluate!(
    Convolve => (x: T, y: T) -> T where T: Number,
    |conv, _| T::convolved(&conv.0, x.as_view(), y.as_view()),
    |conv| conv.clone(),
);

/// The gradient of a convolution with respect to its weights: the operands are the input and the gradient of the
/// results.
#[derive(Clone, Debug)]
struct ConvolveWeights(Convolution);

primitive!(
    ConvolveWeights,
    |_| "convolve_weights",
    |_, operands, result| {
        // Each element of the gradient is multiplied by what one filter reads.
        2 * count(operands[1]) * count(&result[1..])
    },
    |conv, to| { to.builder.convolve_weights(&conv.0, &to.x[0], &to.x[1], to.sizes) }
);

evaluate!(
    ConvolveWeights => (x: T, y: T) -> T where T: Float,
    |conv, _| T::convolved_weights(&conv.0, x.as_view(), y.as_view()),
    |conv| conv.clone(),
);

/// A convolution is linear in its input, with its transpose as gradient, and in its weights. A transposed
/// convolution has the weight gradient of the convolution from its results to its input.
impl GradientRule for Convolve {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let (x, weights) = (at.operand::<T>(0), at.operand::<T>(1));
        let back = || self.0.adjoint(x.sizes());
        smallvec![
            at.want(0, || gradient.convolved_by(back(), &weights)),
            at.want(1, || match self.0.is_transposed {
                true => gradient.convolved_weights(back(), &x),
                false => x.convolved_weights(self.0.clone(), gradient),
            }),
        ]
    }
}

impl GradientRule for ConvolveWeights {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let (x, results) = (at.operand::<T>(0), at.operand::<T>(1));
        smallvec![
            at.want(0, || results.convolved_by(self.0.adjoint(x.sizes()), gradient)),
            at.want(1, || x.convolved_by(self.0.clone(), gradient)),
        ]
    }
}

impl<T: Number> DynTensor<T> {
    /// The convolution by a plan that fits.
    #[track_caller]
    fn convolved_by(&self, plan: Convolution, weights: &Self) -> Self {
        let (sizes, convolve) = (plan.result.clone(), Convolve(plan));
        if let Some(result) = autocast_product(&convolve, self, weights) {
            return result;
        }
        apply::<(T, T), _>(convolve, (self, weights), sizes)
    }
}

impl Product for Convolve {
    fn of<T: Float>(&self, x: &DynTensor<T>, y: &DynTensor<T>) -> DynTensor<T> {
        x.convolved_by(self.0.clone(), y)
    }
}

impl<T: Float> DynTensor<T> {
    /// The gradient of the weights of a convolution by a plan, from that of its results.
    #[track_caller]
    fn convolved_weights(&self, plan: Convolution, gradient: &Self) -> Self {
        let (sizes, convolve) = (plan.weights(), ConvolveWeights(plan));
        if let Some(result) = autocast_product(&convolve, self, gradient) {
            return result;
        }
        apply::<(T, T), _>(convolve, (self, gradient), sizes)
    }
}

impl Product for ConvolveWeights {
    fn of<T: Float>(&self, x: &DynTensor<T>, y: &DynTensor<T>) -> DynTensor<T> {
        x.convolved_weights(self.0.clone(), y)
    }
}

/// # Convolution
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Number> DynTensor<T> {
    /// The convolution along the axes that the weights have after their channels,
    /// `[..lead, c, ..n] * [o, c / groups, ..k] → [..lead, o, ..positions]`, with
    /// `(n + padding - (k - 1) dilation - 1) / stride + 1` positions along each axis. The window is not
    /// mirrored.
    ///
    /// Integers wrap around; 16-bit floats are summed in `f32`.
    /// Errors: [`ShapeError::ConvolutionRank`] if there are too few axes, [`ShapeError::Channels`] if the channels
    /// differ, [`ShapeError::Groups`] if the groups do not divide them, [`ShapeError::WindowTooLarge`] if a window
    /// is larger than its padded input, [`ShapeError::WindowOptionZero`], [`ShapeError::WindowOptionCount`],
    /// [`ShapeError::WindowSame`] and [`ShapeError::WindowOutputPadding`] if an option does not fit,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let volume = DynTensor::full(&[2, 1, 8, 8, 8], 1.0);
    /// let weights = DynTensor::full(&[4, 1, 3, 3, 3], 1.0);
    /// let y = volume.conv(&weights, &ConvOptions::new().stride(&[1, 2, 2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 4, 6, 3, 3], 27.0));
    /// ```
    #[doc(alias = "convolve")]
    #[twin(none)]
    pub fn conv(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.convolved(weights, options, false)
    }

    /// The convolution along the last three axes, of a volume or a video,
    /// `[..lead, c, d, h, w] * [o, c / groups, kd, kh, kw] → [..lead, o, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let video = DynTensor::full(&[3, 8, 6, 6], 1.0);
    /// let weights = DynTensor::full(&[4, 3, 3, 3, 3], 1.0);
    /// assert_eq!(video.conv3d(&weights, &ConvOptions::new())?.sizes(), [4, 6, 4, 4]);
    /// ```
    pub fn conv3d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 5)?.convolved(weights, options, false)
    }

    /// The convolution along the last axis,
    /// `[..lead, c, n] * [o, c / groups, k] → [..lead, o, (n + padding - (k - 1) dilation - 1) / stride + 1]`.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let (x, weights) = (DynTensor::from(tensor![[1, 2, 4]]), DynTensor::from(tensor![[[-1, 1]]]));
    /// assert_eq!(x.conv1d(&weights, &ConvOptions::new())?, tensor![[1, 2]].into());
    /// ```
    pub fn conv1d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 3)?.convolved(weights, options, false)
    }

    /// The convolution along the last two axes, `[..lead, c, h, w] * [o, c / groups, kh, kw] → [..lead, o, y, x]`
    /// with `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike.
    /// Errors: As [`conv`](DynTensor::conv).
    /// ```
    /// let x = DynTensor::full(&[8, 3, 32, 32], 1.0);
    /// let weights = DynTensor::full(&[16, 3, 3, 3], 1.0);
    /// let y = x.conv2d(&weights, &ConvOptions::new().same())?;
    /// assert_eq!(y.sizes(), [8, 16, 32, 32]);
    ///
    /// let error = x.conv2d(&DynTensor::full(&[16, 4, 3, 3], 1.0), &ConvOptions::new()).unwrap_err();
    /// assert_eq!(error.to_string(), "the input has 3 channels, and the weights take 4");
    /// ```
    pub fn conv2d(&self, weights: &Self, options: &ConvOptions) -> Result<Self, ShapeError> {
        self.check_weights(weights, 4)?.convolved(weights, options, false)
    }

    /// The transposed convolution, which is the gradient of [`conv`](DynTensor::conv) with respect to its
    /// input: `[..lead, c, ..n] * [c, o / groups, ..k] → [..lead, o, ..m]`, with
    /// `m = (n - 1) stride + (k - 1) dilation + 1 + output padding - padding` along each axis.
    /// Errors: Those of [`conv`](DynTensor::conv), [`ShapeError::WindowNothingLeft`] if the padding removes all
    /// results, [`ShapeError::WindowResultTooLarge`] if an axis of the result would be longer than `isize::MAX`.
    /// ```
    /// let (x, weights) = (DynTensor::full(&[1, 4, 4, 4], 1.0), DynTensor::full(&[1, 2, 2, 2, 2], 1.0));
    /// let y = x.conv_transpose(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 8, 8, 8], 1.0));
    /// ```
    #[doc(alias = "deconvolution")]
    #[twin(none)]
    pub fn conv_transpose(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.convolved(weights, options, true)
    }

    /// The transposed convolution along the last axis, which is the gradient of [`conv1d`](Self::conv1d) with
    /// regard to its input: `[..lead, c, n] * [c, o / groups, k] → [..lead, o, m]` with
    /// `m = (n - 1) stride + (k - 1) dilation + 1 + output padding - padding`.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let (x, weights) = (DynTensor::from(tensor![[1, 2]]), DynTensor::from(tensor![[[1, 10]]]));
    /// let y = x.conv_transpose1d(&weights, &ConvOptions::new())?;
    /// assert_eq!(y, tensor![[1, 12, 20]].into());
    /// ```
    pub fn conv_transpose1d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 3)?.convolved(weights, options, true)
    }

    /// The transposed convolution along the last two axes, which is the gradient of [`conv2d`](Self::conv2d) with
    /// regard to its input: `[..lead, c, h, w] * [c, o / groups, kh, kw] → [..lead, o, y, x]` with
    /// `y = (h - 1) stride + (kh - 1) dilation + 1 + output padding - padding`, and `x` alike.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let (x, weights) = (DynTensor::full(&[1, 14, 14], 1.0), DynTensor::full(&[1, 8, 2, 2], 1.0));
    /// let y = x.conv_transpose2d(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y.sizes(), [8, 28, 28]);
    /// ```
    pub fn conv_transpose2d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 4)?.convolved(weights, options, true)
    }

    /// The transposed convolution along the last three axes, which is the gradient of [`conv3d`](Self::conv3d)
    /// with regard to its input: `[..lead, c, d, h, w] * [c, o / groups, kd, kh, kw] → [..lead, o, z, y, x]` with
    /// `z = (d - 1) stride + (kd - 1) dilation + 1 + output padding - padding`, and `y` and `x` alike.
    /// Errors: As [`conv_transpose`](DynTensor::conv_transpose).
    /// ```
    /// let x = DynTensor::full(&[1, 4, 4, 4], 1.0);
    /// let weights = DynTensor::full(&[1, 2, 2, 2, 2], 1.0);
    /// let y = x.conv_transpose3d(&weights, &ConvOptions::new().stride(&[2]))?;
    /// assert_eq!(y.sizes(), [2, 8, 8, 8]);
    /// ```
    pub fn conv_transpose3d(
        &self,
        weights: &Self,
        options: &ConvOptions,
    ) -> Result<Self, ShapeError> {
        self.check_weights(weights, 5)?.convolved(weights, options, true)
    }

    fn check_weights(&self, weights: &Self, rank: usize) -> Result<&Self, ShapeError> {
        if weights.rank() == rank {
            return Ok(self);
        }
        Err(ShapeError::ConvolutionRank { input: self.rank(), weights: weights.rank() })
    }

    #[doc(hidden)]
    pub fn convolved(
        &self,
        weights: &Self,
        options: &ConvOptions,
        is_transposed: bool,
    ) -> Result<Self, ShapeError> {
        let plan = Convolution::new(&self.sizes, &weights.sizes, options, is_transposed)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.convolved_by(plan, weights))
    }
}
