//! Failures of tensors whose shapes are types.

use tensor_core::random::{Fans, Generator};
use tensor_core::{
    DynTensor, Padding, Tensor, axes, axis, dim, einsum, select, shape, slice, tensor,
};

use crate::case::{Case, fails, panics};

axis!(pub Batch);
axis!(pub Seq);

/// A vector with a named axis.
pub fn batch(n: usize) -> Tensor<shape![Batch], f32> {
    Tensor::ones_shaped(shape![Batch(n)])
}

/// A matrix with a named axis.
pub fn rows(n: usize) -> Tensor<shape![Batch, 2], f32> {
    Tensor::ones_shaped(shape![Batch(n), 2])
}

pub fn named_sizes() -> Vec<Case> {
    let mut target = batch(2);
    vec![
        panics!(batch(2) + batch(3)),
        panics!(batch(1) + batch(3)),
        panics!(target += batch(3)),
        panics!(select(batch(2).greater(0.0), batch(2), batch(3))),
        panics!(batch(2).dot(&batch(3))),
        panics!(
            Tensor::<shape![Batch, 1, 2]>::ones_shaped(shape![Batch(2), 1, 2]).matmul(&Tensor::<
                shape![Batch, 2, 1],
            >::ones_shaped(
                shape![
                Batch(3),
                2,
                1
            ]
            ))
        ),
        panics!(batch(2).outer(&batch(3))),
        panics!(einsum!(i, i -> ; batch(2), batch(3))),
        panics!(rows(2).concat::<1, _>(&rows(3))),
        panics!(Tensor::stack_all::<0, Seq>([&batch(2), &batch(3)])),
        panics!(Tensor::<shape![Batch, Batch]>::zeros_shaped(shape![Batch(2), Batch(3)])),
        panics!(Tensor::<shape![Batch, Batch]>::eye_shaped(shape![Batch(2), Batch(3)])),
        panics!(batch(6).reshape_shaped(shape![Seq(4), 2])),
        panics!(rows(3).reshape_infer::<shape![Seq, 4]>()),
        panics!(rows(3).rename_axis::<0, dim!(2)>()),
    ]
}

pub fn indices() -> Vec<Case> {
    let table = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let dynamic = DynTensor::from(table.clone());
    vec![
        panics!(rows(2)[[2, 0]]),
        panics!(table[[3, 0]]),
        panics!(dynamic[[3, 0]]),
        panics!(dynamic[[3]]),
        panics!(rows(2).index::<0>(3)),
        panics!(rows(2).slice(slice![Seq(1..3)])),
        panics!(rows(2).chunks_axis::<0, Batch>(0)),
        fails!(table.take::<0, _>(&tensor![0, 7])),
        fails!(tensor![0_u8, 4].one_hot::<dim!(3), f32>()),
        fails!(tensor![0, -1].bincount::<dim!(3)>()),
        panics!(batch(3).masked_select::<dim!(2)>(&batch(3).greater(0.0))),
        panics!(batch(2).topk_shaped::<0, _>(Seq(3))),
        panics!(batch(2).kthvalue::<0>(2)),
        fails!(dynamic.index(0, 3)),
        fails!(dynamic.slice(slice![1..4])),
        fails!(dynamic.slice(slice![.., .., 0])),
        fails!(dynamic.slice_axis_step(0, 0, None, 0)),
        fails!(dynamic.take(0, &DynTensor::from(tensor![3]))),
        fails!(DynTensor::from(rows(0)).take(0, &DynTensor::from(tensor![0]))),
        fails!(dynamic.take(2, &DynTensor::from(tensor![0]))),
        fails!(dynamic.take_along_axis(0, &DynTensor::from(tensor![[0, 0, 0]]))),
        fails!(dynamic.topk(0, 4)),
        fails!(dynamic.split(0, &[1, 1])),
        fails!(dynamic.windows(0, 4)),
    ]
}

pub fn empty() -> Vec<Case> {
    let dynamic = DynTensor::from(rows(0));
    vec![
        panics!(batch(0).max()),
        panics!(batch(0).argmax()),
        panics!(rows(0).max_axis::<0>()),
        panics!(rows(0).max_axes::<axes![0, 1]>()),
        panics!(batch(0).pad_as::<0, Seq>([1, 0], Padding::Edge)),
        fails!(dynamic.max()),
        fails!(dynamic.argmin_axis(0)),
        fails!(dynamic.pad(&[[1, 0], [0, 0]], Padding::Edge)),
        fails!(DynTensor::<f32>::stack([], 0)),
        fails!(DynTensor::<f32>::ones(&[2]).item()),
    ]
}

pub fn memory() -> Vec<Case> {
    let one = DynTensor::<f32>::ones(&[1]);
    vec![
        panics!(Tensor::<shape![Batch, 4], f32>::zeros_shaped(shape![Batch(1 << 62), 4])),
        panics!(batch(1).expand_shaped(shape![Seq(1 << 62), 8, Batch(1)])),
        panics!(DynTensor::<f32>::zeros(&[1 << 40, 1 << 40])),
        fails!(one.expand(&[1 << 62, 4])),
        fails!(one.repeat(0, 1 << 62)),
        fails!(one.cast::<i64>().one_hot::<f32>(1 << 62)),
    ]
}

pub fn integers() -> Vec<Case> {
    vec![
        panics!(tensor![[6, 4]] / tensor![2, 0]),
        panics!(tensor![6, 4] % 0),
        panics!(tensor![2, 0].powi(-1)),
        panics!(tensor_core::fuse!(tensor![6, 4] / tensor![2, 0] + 1)),
    ]
}

pub fn numbers() -> Vec<Case> {
    let mut generator = Generator::seed(1);
    let x = tensor![1.0, 2.0];
    let dynamic = DynTensor::from(x.clone());
    vec![
        panics!(x.quantile(1.5)),
        panics!(x.histogram::<dim!(4)>(2.0..=1.0)),
        fails!(dynamic.quantile_axis(0, 1.5)),
        fails!(dynamic.histogram(4, 2.0..=1.0)),
        panics!(generator.uniform::<shape![2], f32>(1.0, 0.0)),
        panics!(generator.normal::<shape![2], f32>(0.0, -1.0)),
        panics!(generator.integers::<shape![2], i32>(3..3)),
        panics!(generator.bernoulli::<shape![2]>(1.5)),
        panics!(generator.permutations::<shape![]>()),
        fails!(generator.categorical(&tensor![1.0, -1.0])),
        fails!(generator.categorical(&tensor![0.0, 0.0])),
        fails!(generator.categorical_dyn(&DynTensor::scalar(1.0))),
        panics!(Fans::of_convolution(&[3])),
    ]
}
