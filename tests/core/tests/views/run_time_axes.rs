//! Axes whose sizes are known at run time: reshapes with a size left out, names, merges, splits, sums back,
//! and what the traits of `std` make.

use tensor_core::{DynTensor, IntoTensor, Padding, Shape, ShapeError, Tensor, axis, shape, tensor};

axis!(Batch);
axis!(Seq);
axis!(Tokens);
axis!(Hidden = 6);

fn sequences() -> Tensor<shape![Batch, Seq, 6], i32> {
    let elements = (0..2 * 5 * 6).collect();
    Tensor::from_vec_shaped(shape![Batch(2), Seq(5), 6], elements).unwrap()
}

/// The message of a panic.
fn panic_of<R>(call: impl FnOnce() -> R + std::panic::UnwindSafe) -> String {
    let Err(panic) = std::panic::catch_unwind(call) else { panic!("no panic") };
    *panic.downcast::<String>().expect("a message")
}

#[test]
fn a_size_that_is_left_out_follows_from_the_others() {
    let x = sequences();
    let tokens = x.reshape_infer::<shape![Tokens, 6]>();
    assert_eq!(tokens.shape(), shape![Tokens(10), 6]);
    assert_eq!(tokens.to_vec(), x.to_vec());
    // Names that the tensor has keep their sizes at any position.
    let turned = x.reshape_infer::<shape![Seq, Batch, 2, 3]>();
    assert_eq!(turned.shape(), shape![Seq(5), Batch(2), 2, 3]);
    let both = x.reshape_infer::<shape![Batch, Tokens, 3]>();
    assert_eq!(both.shape(), shape![Batch(2), Tokens(10), 3]);
    // Of a view too, and of static sizes.
    let view = tensor![[1, 2, 3], [4, 5, 6]].transpose();
    assert_eq!(view.reshape_infer::<shape![Tokens, 2]>().to_vec(), [1, 4, 2, 5, 3, 6]);
    assert_eq!(view.reshape_infer::<shape![6]>(), tensor![1, 4, 2, 5, 3, 6]);
    assert_eq!(DynTensor::from(x).reshape_infer(&[5, -1, 3]).unwrap().sizes(), [5, 4, 3]);
}

#[test]
fn what_no_size_fills_panics_with_the_shape() {
    let panic = panic_of(|| sequences().reshape_infer::<shape![Tokens, 7]>());
    assert_eq!(panic, "60 elements do not fill shape [Tokens(_), 7], whatever the omitted size is");
    let panic = panic_of(|| tensor![1, 2, 3, 4].reshape_infer::<shape![Tokens, Seq]>());
    assert_eq!(
        panic,
        "one size of a shape follows from the number of elements, and [Tokens(_), Seq(_)] leaves out 2"
    );
    let panic = panic_of(|| sequences().reshape_infer::<shape![Batch, Seq, 7]>());
    assert_eq!(panic, "shape [2, 5, 7] has 70 elements, but 60 were given");
    // Nothing divides by 0.
    let empty = DynTensor::<f32>::zeros(&[0, 3]);
    assert_eq!(empty.reshape_infer(&[-1, 3]).unwrap().sizes(), [0, 3]);
    assert!(matches!(empty.reshape_infer(&[-1, 0]), Err(ShapeError::NotDivisible { .. })));
    assert!(matches!(empty.reshape_infer(&[-1, -1]), Err(ShapeError::LeftOut { found: 2, .. })));
    let six = DynTensor::full(&[2, 3], 0.0);
    for (sizes, size, axis) in
        [([-7, 3], -7, 0), ([2, isize::MIN], isize::MIN, 1), ([-1, -2], -2, 1)]
    {
        let error = six.reshape_infer(&sizes).unwrap_err();
        assert_eq!(error, ShapeError::NegativeSize { size, axis });
        let message = format!(
            "axis {axis} has size {size}: a size is 0 or more, or -1 where it follows from the others"
        );
        assert_eq!(error.to_string(), message);
    }
    let most = isize::MAX;
    assert!(matches!(empty.reshape_infer(&[-1, most, most]), Err(ShapeError::NotDivisible { .. })));
}

