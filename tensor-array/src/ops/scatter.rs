//! Elements replaced by or combined with values at indices along an axis: `scatter`, `scatter_add` and others.

use tensor_kernels::indexing;
use tensor_kernels::kernel::row_major::RowMajor;
use tensor_kernels::ops::{Along, Combine};

use super::prelude::*;

operation_rows! {
    topic "By indices" {
        scatter: 3 "Element" "put_along_axis" "scatter" "scatter";
        scatter_add: 3 "Number" "add.at" "scatter_add" "scatter";
        scatter_mul: 3 "Number" "multiply.at" "scatter_reduce" "scatter";
        scatter_max: 3 "Number" "maximum.at" "scatter_reduce" "scatter";
        scatter_min: 3 "Number" "minimum.at" "scatter_reduce" "scatter";
    }
}

/// Values, the second operand, written to the elements at positions, the third operand, along an axis.
#[derive(Debug)]
struct Scatter {
    axis: usize,
}

primitive!(Scatter, |_| "scatter", |_, _, _| 0, |scatter, to| {
    to.builder.scatter(&to.x[0], &to.x[2], &to.x[1], scatter.axis, None)
});

/// Values, the second operand, combined with the elements at positions, the third operand, along an axis.
#[derive(Debug)]
struct ScatterCombine {
    axis: usize,
    combine: Combine,
}

primitive!(
    ScatterCombine,
    |scatter| scatter.combine.name(),
    |_, operands, _| count(operands[1]),
    |scatter, to| {
        let combine = Some(scatter.combine);
        to.builder.scatter(&to.x[0], &to.x[2], &to.x[1], scatter.axis, combine)
    },
);

evaluate!(
    Scatter => (x: T, values: T, positions: i64) -> T where T: Element,
    |scatter, _| {
        let indices = positions.row_major();
        indexing::scatter(x.as_view(), along(scatter.axis, positions, &indices), values.as_view())
    },
    |scatter| ScatterRule { axis: scatter.axis, positions: positions.clone(), combine: None },
);

evaluate!(
    ScatterCombine => (x: T, values: T, positions: i64) -> T where T: Number,
    |scatter, _| {
        let indices = positions.row_major();
        let along = along(scatter.axis, positions, &indices);
        indexing::scatter_combine(x.as_view(), along, values.as_view(), scatter.combine)
    },
    |scatter| {
        let combine = Some(scatter.combine);
        ScatterRule { axis: scatter.axis, positions: positions.clone(), combine }
    },
);

/// How positions are paired with elements along an axis.
fn along<'a>(axis: usize, positions: &DynTensor<i64>, indices: &'a RowMajor<'_, i64>) -> Along<'a> {
    Along { axis, len: positions.sizes[axis], indices: indices.as_slice() }
}

struct ScatterRule {
    axis: usize,
    positions: DynTensor<i64>,
    /// `None` if the values are written.
    combine: Option<Combine>,
}

impl ScatterRule {
    /// The elements at the positions.
    fn take<T: Float>(&self, value: &DynTensor<T>) -> DynTensor<T> {
        value.taken_along(self.axis, &self.positions)
    }

    /// The sums of values at the positions, in a tensor of these sizes.
    fn add_to_zeros<T: Float>(&self, sizes: &[usize], values: &DynTensor<T>) -> DynTensor<T> {
        let values = values.in_sizes(self.positions.sizes());
        DynTensor::zeros(sizes).scatter_added(self.axis, &self.positions, &values)
    }

    /// For each position whether its value is the last one written to its element.
    fn last(&self, sizes: &[usize]) -> DynTensor<bool> {
        let numbers = DynTensor::<i64>::arange(self.positions.len());
        let numbers = fits(numbers.reshape(self.positions.sizes()));
        let written = DynTensor::zeros(sizes).written(self.axis, &self.positions, &numbers);
        fits(written.taken_along(self.axis, &self.positions).equal(&numbers))
    }
}

