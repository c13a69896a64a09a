//! Elements chosen by a mask from two tensors: `select`.

use tensor_kernels::kernel::function;

use super::prelude::*;
use crate::array::dynamic::elementwise::broadcast_three;
use crate::array::trace::stablehlo::expression::{elementwise, lowering};

operation_rows! {
    topic "Choice" {
        select: 3 "Element" "where" "where" "select";
    }
}

/// The elements of the second operand where the first one is true, of the third elsewhere.
#[derive(Clone, Debug)]
pub(crate) struct Select;

primitive!(Select, |_| "select", |_, _, result| count(result), |_, to| {
    elementwise(to.builder, lowering!(select(x, y, z)), to.x, to.sizes, to.element)
});

evaluate!(
    Select => (mask: bool, then: T, otherwise: T) -> T where T: Element,
    |_, sizes| {
        let operands = (mask.as_view(), then.as_view(), otherwise.as_view());
        function::select().evaluate(sizes, operands)
    },
    |select| select.clone(),
);

impl GradientRule for Select {
    const SAVES: Saves = Saves::FIRST;

    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let mask = at.0.operand(0);
        let mask = mask.get::<DynTensor<bool>>().expect("a mask is `bool`");
        smallvec![
            None,
            at.want(1, || gradient.keep(mask)),
            at.want(2, || gradient.keep(&mask.not())),
        ]
    }
}

/// # Choice
#[tensor_array_macros::method_docs(twins)]
impl DynTensor<bool> {
    /// `then` where the mask is true, `otherwise` elsewhere, `[..m], [..t], [..o] → [..(m ⊕ t ⊕ o)]`; NumPy's and
    /// PyTorch's `where`.
    /// Errors: If the shapes do not broadcast, or the result does not fit into memory.
    /// ```
    /// let mask = DynTensor::from(tensor![true, false]);
    /// let (then, otherwise) = (DynTensor::from(tensor![1, 2]), DynTensor::from(tensor![0]));
    /// assert_eq!(mask.select(&then, &otherwise)?.to_vec(), [1, 0]);
    /// ```
    #[doc(alias = "where")]
    #[twin(fn)]
    pub fn select<T: Element>(
        &self,
        then: &DynTensor<T>,
        otherwise: &DynTensor<T>,
    ) -> Result<DynTensor<T>, ShapeError> {
        let sizes = broadcast_three(&self.sizes, &then.sizes, &otherwise.sizes)?;
        fits_into_memory::<T>(&sizes)?;
        Ok(apply::<(bool, T, T), _>(Select, (self, then, otherwise), sizes))
    }
}
