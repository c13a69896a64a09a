//! Construction: every way to make a tensor, against values written by hand.

use tensor_core::{ShapeError, Tensor, axis, shape, tensor};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 3);
axis!(Wide = 2048);

#[test]
fn zeros_ones_full_fill_every_element() {
    assert_eq!(Tensor::<shape![2, 3]>::zeros().to_vec(), [0.0; 6]);
    assert_eq!(Tensor::<shape![2, 3], bool>::zeros().to_vec(), [false; 6]);
    assert_eq!(Tensor::<shape![2, 3], u8>::ones().to_vec(), [1; 6]);
    assert_eq!(Tensor::<shape![2], bool>::ones().to_vec(), [true; 2]);
    assert_eq!(Tensor::<shape![5, 7], i64>::full(-3).to_vec(), [-3; 35]);
    assert_eq!(Tensor::<shape![]>::full(2.5).to_vec(), [2.5]);
    assert!(Tensor::<shape![2, 0, 3]>::ones().is_empty());
    assert!(Tensor::<shape![2, 0, 3]>::ones().is_empty());
}

#[test]
fn a_shape_value_gives_the_sizes_of_named_axes() {
    let zeros: Tensor<shape![Batch, 3]> = Tensor::zeros_shaped(shape![Batch(4), 3]);
    assert_eq!((zeros.len(), zeros.to_vec()), (12, vec![0.0; 12]));
    let ones: Tensor<shape![Batch, Seq], i8> = Tensor::ones_shaped(shape![Batch(2), Seq(5)]);
    assert_eq!(ones.to_vec(), [1; 10]);
    assert!(Tensor::full_shaped(shape![Batch(0), Hidden], 1.5).is_empty());
    assert_eq!(Tensor::full_shaped(shape![Batch(1), Hidden], 1.5).to_vec(), [1.5; 3]);
}

#[test]
#[should_panic(expected = "does not fit into memory")]
fn more_elements_than_memory_addresses_is_a_panic() {
    let _ = Tensor::full_shaped(shape![Batch(usize::MAX), Seq(2)], 0u8);
}

#[test]
fn a_vec_of_the_right_length_is_taken_in_row_major_order() {
    let small = Tensor::<shape![2, 3], i32>::from_vec(vec![1, 2, 3, 4, 5, 6]).unwrap();
    assert_eq!([small[[0, 0]], small[[0, 2]], small[[1, 0]], small[[1, 2]]], [1, 3, 4, 6]);
    let numbers: Vec<i32> = (0..60).collect();
    let large = Tensor::<shape![3, 4, 5], i32>::from_vec(numbers.clone()).unwrap();
    assert_eq!(large[[2, 1, 3]], 2 * 20 + 5 + 3);
    assert_eq!(large.into_vec(), numbers);
    // A long `Vec` is not copied, neither in nor out.
    let at = numbers.as_ptr();
    let large = Tensor::<shape![60], i32>::from_vec(numbers).unwrap();
    assert_eq!(large.as_slice().unwrap().as_ptr(), at);
    let back = large.into_vec();
    assert_eq!(back.as_ptr(), at);
    assert_eq!(Tensor::<shape![], i32>::from_vec(vec![7]).unwrap().item(), 7);
    assert_eq!(Tensor::<shape![0, 4], i32>::from_vec(vec![]).unwrap().len(), 0);
}

#[test]
fn a_vec_of_another_length_comes_back_with_both_numbers() {
    let error = Tensor::<shape![2, 3], i32>::from_vec(vec![1, 2, 3, 4, 5]).unwrap_err();
    assert_eq!(error.to_string(), "shape [2, 3] has 6 elements, but 5 were given");
    assert_eq!(format!("{error:?}"), "shape [2, 3] has 6 elements, but 5 were given");
    assert_eq!((error.expected(), error.found()), (6, 5));
    assert_eq!(
        ShapeError::from(error.clone()),
        ShapeError::Length { expected: 6, found: 5, sizes: vec![2, 3] }
    );
    assert_eq!(error.into_data(), [1, 2, 3, 4, 5]);

    let given = vec![0.5; 7];
    let at = given.as_ptr();
    let error = Tensor::from_vec_shaped(shape![Batch(2), Hidden], given).unwrap_err();
    assert_eq!(error.to_string(), "shape [2, 3] has 6 elements, but 7 were given");
    let back = error.into_data();
    assert_eq!((back.as_ptr(), back.len()), (at, 7), "the same memory comes back");

    let error = Tensor::<shape![], f64>::from_vec(vec![]).unwrap_err();
    assert_eq!(error.to_string(), "shape [] has 1 elements, but 0 were given");
    let huge = shape![Batch(usize::MAX), Seq(2)];
    assert_eq!(Tensor::from_vec_shaped(huge, vec![0u8; 3]).unwrap_err().found(), 3);
}

#[test]
fn a_function_is_called_once_for_each_index_in_row_major_order() {
    let mut calls = Vec::new();
    let x = Tensor::<shape![2, 3, 2], i32>::from_fn(|[i, j, k]| {
        calls.push([i, j, k]);
        (100 * i + 10 * j + k) as i32
    });
    let mut expected = Vec::new();
    for i in 0..2 {
        for j in 0..3 {
            for k in 0..2 {
                expected.push([i, j, k]);
                assert_eq!(x[[i, j, k]], (100 * i + 10 * j + k) as i32);
            }
        }
    }
    assert_eq!(calls, expected);

    assert_eq!(Tensor::<shape![], i32>::from_fn(|[]| 5).item(), 5);
    let none = Tensor::<shape![3, 0], i32>::from_fn(|[_, _]| unreachable!());
    assert!(none.is_empty());
    let named = Tensor::from_fn_shaped(shape![Batch(3), 7], |[i, j]| i * 7 == j);
    assert_eq!(named.iter().filter(|&&same| same).count(), 1);
}

