//! `fuse!` in generic code, in strict code and within macros.

use tensor_core::{Axis, Float, Shape, Tensor, broadcast::Broadcasted, fuse, shape, strict, tensor};

/// The bounds are those of the operators.
fn scaled<L, R, T>(x: &Tensor<L, T>, y: &Tensor<R, T>, by: T) -> Tensor<Broadcasted<L, R>, T>
where
    L: Shape + tensor_core::Broadcast<R>,
    R: Shape,
    T: Float,
{
    fuse!((x * by - y).exp())
}

struct Layer<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

#[strict]
impl<I: Axis, O: Axis> Layer<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
        fuse!((x.dot(&self.weight) + self.bias).relu())
    }
}

/// The `x` of the macro is not that of the caller.
macro_rules! twice {
    ($value:expr) => {{
        let x = tensor![100.0];
        fuse!(x * $value + x)
    }};
}

fn main() {
    let x = tensor![[1.0, 2.0], [3.0, 4.0]];
    assert_eq!(scaled(&x, &tensor![1.0, 2.0], 1.0), (&x - tensor![1.0, 2.0]).exp());
    let layer = Layer { weight: Tensor::<shape![2, 1]>::ones(), bias: tensor![-4.0] };
    assert_eq!(layer.forward(&tensor![[1.0, 2.0], [3.0, 4.0]]), tensor![[0.0], [3.0]]);
    assert_eq!(twice!(x), tensor![[200.0, 300.0], [400.0, 500.0]]);
}
