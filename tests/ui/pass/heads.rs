//! Heads of any number and size, split from the last axis and merged again: one bound.

use tensor_core::arithmetic::CountElements;
use tensor_core::{Axis, Broadcast, HasAxis, KeepDims, Shape, StaticAxis, Tensor, axes, axis, shape};

axis!(Batch);
axis!(Time);
axis!(Heads = 12);
axis!(Depth = 64);

fn split<B: Axis, T: Axis, M: StaticAxis, H: StaticAxis, D: StaticAxis>(
    x: &Tensor<shape![B, T, M]>,
) -> Tensor<shape![B, H, T, D]>
where
    shape![H, D]: CountElements<Count = M>,
{
    x.unflatten::<-1, shape![H, D]>().permute::<axes![0, 2, 1, 3]>()
}

fn merge<Lead: Shape, M: StaticAxis, H: StaticAxis, D: StaticAxis>(
    x: &Tensor<shape![Lead.., H, D]>,
) -> Tensor<shape![Lead.., M]>
where
    shape![H, D]: CountElements<Count = M>,
{
    x.flatten_axes::<-2, -1>()
}

fn attention<B: Axis, T: Axis, M: StaticAxis, H: StaticAxis, D: StaticAxis>(
    x: &Tensor<shape![B, T, M]>,
) -> Tensor<shape![B, T, M]>
where
    shape![H, D]: CountElements<Count = M>,
{
    let heads = split::<_, _, _, H, D>(x);
    let weights = heads.matmul(&heads.transpose()).softmax::<-1>();
    merge(&weights.matmul(&heads).permute::<axes![0, 2, 1, 3]>())
}

fn standardized<const I: isize, S: HasAxis<I>>(x: &Tensor<S>) -> Tensor<S>
where
    S: Broadcast<KeepDims<S, I>, Output = S>,
{
    (x - x.mean_axis_keepdims::<I>()) / x.std_axis_keepdims::<I>()
}

fn main() {
    let x = Tensor::<shape![Batch, Time, 768]>::ones_shaped(shape![Batch(2), Time(3), 768]);
    let y = attention::<_, _, _, Heads, Depth>(&x);
    assert_eq!(y, x);
    let y = standardized::<1, _>(&(y + Tensor::<shape![768]>::arange()));
    assert!(y.as_slice().unwrap()[0].is_nan());
}
