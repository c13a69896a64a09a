//! Differences of neighbours along an axis: `diff`.

use tensor_kernels::indexing;
use tensor_kernels::ops::Padding;

use super::prelude::*;

operation_rows! {
    topic "Counts and differences" {
        diff: 1 "Number" "diff" "diff" "subtract";
    }
}

/// Each element along an axis less the one before it.
#[derive(Clone, Debug)]
struct Diff {
    axis: usize,
}

primitive!(Diff, |_| "diff", |_, _, result| count(result), |diff, to| {
    let (axis, x) = (diff.axis, &to.x[0]);
    let (mut first, mut ends) = (vec![0; x.rank()], x.sizes.clone());
    first[axis] = 1;
    ends[axis] -= 1;
    let next = to.builder.slice(x, &first, &x.sizes);
    let before = to.builder.slice(x, &vec![0; x.rank()], &ends);
    to.builder.binary("subtract", &next, &before)
});

evaluate!(
    Diff => (x: T) -> T where T: Number,
    |diff, _| indexing::diff(x.as_view(), diff.axis),
    |diff| diff.clone(),
);

impl GradientRule for Diff {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let mut before = vec![[0, 0]; at.sizes(0).len()];
        let mut behind = before.clone();
        (before[self.axis], behind[self.axis]) = ([1, 0], [0, 1]);
        let pad = |amounts: &[[isize; 2]]| fits(gradient.pad(amounts, Padding::Constant(T::ZERO)));
        smallvec![Some(pad(&before).minus(pad(&behind)))]
    }
}

/// # Differences
#[tensor_array_macros::method_docs(twins)]
#[tensor_array_macros::bounds_without_source]
impl<T: Element> DynTensor<T> {
    /// Each element along an axis less the one before it, `[..a, n, ..b] → [..a, n - 1, ..b]`. Integers wrap
    /// around.
    /// Errors: [`ShapeError::AxisOutOfRange`] if there is no such axis, [`ShapeError::Empty`] if it has size 0.
    /// ```
    /// let x = DynTensor::from(tensor![[1, 4, 9], [10, 20, 40]]);
    /// assert_eq!(x.diff(-1)?, tensor![[3, 5], [10, 20]].into());
    /// ```
    pub fn diff(&self, axis: isize) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        let axis = self.axis_index(axis)?;
        let mut sizes = self.sizes.clone();
        sizes[axis] = match sizes[axis].checked_sub(1) {
            Some(fewer) => fewer,
            None => return Err(ShapeError::Empty { operation: "diff", axis: Some(axis) }),
        };
        Ok(apply::<(T,), _>(Diff { axis }, (self,), sizes))
    }
}
