//! Pooling, and its gradients: `max_pool`, `avg_pool`.

use tensor_kernels::pooling;
use tensor_kernels::sizes::window_options::PoolOptions;
use tensor_kernels::sizes::windows::Pooling;

use super::prelude::*;

operation_rows! {
    topic "Pooling" {
        max_pool1d: 1 "Number" "" "nn.functional.max_pool1d" "reduce_window";
        max_pool2d: 1 "Number" "" "nn.functional.max_pool2d" "reduce_window";
        max_pool3d: 1 "Number" "" "nn.functional.max_pool3d" "reduce_window";
        avg_pool1d: 1 "Float" "" "nn.functional.avg_pool1d" "reduce_window";
        avg_pool2d: 1 "Float" "" "nn.functional.avg_pool2d" "reduce_window";
        avg_pool3d: 1 "Float" "" "nn.functional.avg_pool3d" "reduce_window";
    }
}

/// The maxima of windows.
#[derive(Clone, Debug)]
struct MaxPool(Pooling);

primitive!(MaxPool, |_| "max_pool", |_, operands, _| count(operands[0]), |pool, to| {
    to.builder.max_pool(&pool.0, &to.x[0])
});

evaluate!(
    MaxPool => (x: T) -> T where T: Number,
    |pool, _| pooling::max_pooled(&pool.0, x.as_view()),
    |pool| pool.clone(),
);

/// Elements, the second operand, added at the positions of the maxima of windows of the first.
#[derive(Clone, Debug)]
struct MaxUnpool(Pooling);

primitive!(MaxUnpool, |_| "max_unpool", |_, _, _| 0, |pool, to| {
    to.builder.max_unpool(&pool.0, &to.x[0], &to.x[1])
});

evaluate!(
    MaxUnpool => (x: T, y: T) -> T where T: Float,
    |pool, _| pooling::max_unpooled(&pool.0, x.as_view(), y.as_view()),
    |pool| pool.clone(),
);

/// Elements, of the second operand, picked at the positions of the maxima of windows of the first.
#[derive(Clone, Debug)]
struct MaxPick(Pooling);

primitive!(MaxPick, |_| "max_pick", |_, _, _| 0, |pool, to| {
    to.builder.max_pick(&pool.0, &to.x[0], &to.x[1])
});

evaluate!(
    MaxPick => (x: T, y: T) -> T where T: Float,
    |pool, _| pooling::max_picked(&pool.0, x.as_view(), y.as_view()),
    |pool| pool.clone(),
);

/// The means of windows.
#[derive(Clone, Debug)]
struct AvgPool(Pooling);

primitive!(AvgPool, |_| "avg_pool", |_, operands, _| count(operands[0]), |pool, to| {
    to.builder.avg_pool(&pool.0, &to.x[0])
});

evaluate!(
    AvgPool => (x: T) -> T where T: Float,
    |pool, _| pooling::avg_pooled(&pool.0, x.as_view()),
    |pool| pool.clone(),
);

/// Elements distributed evenly over windows, the transpose of average pooling.
#[derive(Clone, Debug)]
struct AvgUnpool(Pooling);

primitive!(AvgUnpool, |_| "avg_unpool", |_, operands, _| count(operands[0]), |pool, to| {
    to.builder.avg_unpool(&pool.0, &to.x[0], to.sizes)
});

evaluate!(
    AvgUnpool => (x: T) -> T where T: Float,
    |pool, sizes| pooling::avg_unpooled(&pool.0, sizes, x.as_view()),
    |pool| pool.clone(),
);

impl GradientRule for MaxPool {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl GradientRule for MaxUnpool {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_picked(&self.0, gradient))]
    }
}

impl GradientRule for MaxPick {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![None, at.want(1, || at.operand::<T>(0).max_unpooled(&self.0, gradient))]
    }
}

impl GradientRule for AvgPool {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.avg_unpooled(&self.0, at.sizes(0)))]
    }
}

impl GradientRule for AvgUnpool {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.avg_pooled(&self.0))]
    }
}

impl<T: Float> DynTensor<T> {
    #[track_caller]
    fn max_unpooled(&self, plan: &Pooling, elements: &Self) -> Self {
        apply::<(T, T), _>(MaxUnpool(plan.clone()), (self, elements), self.sizes.clone())
    }

    #[track_caller]
    fn max_picked(&self, plan: &Pooling, elements: &Self) -> Self {
        apply::<(T, T), _>(MaxPick(plan.clone()), (self, elements), plan.result.clone())
    }

    #[track_caller]
    fn avg_pooled(&self, plan: &Pooling) -> Self {
        apply::<(T,), _>(AvgPool(plan.clone()), (self,), plan.result.clone())
    }

    #[track_caller]
    fn avg_unpooled(&self, plan: &Pooling, sizes: &[usize]) -> Self {
        apply::<(T,), _>(AvgUnpool(plan.clone()), (self,), Sizes::from_slice(sizes))
    }
}