#[test]
fn an_axis_gets_another_name_without_a_copy() {
    let x = sequences();
    let renamed = x.rename_axis::<0, Tokens>();
    assert_eq!(renamed.shape(), shape![Tokens(2), Seq(5), 6]);
    assert_eq!(renamed.as_slice().unwrap().as_ptr(), x.as_slice().unwrap().as_ptr());
    // Between a size and a name, both ways, and of a view.
    let named = x.rename_axis::<-1, Hidden>();
    assert_eq!(named.shape().display().to_string(), "[Batch(2), Seq(5), Hidden(6)]");
    assert_eq!(named.rename_axis::<2, tensor_core::dim!(6)>().shape(), x.shape());
    let turned = x.transpose().rename_axis::<1, Tokens>();
    assert_eq!(turned.shape(), shape![Batch(2), Tokens(6), Seq(5)]);
    assert_eq!(turned[[1, 2, 3]], x[[1, 3, 2]]);

    let panic = panic_of(|| sequences().rename_axis::<0, Hidden>());
    assert_eq!(panic, "axis 0 has size 2, and its new name has size 6");
    let panic = panic_of(|| sequences().rename_axis::<0, Seq>());
    assert!(panic.starts_with("`Seq` has size 2 and, at dimension 1, size 5"), "{panic}");
}

#[test]
fn axes_are_merged_and_split() {
    let x = sequences();
    let merged = x.flatten_axes_as::<0, 1, Tokens>();
    assert_eq!(merged.shape(), shape![Tokens(10), 6]);
    assert_eq!(merged.to_vec(), x.to_vec());
    assert_eq!(merged.unflatten_shaped::<0, _>(shape![Batch(2), Seq(5)]), x);
    assert_eq!(merged.unflatten_as::<0, shape![Batch, 5]>().shape(), shape![Batch(2), 5, 6]);
    assert_eq!(x.flatten_axes_as::<-2, -1, Tokens>().shape(), shape![Batch(2), Tokens(30)]);
    assert_eq!(x.flatten_axes_as::<1, 1, Tokens>().shape(), shape![Batch(2), Tokens(5), 6]);
    // Of a view: a copy where no strides describe it.
    let turned = x.permute::<tensor_core::axes![1, 0, 2]>();
    let merged = turned.flatten_axes_as::<0, 1, Tokens>();
    assert_eq!(merged[[3, 0]], x[[1, 1, 0]]);

    let panic = panic_of(|| sequences().unflatten_as::<1, shape![Tokens, 2]>());
    assert_eq!(panic, "5 elements do not fill shape [Tokens(_), 2], whatever the omitted size is");
    let panic = panic_of(|| sequences().unflatten_shaped::<1, _>(shape![Tokens(2), 2]));
    assert_eq!(panic, "shape [2, 2] has 4 elements, but 5 were given");
}

#[test]
fn merges_in_code_over_any_leading_axes() {
    fn tokens<Lead: Shape>(
        x: &Tensor<shape![Lead.., Batch, Seq]>,
    ) -> Tensor<shape![Lead.., Tokens]> {
        x.flatten_axes_as::<-2, -1, Tokens>()
    }
    let x = Tensor::<shape![3, Batch, Seq]>::ones_shaped(shape![3, Batch(2), Seq(4)]);
    assert_eq!(tokens(&x).shape(), shape![3, Tokens(8)]);
}

/// `sum_to` is the transpose of `expand`: `⟨expand(x), y⟩ = ⟨x, sum_to(y)⟩`.
#[test]
fn sums_back_are_the_transpose_of_broadcasting() {
    let sizes: [&[usize]; 6] = [&[2, 3, 4], &[1, 3, 4], &[3, 1], &[4], &[1], &[]];
    let y =
        DynTensor::from_fn(&[2, 3, 4], |index| (index[0] * 12 + index[1] * 4 + index[2]) as i64);
    for sizes in sizes {
        let x = DynTensor::from_fn(sizes, |index| index.iter().sum::<usize>() as i64 + 3);
        let expanded = x.expand(&[2, 3, 4]).unwrap();
        let summed = y.sum_to(sizes).unwrap();
        assert_eq!(summed.sizes(), sizes);
        let (left, right) = ((&expanded * &y).unwrap().sum(), (&x * &summed).unwrap().sum());
        assert_eq!(left, right, "{sizes:?}");
    }
    let all: [&[usize]; 4] = [&[2, 1, 3, 4], &[2], &[3, 2], &[0]];
    for refused in all {
        let error = y.sum_to(refused).unwrap_err();
        assert!(matches!(error, ShapeError::SumTo { .. }), "{refused:?}: {error}");
    }
    let x = sequences();
    let rows: Tensor<shape![Seq, 1], i32> = x.sum_to::<shape![Seq, 1]>();
    assert_eq!(rows.shape(), shape![Seq(5), 1]);
    assert_eq!(rows, x.sum_axes::<tensor_core::axes![0, 2]>().unsqueeze::<1>());
    assert_eq!(x.sum_to::<shape![Batch, Seq, 6]>(), x);
}

