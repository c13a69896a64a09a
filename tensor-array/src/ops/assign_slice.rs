//! Values written into a slice: the elements of `assign_slice`.

use tensor_kernels::sizes::slicing::SlicePlan;

use super::prelude::*;
use crate::array::history::forget;

/// The first operand, with the second one in the part that a plan keeps.
#[derive(Clone, Debug)]
struct AssignSlice {
    plan: SlicePlan,
}

primitive!(AssignSlice, |_| "assign_slice", |_, _, _| 0, |assign, to| {
    to.builder.assign_slice(&to.x[0], &to.x[1], &assign.plan)
});

evaluate!(
    AssignSlice => (x: T, value: T) -> T where T: Element,
    |assign, _| {
        let mut result = x.contiguous();
        result.layout = forget(&result.sizes, result.layout.take());
        result.assign_plan(&assign.plan, value);
        result.storage
    },
    |assign| assign.clone(),
);

impl GradientRule for AssignSlice {
    fn gradients<T: Float>(&self, at: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        let part = gradient.with_plan(&self.plan);
        let kept = at.want(0, || {
            let mut kept = DynTensor::full(gradient.sizes(), true).contiguous();
            kept.assign_plan(&self.plan, &DynTensor::full(part.sizes(), false));
            gradient.keep(&kept)
        });
        smallvec![kept, at.want(1, || part.clone())]
    }
}

impl<T: Element> DynTensor<T> {
    /// A copy with a value, broadcast to `part`, assigned to the part that a plan keeps; traced or tracked if an
    /// operand is.
    #[doc(hidden)]
    #[track_caller]
    pub fn with_assigned(&self, plan: SlicePlan, part: &[usize], value: &Self) -> Self {
        let value = value.expand(part).expect("the value fits the part");
        apply::<(T, T), _>(AssignSlice { plan }, (self, &value), self.sizes.clone())
    }
}
