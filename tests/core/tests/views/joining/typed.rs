//! The typed methods give what those of `DynTensor` give, in the shapes that the types say.

use tensor_core::arithmetic::{AddSizes, SizeSum};
use tensor_core::reshape::{ConcatAxis, Concatenated};
use tensor_core::{
    Axis, DynTensor, Padding, Shape, StaticAxis, Tensor, axes, axis, dim, shape, tensor,
};

axis!(Batch);
axis!(Rows);
axis!(Hidden = 4);

fn cube() -> Tensor<shape![2, 3, 4], i32> {
    Tensor::<shape![24], i32>::arange().reshape()
}

#[test]
fn concatenation_along_each_axis() {
    let x = cube();
    let dynamic = DynTensor::from(x.clone());
    let first: Tensor<shape![4, 3, 4], i32> = x.concat::<0, _>(&x);
    let middle: Tensor<shape![2, 6, 4], i32> = x.concat::<-2, _>(&x);
    let last: Tensor<shape![2, 3, 5], i32> =
        x.concat::<2, _>(&Tensor::<shape![2, 3, 1], i32>::ones());
    assert_eq!(DynTensor::from(first), dynamic.concat(&dynamic, 0).unwrap());
    assert_eq!(DynTensor::from(middle), dynamic.concat(&dynamic, 1).unwrap());
    assert_eq!(DynTensor::from(last), dynamic.concat(&DynTensor::full(&[2, 3, 1], 1), 2).unwrap());
}

#[test]
fn arrays_of_one_shape() {
    let x = cube();
    let all: Tensor<shape![2, 9, 4], i32> = Tensor::concat_array::<1, _>([&x, &(&x + 1), &x]);
    assert_eq!(all, x.concat::<1, _>(&(&x + 1)).concat::<1, _>(&x));
    let one: Tensor<shape![2, 3, 4], i32> =
        Tensor::concat_array::<-1, _>([&x.permute::<axes![0, 1, 2]>()]);
    assert_eq!(one, x);
}

#[test]
fn run_time_axes_beside_the_joined_one() {
    let x = Tensor::<shape![Batch, 2], f32>::ones_shaped(shape![Batch(3), 2]);
    let y = x.concat::<-1, _>(&Tensor::<shape![Batch, 1], f32>::zeros_shaped(shape![Batch(3), 1]));
    assert_eq!(y.shape(), shape![Batch(3), 3]);
    let all = Tensor::concat_all::<0, Rows>([&x, &x]);
    assert_eq!(all.shape(), shape![Rows(6), 2]);
    let fixed: Tensor<shape![6, 2]> = Tensor::concat_all::<0, dim!(6)>([&x, &x]);
    assert_eq!(fixed.sum().item(), 12.0);
}

#[test]
#[should_panic(expected = "The size of tensor a (3) must match the size of tensor b (4)")]
fn a_named_axis_of_two_sizes_panics() {
    let x = Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(3), 2]);
    let _ = x.concat::<1, _>(&Tensor::<shape![Batch, 2]>::ones_shaped(shape![Batch(4), 2]));
}

#[test]
#[should_panic(expected = "axis 0 has size 7 in the type, 6 in the data")]
fn a_static_sum_that_is_another_panics() {
    let x = Tensor::<shape![3]>::ones();
    let _ = Tensor::concat_all::<0, dim!(7)>([&x, &x]);
}