#[test]
fn every_axis_that_differs_is_reported() {
    let x = DynTensor::full(&[2, 3, 4, 5], 0.0);
    let error = x.into_tensor::<shape![7, Batch, 8, 5]>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "axis 0 has size 7 in the type, 2 in the data; axis 2 has size 8 in the type, 4 in the data"
    );
    let ShapeError::SeveralAxes(errors) = error.error() else { panic!("{error:?}") };
    assert_eq!(errors.len(), 2);
    let three = DynTensor::full(&[2, 3, 4], 0.0).into_tensor::<shape![5, 6, Hidden]>().unwrap_err();
    assert!(
        matches!(three.error(), ShapeError::SeveralAxes(errors) if errors.len() == 3),
        "{three}"
    );
    let one = DynTensor::full(&[2, 3], 0.0).into_tensor::<shape![2, 4]>().unwrap_err();
    assert!(matches!(one.error(), ShapeError::StaticSize { axis: 1, .. }));
}

#[test]
fn std_makes_tensors_of_elements_and_of_tensors() {
    let mut x: Tensor<shape![Batch], i32> = (1..=3).collect();
    x.extend([4, 5]);
    assert_eq!(x.shape(), shape![Batch(5)]);
    assert_eq!(x.to_vec(), [1, 2, 3, 4, 5]);
    let exact: Tensor<shape![3], i32> = [7, 8, 9].into_iter().collect();
    assert_eq!(exact, tensor![7, 8, 9]);
    let panic = panic_of(|| [7, 8].into_iter().collect::<Tensor<shape![3], i32>>());
    assert_eq!(panic, "axis 0 has size 3 in the type, 2 in the data");
    let dynamic: DynTensor<i32> = (0..4).collect();
    assert_eq!(dynamic.sizes(), [4]);
    assert!(DynTensor::<f32>::default().is_empty());

    let parts = [tensor![1, 2], tensor![3, 4], tensor![5, 6]];
    assert_eq!(parts.iter().sum::<Tensor<_, _>>(), tensor![9, 12]);
    assert_eq!(parts.iter().product::<Tensor<_, _>>(), tensor![15, 48]);
    assert_eq!(parts.clone().into_iter().sum::<Tensor<_, _>>(), tensor![9, 12]);
    assert_eq!(parts.into_iter().product::<Tensor<_, _>>(), tensor![15, 48]);
    let none: [Tensor<shape![2]>; 0] = [];
    assert_eq!(none.iter().sum::<Tensor<_, _>>(), Tensor::default());
    assert_eq!(none.iter().product::<Tensor<_, _>>(), Tensor::ones());
}

#[test]
fn longer_and_shorter_axes_have_the_name_that_is_given() {
    axis!(Other);
    let x = sequences();
    let dynamic = DynTensor::from(x.clone());

    let padded = x.pad_as::<1, Other>([1, 3], Padding::Edge);
    assert_eq!(padded.shape(), shape![Batch(2), Other(9), 6]);
    let expected = dynamic.pad(&[[0, 0], [1, 3], [0, 0]], Padding::Edge).unwrap();
    assert_eq!(padded.to_vec(), expected.to_vec());
    let cropped = x.pad_as::<-1, Other>([-2, -1], Padding::Constant(0));
    assert_eq!(cropped.shape(), shape![Batch(2), Seq(5), Other(3)]);
    assert_eq!(cropped.to_vec()[..3], [2, 3, 4]);

    let repeated = x.repeat_as::<0, Other>(3);
    assert_eq!(repeated.shape(), shape![Other(6), Seq(5), 6]);
    assert_eq!(repeated.to_vec(), dynamic.repeat(0, 3).unwrap().to_vec());
    let tiled = x.tile_as::<-2, Other>(2);
    assert_eq!(tiled.shape(), shape![Batch(2), Other(10), 6]);
    assert_eq!(tiled.to_vec(), dynamic.tile(&[1, 2, 1]).unwrap().to_vec());
    assert_eq!(x.tile_as::<0, Other>(0).shape(), shape![Other(0), Seq(5), 6]);

    let differences = x.diff_as::<1, Other>();
    assert_eq!(differences.shape(), shape![Batch(2), Other(4), 6]);
    assert!(differences.iter().all(|&difference| difference == 6));

    // A static name is checked, and so is one that the shape has already.
    assert_eq!(x.tile_as::<2, tensor_core::dim!(12)>(2).shape(), shape![Batch(2), Seq(5), 12]);
    let wrong = x.clone();
    let panic = panic_of(move || wrong.tile_as::<1, Hidden>(3).len());
    assert_eq!(panic, "axis 1 (`Hidden`) has size 6 in the type, 15 in the data");
    let twice = x.clone();
    assert!(panic_of(move || twice.repeat_as::<1, Batch>(2).len()).contains("Batch"));
    let empty = Tensor::<shape![Batch]>::zeros_shaped(shape![Batch(0)]);
    let panic = panic_of(move || empty.diff_as::<0, Other>().len());
    assert!(panic.contains("size 0"), "{panic}");
}

