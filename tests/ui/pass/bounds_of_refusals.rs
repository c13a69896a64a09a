//! The bounds that `cargo shapes` names for operations of generic code, as it writes them, imported as it says.

use tensor_core::arithmetic::CountElements;
use tensor_core::bounds::{Dot, Matmul, SplitTensors};
use tensor_core::broadcast::{AssignTo, ExpandTo};
use tensor_core::indexing::DifferenceAxis;
use tensor_core::joins::{PadBy, RepeatAxis, TileBy};
use tensor_core::reshape::{ConcatAxis, FlattenAxes, ReshapeTo, Unflatten};
use tensor_core::slicing::WindowsAlong;
use tensor_core::splitting::ChunkAxis;
use tensor_core::views::Unsqueeze;
use tensor_core::windows::{Conv2dOptions, Convolve, Pool, Pool2dOptions};
use tensor_core::{
    Axis, Broadcast, HasAxis, Padding, Shape, StaticAxis, StaticShape, Tensor, dim, shape,
};

fn sum<I: Axis, O: Axis>(x: &Tensor<shape![I]>, y: &Tensor<shape![O]>) -> f32
where
    shape![I]: Broadcast<shape![O]>,
{
    (x + y).sum().item()
}

fn joined<Lead: Shape, A: Axis, B: Axis, N: Axis>(
    x: &Tensor<shape![Lead.., A]>,
    y: &Tensor<shape![Lead.., B]>,
) -> Tensor<shape![Lead.., N]>
where
    shape![Lead.., A]: ConcatAxis<-1, shape![Lead.., B], Output = shape![Lead.., N]>,
{
    x.concat::<-1, _>(y)
}

fn halves<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: ChunkAxis<-1, 2>,
{
    let [a, b] = x.chunk::<-1, 2>();
    (a.square() + b).sum().item()
}

fn parts<N: Axis, D: StaticAxis, A: StaticAxis, B: StaticAxis>(x: &Tensor<shape![N, D]>)
where
    shape![N, D]: SplitTensors<-1, shape![A, B], f32>,
{
    let _ = x.split::<-1, shape![A, B]>();
}

fn repeated<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: RepeatAxis<-1, 2>,
{
    x.repeat::<-1, 2>().sum().item()
}

fn padded<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: PadBy<shape![1], shape![1]>,
{
    x.pad::<shape![1], shape![1]>(Padding::Constant(0.0)).sum().item()
}

fn framed<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: WindowsAlong<-1, dim!(3)>,
{
    x.windows::<-1, dim!(3)>().sum().item()
}

fn tiled<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: TileBy<shape![1, 2]>,
{
    x.tile::<shape![1, 2]>().sum().item()
}

fn differences<N: Axis, D: StaticAxis>(x: &Tensor<shape![N, D]>) -> f32
where
    shape![N, D]: DifferenceAxis<-1>,
{
    x.diff::<-1>().sum().item()
}

fn convolved<N: Axis, I: Axis, O: Axis, H: Axis, W: Axis>(
    x: &Tensor<shape![N, I, H, W]>,
    weight: &Tensor<shape![O, I, 3, 3]>,
) where
    shape![N, I, H, W]: Convolve<shape![O, I, 3, 3], Conv2dOptions>,
{
    let _ = x.conv2d(weight, Conv2dOptions::new());
}

fn pooled<N: Axis, C: Axis, H: Axis, W: Axis>(x: &Tensor<shape![N, C, H, W]>)
where
    shape![N, C, H, W]: Pool<Pool2dOptions<dim!(2)>>,
{
    let _ = x.max_pool2d(Pool2dOptions::new::<2>());
}

fn flat<N: Axis, C: StaticAxis, H: StaticAxis, W: StaticAxis>(x: &Tensor<shape![N, C, H, W]>)
where
    shape![N, C, H, W]: FlattenAxes<1, -1>,
{
    let _ = x.flatten_axes::<1, -1>();
}

fn counted<S: Shape>(x: &Tensor<S>) -> f32
where
    S: CountElements,
{
    x.flatten().sum().item()
}

fn heads<N: Axis, D: StaticAxis, H: StaticAxis, C: StaticAxis>(
    x: &Tensor<shape![N, D]>,
) -> Tensor<shape![N, H, C]>
where
    shape![N, D]: Unflatten<-1, shape![H, C], Output = shape![N, H, C]>,
{
    x.unflatten::<-1, shape![H, C]>()
}

fn reshaped<N: StaticAxis, D: StaticAxis, H: StaticAxis, C: StaticAxis>(
    x: &Tensor<shape![N, D]>,
) -> Tensor<shape![N, H, C]>
where
    shape![N, D]: ReshapeTo<shape![N, H, C]>,
{
    x.reshape::<shape![N, H, C]>()
}

fn expanded<S: Shape + ExpandTo<R>, R: StaticShape>(x: &Tensor<S>) -> Tensor<R> {
    x.expand::<R>()
}

fn added<S: Shape, R: Shape + AssignTo<S>>(x: &mut Tensor<S>, y: &Tensor<R>) {
    *x += y;
}

fn products<L: Shape + Matmul<R> + Dot<R>, R: Shape>(x: &Tensor<L>, y: &Tensor<R>) {
    let _ = (x.matmul(y), x.dot(y));
}

fn stacked<S: Shape + Unsqueeze<0>>(x: &Tensor<S>) {
    let _ = x.unsqueeze::<0>();
}

fn summed<S: HasAxis<1>>(x: &Tensor<S>) {
    let _ = x.sum_axis::<1>();
}

fn main() {
    let x = Tensor::<shape![2, 6]>::ones();
    assert_eq!(sum(&Tensor::<shape![3]>::ones(), &Tensor::<shape![1]>::ones()), 6.0);
    let y: Tensor<shape![2, 10]> = joined(&x, &Tensor::<shape![2, 4]>::ones());
    assert_eq!((y.len(), halves(&x), repeated(&x), padded(&x)), (20, 12.0, 24.0, 12.0));
    assert_eq!((framed(&x), tiled(&x), differences(&x), counted(&x)), (24.0, 24.0, 0.0, 12.0));
    parts::<_, _, dim!(2), dim!(4)>(&x);
    let image = Tensor::<shape![1, 3, 8, 8]>::ones();
    convolved(&image, &Tensor::<shape![4, 3, 3, 3]>::ones());
    pooled(&image);
    flat(&image);
    let y: Tensor<shape![2, 3, 2]> = heads(&x);
    assert_eq!(y, reshaped(&x));
    let mut z: Tensor<shape![4, 2, 6]> = expanded(&x);
    added(&mut z, &x);
    assert_eq!(z, Tensor::full(2.0));
    products(&x, &Tensor::<shape![6, 5]>::ones());
    stacked(&x);
    summed(&x);
}
