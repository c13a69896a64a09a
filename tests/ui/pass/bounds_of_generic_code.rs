//! The bounds in the table of `tensor-nn/guide/generic_models.md`, each with the operations that it is for.

use tensor_core::arithmetic::{AddSizes, CountElements};
use tensor_core::random::Generator;
use tensor_core::windows::{
    Conv2dOptions, Convolve, ConvolveTransposed, Interpolation, Pads, Pool, Pool2dOptions, Slide,
};
use tensor_core::{Axis, Broadcast, Float, Shape, StaticAxis, Tensor, dim, select, shape};
use tensor_nn::layers::{AvgPool2d, Flatten, HeadsFill, NormOrder, TransformerBlock};

fn no_bound<Lead: Shape, D: Axis>(
    x: &Tensor<shape![Lead.., D]>,
    weight: &Tensor<shape![D, D]>,
) -> Tensor<shape![Lead.., D]> {
    let y = x.dot(weight).softmax::<-1>() / x.std_axis_keepdims::<-1>();
    let y = select(y.greater(x), &y, x) - x.mean_axis::<-1>().unsqueeze::<-1>();
    y + weight.matmul(weight).transpose().index::<0>(0)
}

fn same<Lead: Shape, C: Axis, H: Axis, W: Axis>(
    x: &Tensor<shape![Lead.., C, H, W]>,
    weight: &Tensor<shape![C, C, 3, 3]>,
) -> Tensor<shape![Lead.., C, H, W]> {
    x + x.conv2d(weight, Conv2dOptions::new().same()).swap_axes::<-2, -1>().transpose()
}

type Halving = Slide<dim!(2), Pads<dim!(1), dim!(1)>>;

fn convolved<Lead: Shape, I: Axis, O: Axis, H: Axis, W: Axis, Y: Axis, X: Axis>(
    x: &Tensor<shape![Lead.., I, H, W]>,
    weight: &Tensor<shape![O, I, 3, 3]>,
) -> Tensor<shape![Lead.., O, Y, X]>
where
    shape![Lead.., I, H, W]:
        Convolve<shape![O, I, 3, 3], Conv2dOptions<Halving>, Output = shape![Lead.., O, Y, X]>,
{
    x.conv2d(weight, Conv2dOptions::new().stride::<2>().padding::<1>())
}

fn transposed<Lead: Shape, I: Axis, O: Axis, H: Axis, W: Axis, Y: Axis, X: Axis>(
    x: &Tensor<shape![Lead.., I, H, W]>,
    weight: &Tensor<shape![I, O, 2, 2]>,
) -> Tensor<shape![Lead.., O, Y, X]>
where
    shape![Lead.., I, H, W]: ConvolveTransposed<
            shape![I, O, 2, 2],
            Conv2dOptions<Slide<dim!(2)>>,
            Output = shape![Lead.., O, Y, X],
        >,
{
    x.conv_transpose2d(weight, Conv2dOptions::new().stride::<2>())
}

fn pooled<Lead: Shape, H: Axis, W: Axis, Y: Axis, X: Axis>(
    x: &Tensor<shape![Lead.., H, W]>,
) -> Tensor<shape![Lead.., Y, X]>
where
    shape![Lead.., H, W]: Pool<Pool2dOptions<dim!(2), dim!(2)>, Output = shape![Lead.., Y, X]>,
{
    x.max_pool2d(Pool2dOptions::new::<2>()) + AvgPool2d(Pool2dOptions::new::<2>()).forward(x)
}

fn resized<Lead: Shape, H: Axis, W: Axis, Y: StaticAxis, X: StaticAxis>(
    x: &Tensor<shape![Lead.., H, W]>,
) -> Tensor<shape![Lead.., Y, X]> {
    let means = x.adaptive_avg_pool::<shape![Y, X]>();
    means - x.interpolate::<shape![Y, X]>(Interpolation::Bilinear)
}

fn flat<Lead: Shape, C: StaticAxis, H: StaticAxis, W: StaticAxis, N: StaticAxis>(
    x: &Tensor<shape![Lead.., C, H, W]>,
) -> Tensor<shape![Lead.., N]>
where
    shape![C, H, W]: CountElements<Count = N>,
{
    let flat = <Flatten>::new().forward(x);
    flat.unflatten::<-1, shape![C, H, W]>().flatten_axes::<-3, -1>()
}

fn joined<Lead: Shape, A: StaticAxis + AddSizes<B, Output = N>, B: StaticAxis, N: Axis>(
    x: &Tensor<shape![Lead.., A]>,
    y: &Tensor<shape![Lead.., B]>,
) -> Tensor<shape![Lead.., N]> {
    x.concat::<-1, _>(y)
}

fn made<D: StaticAxis, H: StaticAxis, C: StaticAxis, F: StaticAxis, T: Float>(
    rng: &mut Generator,
) -> (TransformerBlock<D, H, C, F, T>, Tensor<shape![D], T>)
where
    (H, C): HeadsFill<D>,
{
    (TransformerBlock::new(rng, NormOrder::Post, 0.1), Tensor::zeros())
}

fn any_shape<S: Shape, D: Axis>(x: &Tensor<S>, bias: &Tensor<shape![D]>) -> Tensor<S>
where
    S: Broadcast<shape![D], Output = S>,
{
    x + bias
}

fn main() {
    let x = Tensor::<shape![3, 4, 8, 6]>::ones();
    assert_eq!(no_bound(&x, &Tensor::ones()).shape(), x.shape());
    assert_eq!(same(&x, &Tensor::zeros()), x);
    let y: Tensor<shape![3, 5, 4, 3]> = convolved(&x, &Tensor::ones());
    assert_eq!(y[[0, 0, 0, 0]], 16.0);
    let y: Tensor<shape![3, 5, 16, 12]> = transposed(&x, &Tensor::ones());
    assert_eq!(y, Tensor::full(4.0));
    let y: Tensor<shape![3, 4, 4, 3]> = pooled(&x);
    assert_eq!(y, Tensor::full(2.0));
    let y: Tensor<shape![3, 4, 2, 2]> = resized(&x);
    assert_eq!(y, Tensor::zeros());
    let y: Tensor<shape![3, 192]> = flat(&x);
    let y: Tensor<shape![3, 202]> = joined(&y, &Tensor::<shape![3, 10]>::ones());
    assert_eq!(y, Tensor::ones());
    assert_eq!(any_shape(&y, &Tensor::<shape![202]>::zeros()), y);
    let (block, zeros) = made::<dim!(12), dim!(3), dim!(4), dim!(48), f64>(&mut Generator::seed(1));
    assert_eq!(block.norm1.bias, zeros);
}