/// Positions of windows that are counted at run time are those that the types count.
#[test]
fn windows_along_run_time_axes() {
    use tensor_core::autograd::grad;
    use tensor_core::windows::{
        Conv1dOptions, Conv2dOptions, Conv3dOptions, Pool1dOptions, Pool2dOptions,
    };
    use tensor_core::{Dim, dim};

    axis!(Places);
    let x: Tensor<shape![2, 9], f64> = Tensor::from_fn(|[c, n]| ((3 * c + n * n) % 7) as f64);
    let named = x.rename_axis::<1, Tokens>();
    let weights: Tensor<shape![3, 2, 3], f64> = Tensor::from_fn(|[o, c, k]| (o + 2 * c * k) as f64);
    let options = Conv1dOptions::new().stride::<2>().padding::<1>();
    let expected = x.conv1d(&weights, options);
    let y: Tensor<shape![3, Places], f64> = named.conv1d(&weights, options.named::<Places>());
    assert_eq!(y.rename_axis::<1, Dim<5>>(), expected);
    let of_named = grad(&named, |x| x.conv1d(&weights, options.named::<Places>()).square().sum());
    let of_static = grad(&x, |x| x.conv1d(&weights, options).square().sum());
    assert_eq!(of_named.rename_axis::<1, Dim<9>>(), of_static);
    // A static size is checked.
    let known: Tensor<shape![3, 5], f64> = named.conv1d(&weights, options.named::<Dim<5>>());
    assert_eq!(known, expected);
    let transposed = Tensor::<shape![2, 3, 3], f64>::ones();
    let back = named.conv_transpose1d(&transposed, options.named::<Places>());
    assert_eq!(back.shape(), shape![3, Places(17)]);
    let same = x.conv_transpose1d(&transposed, options);
    assert_eq!(back.rename_axis::<1, Dim<17>>(), same);

    let pool = Pool1dOptions::new::<4>().ceil_mode();
    let pooled = named.max_pool1d(pool.named::<Places>());
    assert_eq!(pooled.rename_axis::<1, Dim<3>>(), x.max_pool1d(pool));
    let pooled = named.avg_pool1d(Pool1dOptions::new::<4>().named::<Places>());
    assert_eq!(pooled.rename_axis::<1, Dim<2>>(), x.avg_pool1d(Pool1dOptions::new::<4>()));

    // One axis of two, and of three.
    let image: Tensor<shape![1, Tokens, 6]> = Tensor::ones_shaped(shape![1, Tokens(5), 6]);
    let options = Conv2dOptions::new().stride::<2>().padding::<1>().named::<Places, dim!(3)>();
    let y = image.conv2d(&Tensor::<shape![4, 1, 3, 3]>::ones(), options);
    assert_eq!(y.shape(), shape![4, Places(3), 3]);
    let y = image.max_pool2d(Pool2dOptions::new::<2>().named::<Places, dim!(3)>());
    assert_eq!(y.shape(), shape![1, Places(2), 3]);
    let video: Tensor<shape![1, Tokens, 4, 4]> = Tensor::ones_shaped(shape![1, Tokens(5), 4, 4]);
    let options = Conv3dOptions::new().named::<Places, dim!(3), dim!(3)>();
    let y = video.conv3d(&Tensor::<shape![2, 1, 2, 2, 2]>::ones(), options);
    assert_eq!(y.shape(), shape![2, Places(4), 3, 3]);

    let short: Tensor<shape![2, Tokens], f64> = Tensor::ones_shaped(shape![2, Tokens(2)]);
    let too_short =
        panic_of(move || short.conv1d(&weights, Conv1dOptions::new().named::<Places>()));
    assert!(too_short.contains("window") && too_short.contains('2'), "{too_short}");
}

#[test]
fn windows_in_steps() {
    use tensor_core::dim;

    axis!(Frames);
    let x = sequences();
    let frames = x.windows_as::<1, Frames, dim!(3)>(2);
    assert_eq!(frames.shape(), shape![Batch(2), Frames(2), 6, 3]);
    let expected = x.slice_axis::<1, dim!(5)>(0..5).windows::<1, dim!(3)>();
    let expected = expected.slice(tensor_core::slice![.., ..; 2]);
    assert_eq!(frames.rename_axis::<1, dim!(2)>(), expected);
    // A step beyond the end leaves one window.
    assert_eq!(x.windows_as::<1, Frames, dim!(5)>(usize::MAX).sizes()[1], 1);
    let refused = panic_of(|| sequences().windows_as::<1, Frames, dim!(6)>(1));
    assert!(refused.contains("window of 6"), "{refused}");
    let refused = panic_of(|| sequences().windows_as::<1, Frames, dim!(2)>(0));
    assert!(refused.contains("step"), "{refused}");
}
