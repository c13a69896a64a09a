//! Reductions, and operations along an axis that keep the sizes: one row for each.
//!
//! A row has the zero-sized type of the operation, the names that others have for it, its kernel,
//! and the methods of tensors with their documentation. [`for_each_reduction`] hands all rows to a
//! macro: this module makes the traits that element types have for them, `axis_ops.rs` their impls,
//! `tensor/operations/reduce.rs` and `reduce_axes.rs` of `tensor-core` the methods of `Tensor`,
//! `array/dynamic/reductions.rs` of `tensor-array` those of `DynTensor`.
//!
//! A row with `axes` also reduces along several axes at once, by the methods that it names there.
//!
//! The kinds of methods: `reduce` gives one result for all elements or for those along an axis, also
//! where there is none, `choose` panics there, `spread` has a correction of the divisor, `map` keeps
//! the sizes.
#![allow(
    private_interfaces,
    reason = "users cannot name the traits, only this crate calls their items"
)]

use super::row::impl_rows;
use crate::rows::{AxisMap, Reduction};

/// Hands all rows to a macro.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_reduction {
    ($then:ident $($argument:tt)*) => { $then! { $($argument)*
        /// # Reductions of numbers, and cumulative sums
        Number NumberReductions numbers {
            Sum SUM_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::sum::<T>(),
                name: "sum", numpy: "sum", pytorch: "sum", stablehlo: { sum(x) }, cost: 1,
                axes: [sum_axes, sum_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 12.0, [4.0, 8.0];
                /// The sum of all elements, `[..] → []`; 0 if there is none.
                ///
                /// Floats are summed pairwise, so that the error hardly grows with their number;
                /// 16-bit floats are summed in `f32` and rounded once. Integers wrap around on
                /// overflow: [`sum_as`](crate::Tensor::sum_as) sums small ones in a larger type.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 2], [3, 4]].sum().item(), 10);
                /// ```
                x.sum(), // along an axis: x.sum_axis::<0>()
                /// The sums along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`. A negative `AXIS` counts from
                /// the last axis: -1.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1, 2, 3], [4, 5, 6]];
                /// assert_eq!(x.sum_axis::<0>(), tensor![5, 7, 9]);
                /// assert_eq!(x.sum_axis::<-1>(), tensor![6, 15]);
                /// ```
                x.sum_axis::<0>(),
                /// The sums along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 3.0], [2.0, 2.0]];
                /// let shares = &x / x.sum_axis_keepdims::<-1>();
                /// assert_eq!(shares, tensor![[0.25, 0.75], [0.5, 0.5]]);
                /// ```
                x.sum_axis_keepdims::<0>()
            }
            Prod PROD_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::product::<T>(),
                name: "prod", numpy: "prod", pytorch: "prod", stablehlo: { prod(x) }, cost: 1,
                axes: [prod_axes, prod_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 36.0, [3.0, 12.0];
                /// The product of all elements, `[..] → []`; 1 if there is none. Integers wrap
                /// around on overflow: `x.cast::<i64>().prod()` multiplies small ones in a larger type.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 2], [3, 4]].prod().item(), 24);
                /// ```
                #[doc(alias = "product")]
                x.prod(), // along an axis: x.prod_axis::<0>()
                /// The products along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 2, 3], [4, 5, 6]].prod_axis::<-1>(), tensor![6, 120]);
                /// ```
                x.prod_axis::<0>(),
                /// The products along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 2], [3, 4]].prod_axis_keepdims::<-1>(), tensor![[2], [12]]);
                /// ```
                x.prod_axis_keepdims::<0>()
            }
            Max MAX_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::max::<T>(),
                name: "max", numpy: "max", pytorch: "amax", stablehlo: { max(x) }, cost: 1,
                axes: [max_axes, max_axes_keepdims],
            } choose {
                example: [1.0, 3.0, 2.0, 6.0] => 6.0, [3.0, 6.0];
                /// The largest element, `[..] → []`; NaN if there is one.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [3, 2]].max().item(), 4);
                /// ```
                #[doc(alias = "amax")]
                x.max(), // along an axis: x.max_axis::<0>()
                /// The largest elements along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; NaN where
                /// there is one.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [3, 2]].max_axis::<0>(), tensor![3, 4]);
                /// ```
                #[doc(alias = "amax")]
                x.max_axis::<0>(),
                /// The largest elements along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1, 4], [3, 2]];
                /// assert_eq!(&x - x.max_axis_keepdims::<-1>(), tensor![[-3, 0], [0, -1]]);
                /// ```
                x.max_axis_keepdims::<0>()
            }
            Min MIN_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::min::<T>(),
                name: "min", numpy: "min", pytorch: "amin", stablehlo: { min(x) }, cost: 1,
                axes: [min_axes, min_axes_keepdims],
            } choose {
                example: [1.0, 3.0, 2.0, 6.0] => 1.0, [1.0, 2.0];
                /// The smallest element, `[..] → []`; NaN if there is one.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[2, 4], [3, 1]].min().item(), 1);
                /// ```
                #[doc(alias = "amin")]
                x.min(), // along an axis: x.min_axis::<0>()
                /// The smallest elements along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; NaN where
                /// there is one.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [3, 2]].min_axis::<0>(), tensor![1, 2]);
                /// ```
                #[doc(alias = "amin")]
                x.min_axis::<0>(),
                /// The smallest elements along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1, 4], [3, 2]];
                /// assert_eq!(&x - x.min_axis_keepdims::<-1>(), tensor![[0, 3], [1, 0]]);
                /// ```
                x.min_axis_keepdims::<0>()
            }
            ArgMax ARGMAX_ROW: Reduction -> i64 {
                kernel: ArgKernel = ArgKernel::max::<T>(),
                name: "argmax", numpy: "argmax", pytorch: "argmax", stablehlo: { argmax(x) }, cost: 2,
            } choose {
                example: [1.0, 3.0, 2.0, 6.0] => 3, [1, 1];
                /// Index of the maximum in row-major (flattened) order, `[..] → []`. Ties: first.
                /// NaN: index of the first NaN, as NumPy.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [4, 2]].argmax().item(), 1);
                /// ```
                #[doc(alias = "nanargmax")]
                x.argmax(), // along an axis: x.argmax_axis::<0>()
                /// Indices of the maxima along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`. Ties: first.
                /// NaN: index of the first NaN.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let scores = tensor![[0.1, 0.7, 0.2], [0.5, 0.5, 0.0]];
                /// assert_eq!(scores.argmax_axis::<-1>(), tensor![1, 0]);
                /// ```
                x.argmax_axis::<0>(),
                /// Indices of the maxima along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [3, 2]].argmax_axis_keepdims::<-1>(), tensor![[1], [0]]);
                /// ```
                x.argmax_axis_keepdims::<0>()
            }
            ArgMin ARGMIN_ROW: Reduction -> i64 {
                kernel: ArgKernel = ArgKernel::min::<T>(),
                name: "argmin", numpy: "argmin", pytorch: "argmin", stablehlo: { argmin(x) }, cost: 2,
            } choose {
                example: [1.0, 3.0, 2.0, 6.0] => 0, [0, 0];
                /// Index of the minimum in row-major (flattened) order, `[..] → []`. Ties: first.
                /// NaN: index of the first NaN, as NumPy.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[2, 1], [1, 4]].argmin().item(), 1);
                /// ```
                #[doc(alias = "nanargmin")]
                x.argmin(), // along an axis: x.argmin_axis::<0>()
                /// Indices of the minima along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`. Ties: first.
                /// NaN: index of the first NaN.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let distances = tensor![[0.3, 0.1, 0.2], [0.5, 0.9, 0.5]];
                /// assert_eq!(distances.argmin_axis::<-1>(), tensor![1, 0]);
                /// ```
                x.argmin_axis::<0>(),
                /// Indices of the minima along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1, 4], [3, 2]].argmin_axis_keepdims::<-1>(), tensor![[0], [1]]);
                /// ```
                x.argmin_axis_keepdims::<0>()
            }
            CumSum CUMSUM_ROW: AxisMap -> T {
                kernel: ScanKernel = ScanKernel::sum::<T>(),
                name: "cumsum", numpy: "cumsum", pytorch: "cumsum", stablehlo: { cumsum(x) }, cost: 1,
            } map {
                example: [1.0, 3.0, 2.0, 6.0] => [1.0, 4.0, 2.0, 8.0];
                /// Cumulative sums along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: element `i` is
                /// the sum of the elements `0..=i`, added one after the other.
                ///
                /// Integers wrap around on overflow: `x.cast::<i64>().cumsum::<-1>()` sums small ones in a larger
                /// type. 16-bit floats are summed in `f32`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1, 2, 3], [4, 5, 6]];
                /// assert_eq!(x.cumsum::<-1>(), tensor![[1, 3, 6], [4, 9, 15]]);
                /// assert_eq!(x.cumsum::<0>(), tensor![[1, 2, 3], [5, 7, 9]]);
                /// ```
                #[doc(alias = "cumulative_sum")]
                x.cumsum::<-1>() => AxisParams::default(),
                example: [1.0, 3.0, 2.0, 6.0] => [0.0, 1.0, 0.0, 2.0];
                /// Cumulative sums along axis `AXIS` without the element itself,
                /// `[..a, n, ..b] → [..a, n, ..b]`: element `i` is the sum of the elements `0..i`, and the
                /// first is 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![1, 2, 3].cumsum_exclusive::<0>(), tensor![0, 1, 3]);
                /// ```
                x.cumsum_exclusive::<-1>() => AxisParams { exclusive: true, ..AxisParams::default() },
                example: [1.0, 3.0, 2.0, 6.0] => [4.0, 3.0, 8.0, 6.0];
                /// Cumulative sums along axis `AXIS` from the end, `[..a, n, ..b] → [..a, n, ..b]`: element
                /// `i` is the sum of the elements `i..`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![1, 2, 3].cumsum_reverse::<0>(), tensor![6, 5, 3]);
                /// ```
                x.cumsum_reverse::<-1>() => AxisParams { reverse: true, ..AxisParams::default() },
                example: [1.0, 3.0, 2.0, 6.0] => [3.0, 0.0, 6.0, 0.0];
                /// Cumulative sums along axis `AXIS` from the end without the element itself,
                /// `[..a, n, ..b] → [..a, n, ..b]`: element `i` is the sum of the elements `i + 1..`, and
                /// the last is 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![1, 2, 3].cumsum_exclusive_reverse::<0>(), tensor![5, 3, 0]);
                /// ```
                x.cumsum_exclusive_reverse::<-1>() => AxisParams { exclusive: true, reverse: true, ..AxisParams::default() }
            }
            CumProd CUMPROD_ROW: AxisMap -> T {
                kernel: ScanKernel = ScanKernel::product::<T>(),
                name: "cumprod", numpy: "cumprod", pytorch: "cumprod", stablehlo: { cumprod(x) }, cost: 1,
            } map {
                example: [1.0, 3.0, 2.0, 6.0] => [1.0, 3.0, 2.0, 12.0];
                /// Cumulative products along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: element `i` is
                /// the product of the elements `0..=i`, one after the other.
                ///
                /// Integers wrap around on overflow; 16-bit floats are multiplied in `f32`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1, 2, 3], [4, 5, 6]];
                /// assert_eq!(x.cumprod::<-1>(), tensor![[1, 2, 6], [4, 20, 120]]);
                /// ```
                #[doc(alias = "cumulative_prod")]
                x.cumprod::<-1>() => AxisParams::default()
            }
            CumMax CUMMAX_ROW: AxisMap -> T {
                kernel: ScanKernel = ScanKernel::max::<T>(),
                name: "cummax", numpy: "maximum.accumulate", pytorch: "cummax", stablehlo: { cummax(x) }, cost: 1,
            } map {
                example: [1.0, 3.0, 6.0, 2.0] => [1.0, 3.0, 6.0, 6.0];
                /// Cumulative maxima along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: element `i` is
                /// the largest of the elements `0..=i`, and NaN from the first NaN on.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![1, 5, 2, 7].cummax::<0>(), tensor![1, 5, 5, 7]);
                /// ```
                x.cummax::<-1>() => AxisParams::default()
            }
            CumMin CUMMIN_ROW: AxisMap -> T {
                kernel: ScanKernel = ScanKernel::min::<T>(),
                name: "cummin", numpy: "minimum.accumulate", pytorch: "cummin", stablehlo: { cummin(x) }, cost: 1,
            } map {
                example: [1.0, 3.0, 6.0, 2.0] => [1.0, 1.0, 6.0, 2.0];
                /// Cumulative minima along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: element `i` is
                /// the smallest of the elements `0..=i`, and NaN from the first NaN on.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![4, 5, 2, 7].cummin::<0>(), tensor![4, 4, 2, 2]);
                /// ```
                x.cummin::<-1>() => AxisParams::default()
            }
        }

        /// # Reductions of floats, and normalisation
        Float FloatReductions floats {
            Mean MEAN_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::mean::<T>(),
                name: "mean", numpy: "mean", pytorch: "mean", stablehlo: { divide(sum(x), n) }, cost: 1,
                axes: [mean_axes, mean_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 3.0, [2.0, 4.0];
                /// The mean of all elements, `[..] → []`; NaN if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 2.0], [3.0, 6.0]].mean().item(), 3.0);
                /// ```
                #[doc(alias = "average")]
                x.mean(), // along an axis: x.mean_axis::<0>()
                /// The means along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; NaN along an axis of
                /// size 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 2.0], [3.0, 6.0]].mean_axis::<0>(), tensor![2.0, 4.0]);
                /// ```
                #[doc(alias = "average")]
                x.mean_axis::<0>(),
                /// The means along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 3.0], [2.0, 6.0]];
                /// let centred = &x - x.mean_axis_keepdims::<-1>();
                /// assert_eq!(centred, tensor![[-1.0, 1.0], [-2.0, 2.0]]);
                /// ```
                x.mean_axis_keepdims::<0>()
            }
            Var VAR_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::variance::<T>(),
                name: "var", numpy: "var", pytorch: "var", stablehlo: { let d = centered(x); divide(sum(multiply(d, d)), maximum(subtract(n, correction), 0)) },
                cost: 4,
                axes: [var_axes, var_axes_keepdims, var_axes_corrected, var_axes_keepdims_corrected],
            } spread {
                example: [1.0, 3.0, 2.0, 6.0] => 3.5, [1.0, 4.0];
                /// The variance of all elements, `Σ (x - mean)² / n`, `[..] → []`, as NumPy's `var`;
                /// NaN if there is none.
                ///
                /// Computed from the deviations from the mean, so that nothing cancels when the mean
                /// is large, in one pass over the memory.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 3.0], [1.0, 3.0]].var().item(), 1.0);
                /// ```
                #[doc(alias = "variance")]
                x.var(), // along an axis: x.var_axis::<0>()
                /// The variance of all elements, `Σ (x - mean)² / (n - correction)`, `[..] → []`:
                /// with 1, the estimate from a sample, which is PyTorch's default. NaN or ∞ unless
                /// there are more elements than the correction.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![1.0, 2.0, 3.0].var_corrected(1).item(), 1.0);
                /// ```
                #[doc(alias = "ddof")]
                x.var_corrected(1), // along an axis: x.var_axis_corrected::<0>(1)
                /// The variances along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 3.0], [5.0, 5.0]].var_axis::<-1>(), tensor![1.0, 0.0]);
                /// ```
                #[doc(alias = "variance")]
                x.var_axis::<0>(),
                /// The variances along axis `AXIS`, divided by `n - correction`,
                /// `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 3.0], [5.0, 5.0]].var_axis_corrected::<-1>(1), tensor![2.0, 0.0]);
                /// ```
                #[doc(alias = "ddof")]
                x.var_axis_corrected::<0>(1),
                /// The variances along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
                /// assert_eq!(x.var_axis_keepdims::<-1>(), tensor![[1.0], [0.0]]);
                /// ```
                x.var_axis_keepdims::<0>(),
                /// The variances along axis `AXIS`, divided by `n - correction`; the axis stays with size
                /// `One`, `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
                /// assert_eq!(x.var_axis_keepdims_corrected::<-1>(1), tensor![[2.0], [0.0]]);
                /// ```
                #[doc(alias = "ddof")]
                x.var_axis_keepdims_corrected::<0>(1)
            }
            Std STD_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::deviation::<T>(),
                name: "std", numpy: "std", pytorch: "std",
                stablehlo: { let d = centered(x); sqrt(divide(sum(multiply(d, d)), maximum(subtract(n, correction), 0))) }, cost: 4,
                axes: [std_axes, std_axes_keepdims, std_axes_corrected, std_axes_keepdims_corrected],
            } spread {
                example: [1.0, 5.0, 1.0, 5.0] => 2.0, [2.0, 2.0];
                /// The standard deviation of all elements, the root of [`var`](Tensor::var),
                /// `[..] → []`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 5.0], [1.0, 5.0]].std().item(), 2.0);
                /// ```
                #[doc(alias = "stddev")]
                x.std(), // along an axis: x.std_axis::<0>()
                /// The root of [`var_corrected`](Tensor::var_corrected), `[..] → []`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![2.0, 4.0, 6.0].std_corrected(1).item(), 2.0);
                /// ```
                #[doc(alias = "ddof")]
                x.std_corrected(1), // along an axis: x.std_axis_corrected::<0>(1)
                /// The standard deviations along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 5.0], [5.0, 5.0]].std_axis::<-1>(), tensor![2.0, 0.0]);
                /// ```
                #[doc(alias = "stddev")]
                x.std_axis::<0>(),
                /// The root of [`var_axis_corrected`](Tensor::var_axis_corrected),
                /// `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[2.0, 4.0, 6.0]].std_axis_corrected::<-1>(1), tensor![2.0]);
                /// ```
                #[doc(alias = "ddof")]
                x.std_axis_corrected::<0>(1),
                /// The standard deviations along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 5.0], [2.0, 6.0]];
                /// let standard = (&x - x.mean_axis_keepdims::<0>()) / x.std_axis_keepdims::<0>();
                /// assert_eq!(standard, tensor![[-1.0, -1.0], [1.0, 1.0]]);
                /// ```
                x.std_axis_keepdims::<0>(),
                /// The root of [`var_axis_keepdims_corrected`](Tensor::var_axis_keepdims_corrected),
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[2.0, 4.0, 6.0]];
                /// assert_eq!(x.std_axis_keepdims_corrected::<-1>(1), tensor![[2.0]]);
                /// ```
                #[doc(alias = "ddof")]
                x.std_axis_keepdims_corrected::<0>(1)
            }
            NormL1 NORM_L1_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::norm_l1::<T>(),
                name: "norm_l1", numpy: "linalg.vector_norm", pytorch: "linalg.vector_norm", stablehlo: { sum(abs(x)) }, cost: 1,
                axes: [norm_l1_axes, norm_l1_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 12.0, [4.0, 8.0];
                /// The sum of the magnitudes, `Σ |x|`, of all elements, `[..] → []`; 0 if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_l1().item(), 10.0);
                /// ```
                #[doc(alias = "manhattan")]
                x.norm_l1(), // along an axis: x.norm_l1_axis::<0>()
                /// The sums of the magnitudes along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; 0 along an axis of size 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_l1_axis::<-1>(), tensor![3.0, 7.0]);
                /// ```
                x.norm_l1_axis::<0>(),
                /// The sums of the magnitudes along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_l1_axis_keepdims::<-1>(), tensor![[3.0], [7.0]]);
                /// ```
                x.norm_l1_axis_keepdims::<0>()
            }
            Norm NORM_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::norm::<T>(),
                name: "norm", numpy: "linalg.norm", pytorch: "linalg.norm", stablehlo: { sqrt(sum(multiply(x, x))) }, cost: 1,
                axes: [norm_axes, norm_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 50.0_f64.sqrt(), [10.0_f64.sqrt(), 40.0_f64.sqrt()];
                /// The Euclidean norm, `√Σ x²`, of all elements, `[..] → []`; 0 if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, 1.0], [3.0, 5.0]].norm().item(), 6.0);
                /// ```
                #[doc(alias = "norm_l2")]
                #[doc(alias = "vector_norm")]
                x.norm(), // along an axis: x.norm_axis::<0>()
                /// The Euclidean norms, `√Σ x²`, along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; 0 along an axis of size 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[3.0, -4.0], [0.0, 5.0]].norm_axis::<-1>(), tensor![5.0, 5.0]);
                /// ```
                x.norm_axis::<0>(),
                /// The Euclidean norms, `√Σ x²`, along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[3.0, -4.0], [0.0, 5.0]];
                /// let unit = &x / x.norm_axis_keepdims::<-1>();
                /// assert_eq!(unit, tensor![[0.6, -0.8], [0.0, 1.0]]);
                /// ```
                x.norm_axis_keepdims::<0>()
            }
            NormMax NORM_MAX_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::norm_max::<T>(),
                name: "norm_max", numpy: "linalg.vector_norm", pytorch: "linalg.vector_norm", stablehlo: { max(abs(x)) }, cost: 1,
                axes: [norm_max_axes, norm_max_axes_keepdims],
            } reduce {
                example: [1.0, 3.0, 2.0, 6.0] => 6.0, [3.0, 6.0];
                /// The largest magnitude, `max |x|`, of all elements, `[..] → []`; 0 if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_max().item(), 4.0);
                /// ```
                #[doc(alias = "norm_inf")]
                x.norm_max(), // along an axis: x.norm_max_axis::<0>()
                /// The largest magnitudes along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`; 0 along an axis of size 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_max_axis::<-1>(), tensor![2.0, 4.0]);
                /// ```
                x.norm_max_axis::<0>(),
                /// The largest magnitudes along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`, so that they broadcast to the tensor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[1.0, -2.0], [3.0, -4.0]].norm_max_axis_keepdims::<-1>(), tensor![[2.0], [4.0]]);
                /// ```
                x.norm_max_axis_keepdims::<0>()
            }
            LogSumExp LOGSUMEXP_ROW: Reduction -> T {
                kernel: ReduceKernel = ReduceKernel::log_sum_exp::<T>(),
                name: "logsumexp", numpy: "scipy.special.logsumexp", pytorch: "logsumexp",
                stablehlo: { let m = max(x); let s = select(is_finite(m), m, 0); add(s, log(sum(exponential(subtract(x, s))))) }, cost: 12,
                axes: [logsumexp_axes, logsumexp_axes_keepdims],
            } reduce {
                example: [0.0, 0.0, 0.0, 0.0] => 4.0_f64.ln(), [2.0_f64.ln(), 2.0_f64.ln()];
                /// `ln Σ e^x` over all elements, `[..] → []`, computed so that large elements do not
                /// overflow; -∞ if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1000.0, 1000.0], [1000.0, 1000.0]];
                /// assert_eq!(x.logsumexp().item(), 1000.0 + f64::ln(4.0));
                /// ```
                x.logsumexp(), // along an axis: x.logsumexp_axis::<0>()
                /// `ln Σ e^x` along axis `AXIS`, `[..a, n, ..b] → [..a, ..b]`, computed so that large
                /// elements do not overflow; -∞ along an axis of size 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[0.0, 0.0], [7.0, f64::NEG_INFINITY]];
                /// assert_eq!(x.logsumexp_axis::<-1>(), tensor![2.0f64.ln(), 7.0]);
                /// ```
                x.logsumexp_axis::<0>(),
                /// `ln Σ e^x` along axis `AXIS`, which stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[0.0, 0.0], [7.0, f64::NEG_INFINITY]];
                /// assert_eq!(x.logsumexp_axis_keepdims::<-1>(), tensor![[2.0f64.ln()], [7.0]]);
                /// ```
                x.logsumexp_axis_keepdims::<0>()
            }
            LogCumSumExp LOGCUMSUMEXP_ROW: AxisMap -> T {
                kernel: ScanKernel = ScanKernel::log_sum_exp::<T>(),
                name: "logcumsumexp", numpy: "logaddexp.accumulate", pytorch: "logcumsumexp",
                stablehlo: { logcumsumexp(x) }, cost: 30,
            } map {
                example: [0.0, 0.0, 7.0, f64::NEG_INFINITY] => [0.0, 2.0_f64.ln(), 7.0, 7.0];
                /// `ln Σ e^x` over the elements `0..=i` along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`,
                /// computed so that large elements do not overflow; NaN from the first NaN on.
                ///
                /// Sums are kept in `f64` for every element type.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![1000.0, 1000.0, f64::NEG_INFINITY];
                /// let two = 1000.0 + 2.0_f64.ln();
                /// assert_eq!(x.logcumsumexp::<0>(), tensor![1000.0, two, two]);
                /// ```
                x.logcumsumexp::<-1>() => AxisParams::default()
            }
            Softmax SOFTMAX_ROW: AxisMap -> T {
                kernel: NormalizeKernel = NormalizeKernel::softmax::<T>(),
                name: "softmax", numpy: "scipy.special.softmax", pytorch: "softmax",
                stablehlo: { let e = exponential(subtract(x, max(x))); divide(e, sum(e)) }, cost: 14,
            } map {
                example: [0.0, 0.0, 7.0, 7.0] => [0.5, 0.5, 0.5, 0.5];
                /// `e^x / Σ e^x` along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: the results are
                /// from 0 to 1 and sum to 1.
                ///
                /// Computed from `x - max x`, so that large elements do not overflow. A result below the
                /// smallest normal number is 0, as for an element -∞; where all are -∞, or one is ∞ or
                /// NaN, the results are NaN.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let logits = tensor![[1000.0, 1000.0], [0.0, f32::NEG_INFINITY]];
                /// assert_eq!(logits.softmax::<-1>(), tensor![[0.5, 0.5], [1.0, 0.0]]);
                /// ```
                x.softmax::<-1>() => AxisParams::default()
            }
            LogSoftmax LOG_SOFTMAX_ROW: AxisMap -> T {
                kernel: NormalizeKernel = NormalizeKernel::log_softmax::<T>(),
                name: "log_softmax", numpy: "scipy.special.log_softmax", pytorch: "log_softmax",
                stablehlo: { let d = subtract(x, max(x)); subtract(d, log(sum(exponential(d)))) }, cost: 14,
            } map {
                example: [0.0, -1000.0, 0.0, -2000.0] => [0.0, -1000.0, 0.0, -2000.0];
                /// The logarithm of [`softmax`](Tensor::softmax), `x - ln Σ e^x` along axis `AXIS`,
                /// `[..a, n, ..b] → [..a, n, ..b]`; exact where the softmax itself is almost 0.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let logits = tensor![0.0, -1000.0];
                /// assert_eq!(logits.log_softmax::<-1>(), tensor![0.0, -1000.0]);
                /// ```
                x.log_softmax::<-1>() => AxisParams::default()
            }
            Standardize STANDARDIZE_ROW: AxisMap -> T {
                kernel: NormalizeKernel = NormalizeKernel::standardize::<T>(),
                name: "standardize", numpy: "scipy.stats.zscore", pytorch: "layer_norm",
                stablehlo: { let d = centered(x); divide(d, sqrt(add(divide(sum(multiply(d, d)), maximum(subtract(n, correction), 0)), epsilon))) }, cost: 6,
            } map {
                example: [1.0, 3.0, 2.0, 6.0] => [-1.0, 1.0, -1.0, 1.0];
                /// `(x - mean) / std` along axis `AXIS`, `[..a, n, ..b] → [..a, n, ..b]`: the results
                /// have mean 0 and standard deviation 1. Also known as the z-score, as SciPy's
                /// `zscore`.
                ///
                /// NaN where all elements along the axis are equal, for their deviation is 0:
                /// [`layer_norm`](Tensor::layer_norm) gives 0 there.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 5.0], [2.0, 6.0], [1.0, 5.0], [2.0, 6.0]];
                /// let z = tensor![[-1.0, -1.0], [1.0, 1.0], [-1.0, -1.0], [1.0, 1.0]];
                /// assert_eq!(x.standardize::<0>(), z);
                /// ```
                #[doc(alias = "zscore")]
                x.standardize::<-1>() => AxisParams::default(),
                example: [1.0, 3.0, 2.0, 6.0] => [-1.0, 1.0, -1.0, 1.0], with 0;
                /// `(x - mean) / std` along axis `AXIS`, where the variance is divided by
                /// `n - correction`, as in [`std_axis_corrected`](Tensor::std_axis_corrected),
                /// `[..a, n, ..b] → [..a, n, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![2.0, 4.0, 6.0].standardize_corrected::<-1>(1), tensor![-1.0, 0.0, 1.0]);
                /// ```
                #[doc(alias = "zscore")]
                x.standardize_corrected::<-1>(correction: usize) => AxisParams { correction, ..AxisParams::default() },
                example: [1.0, 3.0, 5.0, 5.0] => [-0.5, 0.5, 0.0, 0.0], with 3.0;
                /// Layer normalisation, `(x - mean) / √(variance + epsilon)` along axis `AXIS`,
                /// `[..a, n, ..b] → [..a, n, ..b]` ([Ba, Kiros and Hinton,
                /// 2016](https://arxiv.org/abs/1607.06450)).
                ///
                /// The gain and the bias follow as they are written:
                /// `x.layer_norm::<-1>(1e-5) * gain + bias`. PyTorch's epsilon is `1e-5`; it keeps a
                /// small variance from being a divisor.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[1.0, 3.0], [5.0, 5.0]];
                /// let (gain, bias) = (tensor![4.0, 8.0], tensor![0.5, 0.5]);
                /// let y = x.layer_norm::<-1>(3.0) * gain + bias;
                /// assert_eq!(y, tensor![[-1.5, 4.5], [0.5, 0.5]]);
                /// ```
                #[doc(alias = "layer_normalization")]
                x.layer_norm::<-1>(epsilon: f64) => AxisParams { epsilon, ..AxisParams::default() }
            }
            RmsNorm RMS_NORM_ROW: AxisMap -> T {
                kernel: NormalizeKernel = NormalizeKernel::rms_norm::<T>(),
                name: "rms_norm", numpy: "", pytorch: "nn.functional.rms_norm",
                stablehlo: { divide(x, sqrt(add(divide(sum(multiply(x, x)), n), epsilon))) }, cost: 4,
            } map {
                example: [1.0, 3.0, 3.0, 1.0] => [0.25, 0.75, 0.75, 0.25], with 11.0;
                /// Division by the root mean square, `x / √(mean(x²) + epsilon)` along axis `AXIS`,
                /// `[..a, n, ..b] → [..a, n, ..b]` ([Zhang and Sennrich,
                /// 2019](https://arxiv.org/abs/1910.07467)).
                ///
                /// Multiply by the gain explicitly: `x.rms_norm::<-1>(1e-6) * gain`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// // The mean square is 5.
                /// assert_eq!(tensor![1.0, 3.0].rms_norm::<-1>(11.0), tensor![0.25, 0.75]);
                /// ```
                x.rms_norm::<-1>(epsilon: f64) => AxisParams { epsilon, ..AxisParams::default() }
            }
        }

        /// # Counts
        Element ElementReductions elements {
            CountNonzero COUNT_NONZERO_ROW: Reduction -> i64 {
                kernel: ReduceKernel = ReduceKernel::count_nonzero::<T>(),
                name: "count_nonzero", numpy: "count_nonzero", pytorch: "count_nonzero",
                stablehlo: { sum(as_i64(ne(x, 0))) }, cost: 1,
                axes: [count_nonzero_axes, count_nonzero_axes_keepdims],
            } reduce {
                example: [1.0, 0.0, 2.0, 6.0] => 3, [1, 2];
                /// How many elements are not 0, `[..] → []`. NaN is not 0, and -0 is.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert_eq!(tensor![[0, 7], [8, 0]].count_nonzero().item(), 2);
                /// assert_eq!(tensor![0.5, 1.5, 2.5].greater(1.0).count_nonzero().item(), 2);
                /// ```
                x.count_nonzero(), // along an axis: x.count_nonzero_axis::<0>()
                /// How many elements along axis `AXIS` are not 0, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[0, 7, 7], [0, 0, 8]];
                /// assert_eq!(x.count_nonzero_axis::<-1>(), tensor![2, 1]);
                /// ```
                x.count_nonzero_axis::<0>(),
                /// How many elements along axis `AXIS` are not 0; the axis stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[0, 7, 7], [0, 0, 8]];
                /// assert_eq!(x.count_nonzero_axis_keepdims::<0>(), tensor![[0, 1, 2]]);
                /// ```
                x.count_nonzero_axis_keepdims::<0>()
            }
        }

        /// # Reductions of `bool`
        BoolElement BoolReductions booleans {
            All ALL_ROW: Reduction -> bool {
                kernel: ReduceKernel = ReduceKernel::all(),
                name: "all", numpy: "all", pytorch: "all", stablehlo: { all(as_bool(x)) }, cost: 1,
                axes: [all_axes, all_axes_keepdims],
            } reduce {
                example: [true, true, true, false] => false, [true, false];
                /// Whether all elements are `true`, `[..] → []`; `true` if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert!(tensor![[1, 2], [3, 4]].greater(0).all().item());
                /// ```
                x.all(), // along an axis: x.all_axis::<0>()
                /// Whether all elements along axis `AXIS` are `true`, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[true, false], [true, true]];
                /// assert_eq!(x.all_axis::<-1>(), tensor![false, true]);
                /// ```
                x.all_axis::<0>(),
                /// Whether all elements along axis `AXIS` are `true`; the axis stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[true, false], [true, true]];
                /// assert_eq!(x.all_axis_keepdims::<-1>(), tensor![[false], [true]]);
                /// ```
                x.all_axis_keepdims::<0>()
            }
            Any ANY_ROW: Reduction -> bool {
                kernel: ReduceKernel = ReduceKernel::any(),
                name: "any", numpy: "any", pytorch: "any", stablehlo: { any(as_bool(x)) }, cost: 1,
                axes: [any_axes, any_axes_keepdims],
            } reduce {
                example: [true, true, false, false] => true, [true, false];
                /// Whether some element is `true`, `[..] → []`; `false` if there is none.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// assert!(!tensor![[1, 2], [3, 4]].greater(4).any().item());
                /// ```
                x.any(), // along an axis: x.any_axis::<0>()
                /// Whether some element along axis `AXIS` is `true`, `[..a, n, ..b] → [..a, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[true, false], [false, false]];
                /// assert_eq!(x.any_axis::<-1>(), tensor![true, false]);
                /// ```
                x.any_axis::<0>(),
                /// Whether some element along axis `AXIS` is `true`; the axis stays with size `One`,
                /// `[..a, n, ..b] → [..a, 1, ..b]`.
                ///
                /// ```
                /// use tensor_core::tensor;
                ///
                /// let x = tensor![[true, false], [false, false]];
                /// assert_eq!(x.any_axis_keepdims::<-1>(), tensor![[true], [false]]);
                /// ```
                x.any_axis_keepdims::<0>()
            }
        }
    } };
}