/// # Maximum pooling
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Number> DynTensor<T> {
    /// The maximum of each window along the last axes, whose number the options determine,
    /// `[..lead, ..n] → [..lead, ..positions]`; NaN if there is one. Padding is never the maximum; a
    /// window of padding alone gives the smallest number of the type, -∞ for floats.
    /// Errors: [`ShapeError::PoolRank`] if there are too few axes, [`ShapeError::WindowTooLarge`] if a window is
    /// larger than its padded input, [`ShapeError::PoolPadding`] if padding is more than half of a window,
    /// [`ShapeError::WindowOptionZero`] and [`ShapeError::WindowOptionCount`] if an option does not fit,
    /// [`ShapeError::TooLarge`] if the result does not fit into memory.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.max_pool(&PoolOptions::new(&[2, 2]).stride(&[1]))?, tensor![[5, 6]].into());
    /// ```
    #[twin(none)]
    pub fn max_pool(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        let plan = Pooling::new(&self.sizes, options)?;
        fits_into_memory::<T>(&plan.result)?;
        let sizes = plan.result.clone();
        Ok(apply::<(T,), _>(MaxPool(plan), (self,), sizes))
    }

    /// The largest element of each window along the last axis,
    /// `[..lead, n] → [..lead, (n + padding - (k - 1) dilation - 1) / stride + 1]`; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::from(tensor![1, 5, 2, 3]);
    /// assert_eq!(x.max_pool1d(&PoolOptions::new(&[2]))?, tensor![5, 3].into());
    /// ```
    pub fn max_pool1d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 1)?.max_pool(options)
    }

    /// The largest element of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]` with
    /// `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::full(&[64, 112, 112], 1.0);
    /// let y = x.max_pool2d(&PoolOptions::new(&[3, 3]).stride(&[2]).padding(&[1]))?;
    /// assert_eq!(y.sizes(), [64, 56, 56]);
    /// ```
    pub fn max_pool2d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 2)?.max_pool(options)
    }

    /// The largest element of each window along the last three axes, `[..lead, d, h, w] → [..lead, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike; NaN if there is one.
    /// Errors: As [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::full(&[16, 8, 12, 12], 1.0);
    /// assert_eq!(x.max_pool3d(&PoolOptions::new(&[2, 2, 2]))?.sizes(), [16, 4, 6, 6]);
    /// ```
    pub fn max_pool3d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 3)?.max_pool(options)
    }

    fn check_window(&self, options: &PoolOptions, axes: usize) -> Result<&Self, ShapeError> {
        match options.rank() == axes {
            true => Ok(self),
            false => Err(ShapeError::WindowOptionCount {
                option: "the size of the window",
                found: options.rank(),
                axes,
            }),
        }
    }
}

/// # Average pooling
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Float> DynTensor<T> {
    /// The mean of each window along the last axes, whose number the options determine,
    /// `[..lead, ..n] → [..lead, ..positions]`.
    ///
    /// Padding counts as 0 unless [`count_include_pad`](PoolOptions::count_include_pad) excludes it.
    /// The mean of a window without elements is NaN.
    /// Errors: Those of [`max_pool`](DynTensor::max_pool).
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 2.0], [3.0, 6.0]]);
    /// assert_eq!(x.avg_pool(&PoolOptions::new(&[2, 2]))?, tensor![[3.0]].into());
    /// ```
    #[doc(alias = "mean_pool")]
    #[twin(none)]
    pub fn avg_pool(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        let plan = Pooling::new(&self.sizes, options)?;
        fits_into_memory::<T>(&plan.result)?;
        Ok(self.avg_pooled(&plan))
    }

    /// The mean of each window along the last axis,
    /// `[..lead, n] → [..lead, (n + padding - (k - 1) dilation - 1) / stride + 1]`.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::from(tensor![1.0, 5.0, 2.0, 4.0]);
    /// assert_eq!(x.avg_pool1d(&PoolOptions::new(&[2]))?, tensor![3.0, 3.0].into());
    /// ```
    pub fn avg_pool1d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 1)?.avg_pool(options)
    }

    /// The mean of each window along the last two axes, `[..lead, h, w] → [..lead, y, x]` with
    /// `y = (h + padding - (kh - 1) dilation - 1) / stride + 1`, and `x` alike.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::from(tensor![[1.0, 2.0], [3.0, 6.0]]);
    /// assert_eq!(x.avg_pool2d(&PoolOptions::new(&[2, 2]))?, tensor![[3.0]].into());
    /// ```
    pub fn avg_pool2d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 2)?.avg_pool(options)
    }

    /// The mean of each window along the last three axes, `[..lead, d, h, w] → [..lead, z, y, x]` with
    /// `z = (d + padding - (kd - 1) dilation - 1) / stride + 1`, and `y` and `x` alike.
    /// Errors: As [`avg_pool`](DynTensor::avg_pool).
    /// ```
    /// let x = DynTensor::full(&[4, 4, 4], 3.0);
    /// let y = x.avg_pool3d(&PoolOptions::new(&[2, 2, 2]))?;
    /// assert_eq!(y, DynTensor::full(&[2, 2, 2], 3.0));
    /// ```
    pub fn avg_pool3d(&self, options: &PoolOptions) -> Result<Self, ShapeError> {
        self.check_window(options, 3)?.avg_pool(options)
    }
}