#[test]
fn stacks_along_each_axis() {
    let x = cube();
    let front: Tensor<shape![3, 2, 3, 4], i32> = Tensor::stack::<0, _>([&x, &x, &x]);
    let back: Tensor<shape![2, 3, 4, 2], i32> = Tensor::stack::<-1, _>([&x, &(&x + 1)]);
    let one: Tensor<shape![2, 1, 3, 4], i32> = Tensor::stack::<1, _>([&x]);
    assert_eq!(front, x.unsqueeze::<0>().expand::<shape![3, 2, 3, 4]>());
    assert_eq!(back[[1, 2, 3, 1]], x[[1, 2, 3]] + 1);
    assert_eq!(one, x.unsqueeze::<1>());
    let batch = Tensor::stack_all::<0, Batch>(&vec![x.clone(); 5]);
    assert_eq!(batch.shape(), shape![Batch(5), 2, 3, 4]);
    let scalars = Tensor::stack::<0, _>([&Tensor::scalar(1), &Tensor::scalar(2)]);
    assert_eq!(scalars, tensor![1, 2]);
}

#[test]
fn padding_of_the_last_axes() {
    let x = Tensor::<shape![Batch, Hidden]>::ones_shaped(shape![Batch(2), Hidden]);
    let padded: Tensor<shape![Batch, 7]> = x.pad::<shape![1], shape![2]>(Padding::Constant(0.0));
    assert_eq!(padded.shape(), shape![Batch(2), 7]);
    assert_eq!(padded.sum().item(), 8.0);
    let images = Tensor::<shape![2, 3, 28, 28]>::zeros();
    let padded = images.pad::<shape![2, 2], shape![2, 2]>(Padding::Reflect);
    let _: &Tensor<shape![2, 3, 32, 32]> = &padded;
    let x = cube();
    let amounts = [[0, 0], [1, 3], [2, 0]];
    let symmetric = x.pad::<shape![1, 2], shape![3, 0]>(Padding::Symmetric);
    let dynamic = DynTensor::from(x).pad(&amounts, Padding::Symmetric).unwrap();
    assert_eq!(DynTensor::from(symmetric), dynamic);
}

#[test]
fn repeats_tiles_and_triangles() {
    let x = cube();
    let dynamic = DynTensor::from(x.clone());
    let repeated: Tensor<shape![2, 9, 4], i32> = x.repeat::<1, 3>();
    assert_eq!(DynTensor::from(repeated), dynamic.repeat(1, 3).unwrap());
    let once: Tensor<shape![2, 3, 4], i32> = x.repeat::<1, 1>();
    assert_eq!(once, x);
    let tiled: Tensor<shape![2, 2, 6, 4], i32> = x.tile::<shape![2, 1, 2, 1]>();
    assert_eq!(DynTensor::from(tiled), dynamic.tile(&[2, 1, 2, 1]).unwrap());
    let last: Tensor<shape![2, 3, 8], i32> = x.tile::<shape![2]>();
    assert_eq!(DynTensor::from(last), dynamic.tile(&[2]).unwrap());
    assert_eq!(DynTensor::from(x.tril(-1)), dynamic.tril(-1).unwrap());
    assert_eq!(DynTensor::from(x.triu(1)), dynamic.triu(1).unwrap());
    assert_eq!(DynTensor::from(x.roll::<-2>(2)), dynamic.roll(1, 2).unwrap());
    let diagonals: Tensor<shape![2, 3, 4, 4], i32> = x.diag_embed();
    assert_eq!(DynTensor::from(diagonals), dynamic.diag_embed().unwrap());
    let traces: Tensor<shape![2], i32> = x.trace();
    assert_eq!(DynTensor::from(traces), dynamic.trace().unwrap());
}