pub use for_each_reduction;

/// The result type of a row, where that of the elements is `T` there and `$Element` here.
macro_rules! result_type {
    (T, $Element:ty) => {
        $Element
    };
    ($Result:ident, $Element:ty) => {
        $Result
    };
}

pub(crate) use result_type;

/// The trait of element types for the rows of one bound, and the operations as types.
macro_rules! rows {
    ($(
        $(#[$doc:meta])*
        $Bound:ident $Trait:ident $elements:ident {$(
            $Op:ident $ROW:ident: $Row:ident -> $Result:ident {
                kernel: $Kernel:ty = $kernel:expr,
                name: $name:literal, numpy: $numpy:literal, pytorch: $pytorch:literal,
                stablehlo: {$($stablehlo:tt)+}, cost: $cost:literal,
                $(axes: [$($axes:ident),*],)?
            } $kind:ident { example: $example:tt => $($methods:tt)* }
        )*}
    )*) => {
        $(
            $(#[$doc])*
            #[doc(hidden)]
            pub trait $Trait: Sized + 'static {
                $(#[doc(hidden)] const $ROW: &'static $Row<Self, result_type!($Result, Self)>;)*
            }

            $(
                #[doc = concat!("The operation `", $name, "`.")]
                #[allow(dead_code, reason = "later layers hold on to it")]
                pub struct $Op;
            )*
        )*

        impl_rows!(AlongAxes $($($Op = $name, own;)*)*);
    };
}

for_each_reduction!(rows);
