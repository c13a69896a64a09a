//! Images at other sizes, and the gradient: `interpolate`, `adaptive_avg_pool`.

use tensor_kernels::pooling;
use tensor_kernels::sizes::window_options::Interpolation;
use tensor_kernels::sizes::windows::{Resample, Resizing};

use super::prelude::*;

operation_rows! {
    topic "Pooling" {
        adaptive_avg_pool: 1 "Float" "" "nn.functional.adaptive_avg_pool2d" "";
    }
    topic "Interpolation" {
        interpolate: 1 "Float" "" "nn.functional.interpolate" "";
    }
}

/// The last axes at other sizes.
#[derive(Clone, Debug)]
struct Resize(Resizing);

primitive!(Resize, |_| "resize", |_, operands, _| count(operands[0]), |resize, to| {
    to.builder.resize(&resize.0, &to.x[0], to.sizes)
});

evaluate!(
    Resize => (x: T) -> T where T: Float,
    |resize, _| pooling::resized(&resize.0, x.as_view()),
    |resize| resize.clone(),
);

/// The transpose of resizing.
#[derive(Clone, Debug)]
struct ResizeTransposed(Resizing);

primitive!(
    ResizeTransposed,
    |_| "resize_transposed",
    |_, operands, _| count(operands[0]),
    |resize, to| { to.builder.resize_transposed(&resize.0, &to.x[0], to.sizes) }
);

evaluate!(
    ResizeTransposed => (x: T) -> T where T: Float,
    |resize, sizes| pooling::resized_transposed(&resize.0, sizes, x.as_view()),
    |resize| resize.clone(),
);

impl GradientRule for Resize {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(apply::<(T,), _>(
            ResizeTransposed(self.0.clone()),
            (gradient,),
            at.sizes(0).into()
        ))]
    }
}

impl GradientRule for ResizeTransposed {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.resized_by(&self.0))]
    }
}

impl<T: Float> DynTensor<T> {
    #[track_caller]
    fn resized_by(&self, plan: &Resizing) -> Self {
        apply::<(T,), _>(Resize(plan.clone()), (self,), plan.result.clone())
    }
}

/// # Interpolation
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// Pools the last axes to other sizes, `[..lead, h, w] → [..lead, y, x]`: result `i` along an axis is the mean
    /// of the elements from `⌊i · h / y⌋` up to `⌈(i + 1) · h / y⌉`, as in PyTorch.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::Empty`] if an axis has no element
    /// to take the mean of, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 3.0, 5.0]);
    /// assert_eq!(x.adaptive_avg_pool(&[2])?, tensor![2.0, 4.0].into());
    /// ```
    #[doc(alias = "adaptive_avg_pool2d")]
    pub fn adaptive_avg_pool(&self, sizes: &[usize]) -> Result<Self, ShapeError> {
        self.resized(sizes, Resample::Mean)
    }

    /// Resizes the last axes, `[..lead, h, w] → [..lead, y, x]`: enlarges or shrinks images, by the nearest
    /// element or linear interpolation along each axis.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::Empty`] if an axis without
    /// elements is to become longer, [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 2.0]);
    /// let twice = x.interpolate(&[4], Interpolation::Bilinear)?;
    /// assert_eq!(twice, tensor![1.0, 1.25, 1.75, 2.0].into());
    /// ```
    #[doc(alias("resize", "upsample"))]
    pub fn interpolate(
        &self,
        sizes: &[usize],
        interpolation: Interpolation,
    ) -> Result<Self, ShapeError> {
        self.resized(sizes, Resample::Interpolate(interpolation))
    }

    fn resized(&self, sizes: &[usize], resample: Resample) -> Result<Self, ShapeError> {
        let plan = Resizing::new(&self.sizes, sizes, resample)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.resized_by(&plan))
    }
}