#[test]
fn in_generic_code_one_bound_is_enough() {
    fn causal<Lead: Shape, N: Axis>(
        x: &Tensor<shape![Lead.., N, N]>,
    ) -> Tensor<shape![Lead.., N, N]> {
        x.tril(0)
    }
    fn beside<Lead: Shape, A, B: StaticAxis>(
        x: &Tensor<shape![Lead.., A]>,
        y: &Tensor<shape![Lead.., B]>,
    ) -> Tensor<(Lead, SizeSum<A, B>)>
    where
        A: AddSizes<B>,
    {
        x.concat::<-1, _>(y)
    }
    fn framed<Lead: Shape>(x: &Tensor<shape![Lead.., 3, 3]>) -> Tensor<shape![Lead.., 5, 4]> {
        x.pad::<shape![1, 1], shape![1, 0]>(Padding::Edge)
    }
    fn pair<Lead: Shape, A: Axis>(x: &Tensor<shape![Lead.., A]>) -> Tensor<shape![Lead.., A, 2]> {
        Tensor::stack::<-1, _>([x, x])
    }
    fn tiled<Lead: Shape>(x: &Tensor<shape![Lead.., 3]>) -> Tensor<shape![Lead.., 6]> {
        x.tile::<shape![2]>()
    }
    fn traces<Lead: Shape, A: Axis>(x: &Tensor<shape![Lead.., A, A]>) -> Tensor<Lead> {
        x.trace()
    }
    fn joined<S: ConcatAxis<0, S>>(x: &Tensor<S>) -> Tensor<Concatenated<S, 0, S>> {
        x.concat::<0, _>(x)
    }
    let x = Tensor::<shape![5, 3, 3]>::ones();
    let _: Tensor<shape![5, 3, 5]> = beside(&x, &Tensor::<shape![5, 3, 2]>::zeros());
    assert_eq!(framed(&x).sum().item(), 100.0);
    assert_eq!(pair(&x).sum().item(), 90.0);
    assert_eq!(tiled(&x).sum().item(), 90.0);
    assert_eq!(traces(&x), Tensor::full(3.0));
    let _: Tensor<shape![10, 3, 3]> = joined(&x);
    assert_eq!(causal(&x).sum().item(), 30.0);
}

#[test]
fn tensors_of_a_tuple_stand_behind_one_another() {
    let part = |rows: usize, first: i32| {
        let elements = (first..first + 3 * rows as i32).collect();
        DynTensor::from_vec(&[rows, 3], elements).expect("as many elements")
    };
    let a: Tensor<shape![1, 3], i32> = part(1, 0).try_into().unwrap();
    let b: Tensor<shape![4, 3], i32> = part(4, 3).try_into().unwrap();
    let c: Tensor<shape![2, 3], i32> = part(2, 15).try_into().unwrap();
    let two: Tensor<shape![5, 3], i32> = a.concat_tuple::<0, _>((&b,));
    assert_eq!(two, a.concat::<0, _>(&b));
    assert_eq!(two, a.concat_tuple::<0, _>(&b));
    let all: Tensor<shape![7, 3], i32> = a.concat_tuple::<0, _>((&b, &c));
    assert_eq!(all.to_vec(), (0..21).collect::<Vec<_>>());
    let eight = a.concat_tuple::<-2, _>((&b, &c, &a, &b, &c, &a, &b));
    let eight: Tensor<shape![19, 3], i32> = eight;
    assert_eq!(eight.to_vec()[18 * 3..], [12, 13, 14]);
    // Views, and the last axis.
    let (bt, ct) = (b.transpose(), c.transpose());
    let columns: Tensor<shape![3, 7], i32> = a.transpose().concat_tuple::<-1, _>((&bt, &ct));
    assert_eq!(columns, all.transpose());
    // Other axes may be named, and are compared.
    let named = Tensor::<shape![2, Batch]>::ones_shaped(shape![2, Batch(3)]);
    let more = Tensor::<shape![5, Batch]>::zeros_shaped(shape![5, Batch(3)]);
    let joined = named.concat_tuple::<0, _>((&more, &named));
    assert_eq!(joined.shape(), shape![9, Batch(3)]);
}

#[test]
#[should_panic(expected = "Batch")]
fn tensors_of_a_tuple_have_one_size_for_a_name() {
    let named = Tensor::<shape![2, Batch]>::ones_shaped(shape![2, Batch(3)]);
    let other = Tensor::<shape![5, Batch]>::zeros_shaped(shape![5, Batch(4)]);
    let _ = named.concat_tuple::<0, _>((&named, &other));
}
