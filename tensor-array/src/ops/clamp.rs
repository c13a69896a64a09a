//! Elements limited to a range: `clamp`.

use tensor_kernels::kernel::function;

use super::prelude::*;
use crate::array::dynamic::elementwise::broadcast_three;
use crate::array::trace::stablehlo::expression::{elementwise, lowering};

operation_rows! {
    topic "Minimum and maximum of two" {
        clamp: 3 "Number" "clip" "clamp" "clamp";
    }
}

/// The elements of the first operand, not below the second and not above the third.
#[derive(Clone, Debug)]
pub(crate) struct Clamp;

primitive!(Clamp, |_| "clamp", |_, _, result| count(result), |_, to| {
    let row = lowering!(minimum(maximum(x, y), z));
    elementwise(to.builder, row, to.x, to.sizes, to.element)
});

evaluate!(
    Clamp => (x: T, low: T, high: T) -> T where T: Number,
    |_, sizes| function::clamp().evaluate(sizes, (x.as_view(), low.as_view(), high.as_view())),
    |clamp| clamp.clone(),
);

/// At a limit that is a scalar the gradient is 0, and at one that is a tensor it is shared, as in PyTorch.
/// Where the limits cross, the result is `high`.
impl GradientRule for Clamp {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let (x, low, high) = (at.operand::<T>(0), at.operand::<T>(1), at.operand::<T>(2));
        let both = |a: &DynTensor<bool>, b: &DynTensor<bool>| fits(a.select(b, a));
        let is_tensor =
            |position: usize| at.is_recorded(position) || !at.sizes(position).is_empty();
        // Where `x` exceeds neither limit. A NaN gets the gradient if the limit is a tensor, and none if it is a scalar.
        let above_low = if is_tensor(1) { fits(x.less(&low)).not() } else { fits(x.greater(&low)) };
        let below_high =
            if is_tensor(2) { fits(x.greater(&high)).not() } else { fits(x.less(&high)) };
        let within = both(&above_low, &below_high);
        if !is_tensor(1) && !is_tensor(2) {
            return smallvec![Some(gradient.keep(&within)), None, None];
        }
        let tie = |position: usize, limit: &DynTensor<T>| match is_tensor(position) {
            true => fits(x.equal(limit)),
            false => DynTensor::full(&[], false),
        };
        let (at_low, at_high) = (tie(1, &low), tie(2, &high));
        let ordered = fits(low.greater(&high)).not();
        let half = gradient.scale(0.5);
        // Half at a tie with one limit, and elsewhere all of it where the mask is true.
        let shared = |tie: &DynTensor<bool>, otherwise: &DynTensor<bool>| {
            fits(tie.select(&half, &gradient.keep(otherwise)))
        };
        smallvec![
            at.want(0, || {
                let one_tie = fits(at_low.not_equal(&at_high));
                shared(&both(&one_tie, &within), &within).keep(&ordered)
            }),
            at.want(1, || {
                let beyond = fits(x.less(&low));
                shared(&both(&at_low, &at_high.not()), &beyond).keep(&ordered)
            }),
            at.want(2, || {
                let tie = both(&both(&at_high, &at_low.not()), &ordered);
                let beyond = fits(x.greater(&high));
                shared(&tie, &fits(ordered.select(&beyond, &ordered.not())))
            }),
        ]
    }
}

/// # Limits
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Limits each element to the range from `low` to `high`, `[..s], [..l], [..h] → [..(s ⊕ l ⊕ h)]`. NaN stays
    /// NaN. Where `low` is above `high`, the result is `high`, as in NumPy and PyTorch.
    /// Errors: If the shapes do not broadcast, or the result does not fit into memory.
    /// ```
    /// let [x, low, high] = [tensor![-3, 0, 9].into(), tensor![-1].into(), tensor![5].into()];
    /// assert_eq!(DynTensor::clamp(&x, &low, &high)?.to_vec(), [-1, 0, 5]);
    /// ```
    #[doc(alias = "clip")]
    pub fn clamp(&self, low: &Self, high: &Self) -> Result<Self, ShapeError>
    where
        T: Number,
    {
        let sizes = broadcast_three(&self.sizes, &low.sizes, &high.sizes)?;
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<(T, T, T), _>(Clamp, (self, low, high), sizes))
    }
}