impl GradientRule for ScatterRule {
    fn saves(&self) -> Saves {
        match self.combine {
            None | Some(Combine::Add) => Saves::NOTHING,
            Some(Combine::Mul) => Saves::OPERANDS,
            Some(Combine::Max | Combine::Min) => Saves::BOTH,
        }
    }

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let sizes = at.sizes(0);
        let one = DynTensor::scalar(T::ONE);
        match self.combine {
            Some(Combine::Add) => {
                smallvec![at.want(0, || gradient.clone()), at.want(1, || self.take(gradient))]
            }
            None => {
                let counts =
                    self.add_to_zeros::<T>(sizes, &DynTensor::full(self.positions.sizes(), T::ONE));
                let untouched = fits(counts.equal(&DynTensor::zeros(&[])));
                smallvec![
                    at.want(0, || gradient.keep(&untouched)),
                    at.want(1, || self.take(gradient).keep(&self.last(sizes))),
                ]
            }
            Some(Combine::Mul) => {
                // The product of all others: with at most one 0 among them, which is a factor, so that
                // second-order gradients are correct as well.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let is_zero = |value: &DynTensor<T>| fits(value.equal(&DynTensor::zeros(&[])));
                let without = |value: &DynTensor<T>| fits(is_zero(value).select(&one, value));
                let zeros = self.add_to_zeros(sizes, &one.keep(&is_zero(&values)));
                let zeros = one.keep(&is_zero(&x)).plus(zeros);
                let product = without(&x);
                let product =
                    product.scattered(self.axis, &self.positions, &without(&values), Combine::Mul);
                let only_zeros = |value: &DynTensor<T>| value.keep(&is_zero(value));
                let zero = only_zeros(&x).plus(self.add_to_zeros(sizes, &only_zeros(&values)));
                let slope = |value: &DynTensor<T>, [product, zeros, zero]: [&DynTensor<T>; 3]| {
                    let there_are = |count: f64| zeros.differs_from(count).not();
                    let other_zero = product.times(zero.minus(value));
                    let at_zero =
                        product.keep(&there_are(1.0)).plus(other_zero.keep(&there_are(2.0)));
                    let others = product.over(without(value));
                    let elsewhere =
                        others.keep(&there_are(0.0)).plus(others.times(zero).keep(&there_are(1.0)));
                    fits(is_zero(value).select(&at_zero, &elsewhere))
                };
                let products = [&product, &zeros, &zero];
                smallvec![
                    at.want(0, || gradient.times(slope(&x, products))),
                    at.want(1, || {
                        let [product, zeros, zero] = products.map(|value| self.take(value));
                        self.take(gradient).times(slope(&values, [&product, &zeros, &zero]))
                    }),
                ]
            }
            Some(Combine::Max | Combine::Min) => {
                // Distributed evenly over those that are equal to the result.
                let (x, values) = (at.operand::<T>(0), at.operand::<T>(1));
                let result = at.result::<T>();
                let of_x = fits(x.equal(&result));
                let of_values = fits(values.equal(&self.take(&result)));
                let chosen_values = self.add_to_zeros(sizes, &one.keep(&of_values));
                let share = gradient.over(one.keep(&of_x).plus(chosen_values));
                smallvec![
                    at.want(0, || share.keep(&of_x)),
                    at.want(1, || self.take(&share).keep(&of_values)),
                ]
            }
        }
    }
}

impl<T: Element> DynTensor<T> {
    /// The tensor with values in place of the elements at positions along an axis.
    #[track_caller]
    fn written(&self, axis: usize, positions: &DynTensor<i64>, values: &Self) -> Self {
        apply::<(T, T, i64), _>(Scatter { axis }, (self, values, positions), self.sizes.clone())
    }
}

