//! The sizes of one name within one shape agree, or no tensor gets the shape.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tensor_core::{DynTensor, IntoTensor, Shape, ShapeError, Tensor, axis, fuse, shape, zip_with3};

axis!(Batch);
axis!(Seq);
axis!(Hidden = 4);

mod other {
    tensor_core::axis!(pub Batch);
}

type Square = shape![Batch, Batch];

fn ones<S: Shape>(shape: S) -> Tensor<S> {
    Tensor::ones_shaped(shape)
}

/// The error of sizes 2 and 3 at the end of a shape of this rank.
fn two_sizes(axis: usize) -> ShapeError {
    ShapeError::TwoSizes { name: "Batch", sizes: [2, 3], axis }
}

const WORDS: &str = "`Batch` has size 2 and, at dimension 1, size 3: a name has one size within a \
                     shape; declare another axis for the other size, such as `axis!(Batch2)`";

#[track_caller]
fn panic_of<R>(work: impl FnOnce() -> R) -> String {
    let panic = catch_unwind(AssertUnwindSafe(work)).err().expect("a panic");
    panic.downcast_ref::<String>().expect("a text").clone()
}

#[test]
fn the_error_says_what_to_do() {
    assert_eq!(two_sizes(1).to_string(), WORDS);
}

#[test]
fn products_compare_the_sizes_of_a_name() {
    let (a, b) = (ones(shape![Batch(2), 4]), ones(shape![Batch(3), 4]));
    assert_eq!(
        panic_of(|| a.matmul(&b.transpose())),
        format!("cannot multiply: in the result, {WORDS}")
    );
    assert!(panic_of(|| a.dot(&b.transpose())).ends_with(WORDS));
    let (a, b) = (ones(shape![Batch(2)]), ones(shape![Batch(3)]));
    assert!(panic_of(|| a.outer(&b)).ends_with(WORDS));
    // Sizes that agree.
    let a = ones(shape![Batch(2), 4]);
    let similarity: Tensor<Square> = a.matmul(&a.transpose());
    assert_eq!(similarity, Tensor::full_shaped(shape![Batch(2), Batch(2)], 4.0));
}

#[test]
fn broadcasts_compare_the_sizes_of_a_name() {
    let (column, row) = (ones(shape![Batch(2), 1]), ones(shape![1, Batch(3)]));
    assert_eq!(column.shape().broadcast(row.shape()), Err(two_sizes(1)));
    assert_eq!(panic_of(|| &column + &row), WORDS);
    assert_eq!(panic_of(|| column.clone() + row.clone()), WORDS);
    assert_eq!(panic_of(|| column.maximum(&row)), WORDS);
    assert_eq!(panic_of(|| zip_with3(&column, &row, &row, |a, b, c| a + b + c)), WORDS);
    assert_eq!(panic_of(|| fuse!(column * row)), WORDS);
    let row = ones(shape![1, Batch(2)]);
    assert_eq!((&column + &row).shape(), shape![Batch(2), Batch(2)]);
}

#[test]
fn constructors_compare_the_sizes_of_a_name() {
    let shape = || shape![Batch(2), Batch(3)];
    assert_eq!(panic_of(|| Tensor::<_, f32>::zeros_shaped(shape())), WORDS);
    assert_eq!(panic_of(|| Tensor::full_shaped(shape(), 1)), WORDS);
    assert_eq!(panic_of(|| Tensor::from_fn_shaped(shape(), |[i, _]| i as i64)), WORDS);
    assert_eq!(panic_of(|| Tensor::scalar(1).expand_shaped(shape())), WORDS);
    let error = Tensor::from_vec_shaped(shape(), vec![0; 6]).unwrap_err();
    assert_eq!(error.to_string(), WORDS);
    assert_eq!(ShapeError::from(error.clone()), two_sizes(1));
    assert_eq!(error.into_data(), [0; 6]);
}

#[test]
fn sizes_from_a_file_are_compared() {
    assert_eq!(Square::from_sizes(&[2, 3]), Err(two_sizes(1)));
    assert_eq!(Square::from_sizes(&[2, 2]), Ok(shape![Batch(2), Batch(2)]));
    let read = DynTensor::full(&[2, 3], 1.0);
    let error = read.into_tensor::<Square>().unwrap_err();
    assert_eq!(error.error(), &two_sizes(1));
    let square = Tensor::<Square, f64>::try_from(error.into_tensor());
    assert!(square.is_err());
}

/// Any two of several axes, with any axes between them.
#[test]
fn axes_far_apart_are_compared() {
    type Far = shape![Batch, 7, Seq, Hidden, Batch, Seq];
    assert_eq!(Far::from_sizes(&[2, 7, 5, 4, 3, 5]), Err(two_sizes(4)));
    assert_eq!(
        Far::from_sizes(&[2, 7, 5, 4, 2, 6]),
        Err(ShapeError::TwoSizes { name: "Seq", sizes: [5, 6], axis: 5 })
    );
    assert!(Far::from_sizes(&[2, 7, 5, 4, 2, 5]).is_ok());
    type Three = shape![Batch, Batch, Batch];
    assert_eq!(Three::from_sizes(&[2, 3, 3]), Err(two_sizes(1)));
    assert_eq!(Three::from_sizes(&[2, 2, 3]), Err(two_sizes(2)));
}

/// Two axes that happen to have one name are two axes, as are those with other names.
#[test]
fn other_axes_are_not_compared() {
    assert!(<shape![Batch, Seq]>::from_sizes(&[2, 3]).is_ok());
    assert!(<shape![Batch, other::Batch]>::from_sizes(&[2, 3]).is_ok());
    assert_eq!(ones(shape![Batch(2), Seq(3)]).len(), 6);
}

/// In place, the target is on the left, as it is written.
#[test]
fn an_assignment_names_its_operands_as_they_are_written() {
    let mut a = ones(shape![Batch(2)]);
    let b = ones(shape![Batch(3)]);
    let words = "The size of tensor a (2) must match the size of tensor b (3)";
    assert!(panic_of(|| &a + &b).starts_with(words));
    assert!(panic_of(|| a += &b).starts_with(words));
    assert!(panic_of(|| a.zip_assign(&b, |a, b| a + b)).starts_with(words));
}

#[test]
fn the_first_axis_that_differs_is_named() {
    let error = <shape![Batch, Batch, Batch]>::from_sizes(&[2, 3, 4]).unwrap_err();
    assert_eq!(error, two_sizes(1));
    let error = <shape![Batch, Seq, Batch, Seq]>::from_sizes(&[2, 5, 3, 6]).unwrap_err();
    assert_eq!(error, two_sizes(2));
}
