//! Integer powers: `powi`.

use tensor_kernels::kernel::division::check_divisor;
use tensor_kernels::kernel::function;

use super::prelude::*;

operation_rows! {
    topic "Roots and powers" {
        powi: 1 "Number" "power" "pow" "power";
    }
}

/// An integer power.
#[derive(Clone, Debug)]
pub(crate) struct Powi(pub(crate) i32);

primitive!(
    Powi,
    |_| "powi",
    |_, _, result| count(result),
    |powi, to| to.builder.integer_power(&to.x[0], powi.0),
    // A negative power divides 1.
    |powi, _| (powi.0 < 0).then_some(&[][..]),
);

evaluate!(
    Powi => (x: T) -> T where T: Number,
    |powi, _| {
        if let Some(element) = T::INTEGER
            && powi.0 < 0
        {
            check_divisor(element, &[], x.as_view());
        }
        function::powi(&powi.0).map(x.as_view())
    },
    |powi| powi.clone(),
);

impl GradientRule for Powi {
    const SAVES: Saves = Saves::OPERANDS;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let x = at.operand::<T>(0);
        if self.0 == 0 {
            return smallvec![Some(DynTensor::zeros(x.sizes()))];
        }
        // The smallest exponent has no predecessor; its slope is 0 wherever the result is finite.
        let below = x.powi(self.0.saturating_sub(1));
        smallvec![Some(gradient.times(below).scale(f64::from(self.0)))]
    }
}

/// # Integer powers
#[tensor_array_macros::method_docs(twins)]
impl<T: Element> DynTensor<T> {
    /// Element-wise `x` raised to an integer power, `[..s] → [..s]`. Integers with a negative power give
    /// `1 / x^|power|` rounded toward zero, and wrap around on overflow.
    /// Panics: If an integer is 0 and the power negative.
    /// ```
    /// assert_eq!(DynTensor::from(tensor![2, -3]).powi(3).to_vec(), [8, -27]);
    /// ```
    pub fn powi(&self, power: i32) -> Self
    where
        T: Number,
    {
        apply::<(T,), _>(Powi(power), (self,), self.sizes.clone())
    }
}