impl<T: Number> DynTensor<T> {
    /// The tensor with values combined with the elements at positions along an axis.
    #[track_caller]
    fn scattered(
        &self,
        axis: usize,
        positions: &DynTensor<i64>,
        values: &Self,
        combine: Combine,
    ) -> Self {
        let operation = ScatterCombine { axis, combine };
        apply::<(T, T, i64), _>(operation, (self, values, positions), self.sizes.clone())
    }

    /// [`scattered`](Self::scattered) by addition.
    #[track_caller]
    pub(crate) fn scatter_added(
        &self,
        axis: usize,
        positions: &DynTensor<i64>,
        values: &Self,
    ) -> Self {
        self.scattered(axis, positions, values, Combine::Add)
    }

    #[track_caller]
    fn combined<I: Integer>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
        combine: Combine,
    ) -> Result<Self, IndexingError> {
        let (axis, positions) = self.positions_along(axis, indices, Some(values))?;
        Ok(self.scattered(axis, &positions, values, combine))
    }
}

/// Generates the methods that combine elements with values; a row has the operation and the example's result.
macro_rules! combined {
    ($($name:ident: $Combine:ident $combined:literal $result:tt;)*) => {$(
        #[doc = concat!("The tensor with ", $combined, " along an axis for each index,")]
        /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`, one after the other in row-major
        /// order.
        ///
        /// # Errors
        ///
        /// [`IndexingError::InvalidIndex`] with the first index that is out of range,
        /// [`IndexingError::InvalidShape`] if there is no such axis, or if the shapes differ in another axis.
        ///
        /// ```
        /// use tensor_core::{DynTensor, tensor};
        ///
        /// let x = DynTensor::from(tensor![1, 2, 3]);
        /// let (indices, values) = (tensor![0, -1].into(), tensor![5, 2].into());
        #[doc = concat!(
            "assert_eq!(x.", stringify!($name), "(0, &indices, &values)?, tensor!",
            stringify!($result), ".into());"
        )]
        /// # Ok::<(), tensor_core::IndexingError>(())
        /// ```
        #[track_caller]
        pub fn $name<I>(
            &self,
            axis: isize,
            indices: &DynTensor<I>,
            values: &Self,
        ) -> Result<Self, IndexingError>
        where
            I: Integer,
            T: Number,
        {
            self.combined(axis, indices, values, Combine::$Combine)
        }
    )*};
}

/// # Values at indices
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// The tensor with one element along an axis replaced by a value for each index,
    /// `[..a, n, ..b], [..a, k, ..b], [..a, k, ..b] → [..a, n, ..b]`: the inverse of
    /// [`take_along_axis`](Self::take_along_axis). As NumPy's `put_along_axis`, PyTorch's `scatter`. If an index
    /// occurs twice, the last value in row-major order is kept.
    /// Errors: [`IndexingError::InvalidIndex`] with the first index that is out of range,
    /// [`IndexingError::InvalidShape`] if there is no such axis, or if the shapes differ in another axis.
    /// ```
    /// let x = DynTensor::from(tensor![1, 2, 3]);
    /// let (indices, values) = (tensor![0, -1].into(), tensor![5, 2].into());
    /// assert_eq!(x.scatter(0, &indices, &values)?, tensor![5, 2, 2].into());
    /// ```
    #[doc(alias = "put_along_axis")]
    pub fn scatter<I>(
        &self,
        axis: isize,
        indices: &DynTensor<I>,
        values: &Self,
    ) -> Result<Self, IndexingError>
    where
        I: Integer,
    {
        let (axis, positions) = self.positions_along(axis, indices, Some(values))?;
        Ok(self.written(axis, &positions, values))
    }

    combined! {
        scatter_add: Add "a value added to an element" [6, 2, 5];
        scatter_mul: Mul "an element multiplied by a value" [5, 2, 6];
        scatter_max: Max "the larger of an element and a value" [5, 2, 3];
        scatter_min: Min "the smaller of an element and a value" [1, 2, 2];
    }
}