#[test]
fn eye_has_ones_where_row_and_column_agree() {
    let eye = Tensor::<shape![5, 5], i32>::eye();
    for row in 0..5 {
        for column in 0..5 {
            assert_eq!(eye[[row, column]], i32::from(row == column));
        }
    }
    assert_eq!(Tensor::<shape![1, 1]>::eye().to_vec(), [1.0]);
    assert!(Tensor::<shape![0, 0]>::eye().is_empty());
    assert!(Tensor::<shape![Hidden, Hidden], bool>::eye()[[2, 2]]);
    assert_eq!(Tensor::<_, u8>::eye_shaped(shape![Batch(2), Batch(2)]).to_vec(), [1, 0, 0, 1]);
}

#[test]
#[should_panic(expected = "is square, not of 2 rows and 3 columns")]
fn an_identity_matrix_is_square_at_run_time_too() {
    let _ = Tensor::<_, f32>::eye_shaped(shape![Batch(2), Batch(3)]);
}

#[test]
fn arange_counts_and_steps() {
    assert_eq!(Tensor::<shape![5]>::arange().to_vec(), [0.0, 1.0, 2.0, 3.0, 4.0]);
    assert!(Tensor::<shape![0], i32>::arange().is_empty());
    assert_eq!(Tensor::<shape![3], u16>::arange_from(7, 100).to_vec(), [7, 107, 207]);
    assert_eq!(Tensor::<_, i64>::arange_shaped(shape![Batch(3)]).to_vec(), [0, 1, 2]);
    assert_eq!(Tensor::arange_from_shaped(shape![Batch(3)], 1i64, -1).to_vec(), [1, 0, -1]);
    // Integers are exact where an `f64` is not, and wrap around.
    let large = Tensor::<shape![2], i64>::arange_from(i64::MAX - 1, 2).to_vec();
    assert_eq!(large, [i64::MAX - 1, i64::MIN]);
    assert_eq!(Tensor::<shape![256], u8>::arange()[[255]], 255);
    let bytes = Tensor::<shape![300], u8>::arange_from(0, 1);
    assert_eq!((bytes[[255]], bytes[[256]], bytes[[299]]), (255, 0, 43));
    // Floats round once: 0.1 added ten times would be 0.9999999999999999.
    assert_eq!(Tensor::<shape![11], f64>::arange_from(0.0, 0.1)[[10]], 1.0);
    assert_eq!(Tensor::<shape![11]>::arange_from(0.0, 0.1)[[10]], 1.0);
}

#[test]
fn linspace_includes_both_ends_exactly() {
    let x = Tensor::<shape![4], f64>::linspace(-1.0, 2.0);
    assert_eq!(x.to_vec(), [-1.0, 0.0, 1.0, 2.0]);
    // As `numpy.linspace(0, 1, 7, dtype='f4')`.
    let x = Tensor::<shape![7]>::linspace(0.0, 1.0);
    let expected = [0.0, 0.16666667, 0.33333334, 0.5, 0.6666667, 0.8333333, 1.0];
    assert_eq!(x.to_vec(), expected);
    assert_eq!(Tensor::<shape![1]>::linspace(3.0, 9.0).to_vec(), [3.0]);
    assert_eq!(Tensor::<shape![2]>::linspace(3.0, 9.0).to_vec(), [3.0, 9.0]);
    assert!(Tensor::<shape![0]>::linspace(3.0, 9.0).is_empty());
    let x = Tensor::linspace_shaped(shape![Batch(1001)], 0.1, 0.7);
    assert_eq!((x[[0]], x[[1000]]), (0.1, 0.7));
    assert!(x.to_vec().is_sorted());
}

#[test]
fn scalars_and_arrays_convert() {
    assert_eq!(Tensor::scalar(4u8).item(), 4);
    assert_eq!(Tensor::from(0.5f64), Tensor::scalar(0.5));
    let x: Tensor<shape![3], i32> = [1, 2, 3].into();
    assert_eq!(x, tensor![1, 2, 3]);
    let x = Tensor::<shape![2, 3]>::from([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    assert_eq!(x, tensor![[1.0f32, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let x = Tensor::<shape![2, 1, 2], i32>::from([[[1, 2]], [[3, 4]]]);
    assert_eq!(x, tensor![[[1, 2]], [[3, 4]]]);
    let x = Tensor::<shape![1, 2, 1, 3], i32>::from([[[[1, 2, 3]], [[4, 5, 6]]]]);
    assert_eq!(x.to_vec(), [1, 2, 3, 4, 5, 6]);
    let x = Tensor::<shape![2, 0], i32>::from([[], []]);
    assert!(x.is_empty());
    // A named axis of static size, and sizes of one and of two parts.
    let x = Tensor::<shape![2, Hidden], u8>::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(x[[1, 0]], 4);
    assert_eq!(Tensor::<shape![5000], u8>::from([7; 5000]).len(), 5000);
    assert_eq!(Tensor::<shape![Wide], u8>::from([7; 2048]).len(), 2048);
    assert_eq!(Tensor::<shape![2, 1001], u8>::from([[7; 1001]; 2]).len(), 2002);
}

#[test]
fn the_type_of_elements_follows_from_the_shape_value_and_the_data() {
    let x = Tensor::from_vec_shaped(shape![2, 2], vec![1u64, 2, 3, 4]).unwrap();
    assert_eq!(x[[1, 1]], 4);
    fn generic<S: tensor_core::Shape>(shape: S) -> Tensor<S> {
        Tensor::ones_shaped(shape)
    }
    assert_eq!(generic(shape![2, Batch(2)]).to_vec(), [1.0; 4]);
}
