//! Failures of tensors whose shapes are known at run time.

use tensor_core::explain::explain_sizes;
use tensor_core::module::AnyTensor;
use tensor_core::windows::{ConvOptions, PoolOptions};
use tensor_core::{DynTensor, IntoTensor, Padding, Tensor, axis, shape, tensor};

use crate::case::{Case, fails, panics};

axis!(Batch);

/// Ones of these sizes.
fn ones(sizes: &[usize]) -> DynTensor<f32> {
    DynTensor::ones(sizes)
}

pub fn sizes() -> Vec<Case> {
    let x = ones(&[2, 3]);
    let mut row = ones(&[3]);
    vec![
        fails!(&x + &ones(&[4])),
        fails!(row.zip_assign(&x, |a, b| a + b)),
        fails!(x.expand(&[3])),
        fails!(x.sum_to(&[2])),
        fails!(x.matmul(&ones(&[2, 3]))),
        fails!(x.matmul(&DynTensor::scalar(1.0))),
        fails!(x.tensordot(&x, &[0], &[1])),
        fails!(x.tensordot(&x, &[0, 1], &[0])),
        fails!(x.concat(&ones(&[2, 4]), 0)),
        fails!(DynTensor::stack([&x, &ones(&[2, 4])], 0)),
        fails!(x.reshape(&[7])),
        fails!(x.reshape_infer(&[4, -1])),
        fails!(x.reshape_infer(&[-1, -1])),
        fails!(x.reshape_infer(&[-2, 3])),
        fails!(x.squeeze(0)),
        fails!(x.flatten_axes(1, 0)),
        fails!(x.permute(&[0])),
        fails!(x.permute(&[0, 0])),
        fails!(x.sum_axis(2)),
        fails!(ones(&[3]).tril(0)),
        fails!(ones(&[3]).transpose()),
        fails!(x.meshgrid(&x)),
        fails!(x.pad(&[[1, 1]], Padding::Edge)),
        fails!(x.pad(&[[-3, 0], [0, 0]], Padding::Edge)),
        fails!(x.masked_select(&ones(&[2]).greater(&ones(&[2])).expect("they broadcast"))),
        fails!(x.group_norm(1, 2, 1e-5)),
        fails!(x.searchsorted(&x)),
    ]
}

pub fn windows() -> Vec<Case> {
    let (images, weights) = (ones(&[1, 3, 8, 8]), ones(&[4, 3, 3, 3]));
    let conv = ConvOptions::new;
    vec![
        fails!(images.conv2d(&ones(&[4, 2, 3, 3]), &conv())),
        fails!(images.conv2d(&weights, &conv().groups(2))),
        fails!(images.conv2d(&ones(&[3]), &conv())),
        fails!(ones(&[1, 3, 2, 2]).conv2d(&weights, &conv())),
        fails!(ones(&[1, 3, 4, 4]).conv2d(&weights, &conv().dilation(&[2]))),
        fails!(images.conv2d(&weights, &conv().stride(&[0]))),
        fails!(images.conv2d(&weights, &conv().stride(&[1, 1, 1]))),
        fails!(images.conv2d(&weights, &conv().same().stride(&[2]))),
        fails!(images.conv2d(&weights, &conv().output_padding(&[1]))),
        fails!(ones(&[1, 4, 1, 1]).conv_transpose2d(&weights, &conv().padding(&[2]))),
        fails!(ones(&[1, 4, 2, 2]).conv_transpose2d(&weights, &conv().stride(&[usize::MAX]))),
        fails!(ones(&[8]).max_pool(&PoolOptions::new(&[2, 2]))),
        fails!(images.max_pool(&PoolOptions::new(&[2, 2]).padding(&[2]))),
    ]
}

pub fn equations() -> Vec<Case> {
    let x = ones(&[2, 3]);
    vec![
        fails!(DynTensor::einsum("ij,jk->ik", &[&x, &x])),
        fails!(DynTensor::einsum("ij,jk->ik", &[&x])),
        fails!(DynTensor::einsum("ijk->i", &[&x])),
        fails!(DynTensor::einsum("ij->k", &[&x])),
        fails!(DynTensor::einsum("...i,...j->...", &[&x, &ones(&[3, 1])])),
        fails!(x.rearrange("a b -> b", &[])),
        fails!(x.rearrange("a b c -> c b a", &[])),
        fails!(x.rearrange("a 1 -> a", &[])),
        fails!(x.rearrange("a (b c) -> a b c", &[("b", 2)])),
        fails!(x.rearrange("a (b c) -> a b c", &[("b", 2), ("c", 2)])),
        fails!(x.rearrange("a (b c) -> a b c", &[])),
        fails!(x.rearrange("a b -> b a", &[("b", 3)])),
        fails!(ones(&[0, 0]).rearrange("a (b c) -> a b c", &[("b", usize::MAX)])),
    ]
}

pub fn conversions() -> Vec<Case> {
    let x = ones(&[2, 3]);
    let flipped = x.flip(&[0]).expect("an axis");
    let stretched = ones(&[1, 3]).expand(&[2, 3]).expect("a larger shape");
    let labels = || DynTensor::from(tensor![1, 2]);
    let integers: &mut dyn AnyTensor = &mut tensor![1, 2, 3];
    vec![
        fails!(Tensor::<shape![2, 2]>::from_vec(vec![1.0, 2.0])),
        fails!(Tensor::<shape![Batch, Batch]>::from_vec_shaped(
            shape![Batch(1), Batch(2)],
            vec![1.0, 2.0]
        )),
        fails!(DynTensor::from_vec(&[2, 2], vec![1.0, 2.0])),
        fails!(x.clone().into_tensor::<shape![6]>()),
        fails!(x.clone().into_tensor::<shape![Batch, 4]>()),
        fails!(x.clone().into_tensor::<shape![3, 2]>()),
        fails!(x.clone().into_tensor::<shape![Batch, Batch]>()),
        panics!([1.0, 2.0].into_iter().collect::<Tensor<shape![3]>>()),
        fails!(integers.assign(x.clone())),
        fails!(integers.assign(labels())),
        fails!(explain_sizes(&[&[60000, 784], &[784]]).to_svg()),
        fails!(explain_sizes(&[&[12, 12, 12]]).to_svg()),
        fails!(explain_sizes(&[&[1, 1, 1, 1, 1]]).to_svg()),
        fails!(explain_sizes(&[&[1][..]; 7]).to_svg()),
        fails!(nalgebra::DMatrix::try_from(ones(&[1, 2, 3]))),
        fails!(flipped.as_nalgebra()),
        fails!(stretched.as_nalgebra()),
        panics!(ndarray::ArrayD::from(ones(&[0, usize::MAX, 2]))),
        fails!(image::GrayImage::try_from(DynTensor::<u8>::zeros(&[2, 2, 3]))),
    ]
}
