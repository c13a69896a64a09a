//! Elements split over the devices of a mesh, for compilers of programs: `sharded`.

use std::sync::Arc;

use tensor_kernels::kernel::function;

use super::prelude::*;

/// The same elements, with the axes split over those of a mesh.
#[derive(Clone, Debug)]
struct Sharded {
    /// The mesh, as an operation of StableHLO text.
    mesh: Arc<str>,
    /// For each axis, the axes of the mesh.
    axes: Arc<[Vec<String>]>,
}

primitive!(Sharded, |_| "sharded", |_, _, _| 0, |sharded, to| {
    to.builder.sharded(&to.x[0], &sharded.mesh, &sharded.axes)
});

evaluate!(
    Sharded => (x: T) -> T where T: Element,
    |_, _| function::copy().map(x.as_view()),
    |sharded| sharded.clone(),
);

/// The gradient is split as the tensor is.
impl GradientRule for Sharded {
    fn gradients<T: Float>(&self, _: &At<'_, '_>, gradient: &DynTensor<T>) -> GradientsOf<T> {
        smallvec![Some(gradient.by_sharding(self.clone()))]
    }
}

impl<T: Element> DynTensor<T> {
    /// The same elements, `[..s] → [..s]`, which a compiler splits over the devices of a mesh: `mesh` is its operation in
    /// StableHLO text, and `axes` has the axes of the mesh for each axis. Outside of a program
    /// that is split over devices, the tensor as it is.
    #[doc(hidden)]
    #[track_caller]
    pub fn sharded(&self, mesh: &str, axes: Vec<Vec<String>>) -> Self {
        self.by_sharding(Sharded { mesh: mesh.into(), axes: axes.into() })
    }

    #[track_caller]
    fn by_sharding(&self, sharded: Sharded) -> Self {
        if self.is_traced() {
            apply::<(T,), _>(sharded, (self,), self.sizes.clone())
        } else {
            self.clone()
        }
    }
}
