//! Tensors from which a program computes again what it has computed before.

use super::prelude::*;

/// The first operand, which is known after the second one. A compiler does not look through it, so that it does not take what
/// is computed again for what it has, and compute both at the same time.
#[derive(Clone, Copy, Debug)]
struct After;

primitive!(After, |_| "after", |_, _, _| 0, |_, to| to.builder.barrier(&to.x[0], &to.x[1]));

evaluate!(
    After => (x: T, other: T) -> T where T: Float,
    |_, _| x.contiguous().into_parts().2,
    |_| AfterRule,
);

struct AfterRule;

impl GradientRule for AfterRule {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.clone()), None]
    }
}

impl<T: Float> DynTensor<T> {
    /// The tensor, from which a program computes again what it has computed before: not earlier than `other` is known.
    #[doc(hidden)]
    #[track_caller]
    pub fn after(&self, other: &Self) -> Self {
        apply::<(T, T), _>(After, (self, other), self.sizes.clone())
    }
}
