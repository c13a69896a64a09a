//! Losses of target classes.

use crate::shape::axis::Axis;
use crate::shape::index_error::IndexError;
use crate::shape::{Shape, Sizes};
use crate::tensor::Tensor;
use tensor_array::array::dynamic::DynTensor;
use tensor_array::array::gradients;
use tensor_array::array::trace::checked_step;
use tensor_kernels::element::{Float, Integer};

/// The negative logarithm of the softmax probability of each row's class, `[..s, c], [..s] → [..s]`: PyTorch's
/// `F.cross_entropy` with `reduction="none"`.
///
/// ```text
/// loss = -ln(exp(x[class]) / Σ exp(x))
/// ```
///
/// It is finite for scores of any magnitude, and its gradient is one pass: `softmax(x)`, less 1 at the class.
///
/// Source: Goodfellow, Bengio, Courville, "Deep learning", 2016, section 6.2.2.3.
///
/// # Errors
///
/// If a class is not from 0 to `c - 1`: which one, and its position.
///
/// # Panics
///
/// If a named axis has another size in the classes.
///
/// ```
/// use tensor_core::functional::cross_entropy;
/// use tensor_core::tensor;
///
/// let scores = tensor![[100.0, 0.0], [0.0, 100.0]];
/// assert_eq!(cross_entropy(&scores, &tensor![0, 0])?, tensor![0.0, 100.0]);
///
/// let error = cross_entropy(&scores, &tensor![0, 2]).unwrap_err();
/// assert_eq!((error.index, &error.position[..]), (2, &[1][..]));
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[track_caller]
pub fn cross_entropy<S, C, T, K>(
    scores: &Tensor<(S, C), T>,
    classes: &Tensor<S, K>,
) -> Result<Tensor<S, T>, IndexError>
where
    S: Shape,
    C: Axis,
    T: Float,
    K: Integer,
{
    let (rows, count) = scores.axes;
    let (of_rows, of_classes) = (rows.sizes(), classes.axes.sizes());
    assert!(
        of_rows == of_classes,
        "each row of scores has a class: the rows have the sizes {of_rows:?}, the classes {of_classes:?}"
    );
    let classes = indices(&classes.erased(), count.size(), None)?;
    Ok(Tensor::with_shape(rows, gradients::cross_entropy(&scores.erased(), &classes)))
}

/// The target classes as `i64`, each from 0 to `count - 1` or `ignored`, `[..s] → [..s]`: for losses of your own.
///
/// In a program they are checked when it runs.
///
/// # Errors
///
/// If a class is neither from 0 to `count - 1` nor `ignored`: which one, and its position.
///
/// ```
/// use tensor_core::functional::class_indices;
/// use tensor_core::tensor;
///
/// let classes = tensor![2_u8, 0, 255];
/// assert_eq!(class_indices(&classes, 3, Some(255))?, tensor![2_i64, 0, 255]);
///
/// let error = class_indices(&classes, 3, None).unwrap_err();
/// assert_eq!((error.index, error.size, &error.position[..]), (255, 3, &[2][..]));
/// # Ok::<_, tensor_core::IndexError>(())
/// ```
#[track_caller]
pub fn class_indices<S: Shape, K: Integer>(
    classes: &Tensor<S, K>,
    count: usize,
    ignored: Option<i64>,
) -> Result<Tensor<S, i64>, IndexError> {
    Ok(Tensor::with_shape(classes.axes, indices(&classes.erased(), count, ignored)?))
}

/// [`class_indices`], compiled once for each element type.
#[track_caller]
#[inline(never)]
fn indices<K: Integer>(
    classes: &DynTensor<K>,
    count: usize,
    ignored: Option<i64>,
) -> Result<DynTensor<i64>, IndexError> {
    if classes.is_traced() {
        let is_class = move |x: &DynTensor<K>| check(&x.to_i64(), x, count, ignored);
        return Ok(checked_step(classes, is_class).to_i64());
    }
    let indices = classes.to_i64();
    check(&indices, classes, count, ignored)?;
    Ok(indices)
}

/// Checks indices, which are the classes as `i64`.
fn check<K: Integer>(
    indices: &DynTensor<i64>,
    classes: &DynTensor<K>,
    count: usize,
    ignored: Option<i64>,
) -> Result<(), IndexError> {
    let is_class = |class: i64| usize::try_from(class).is_ok_and(|class| class < count);
    // Usually all classes are valid; a loop without an early exit can be vectorised.
    let all = match indices.as_slice() {
        Some(indices) => indices.iter().fold(true, |all, &class| all & is_class(class)),
        None => indices.iter().all(|&class| is_class(class)),
    };
    if all {
        return Ok(());
    }
    let is_wrong = |&(_, class): &(usize, i128)| {
        i64::try_from(class).map_or(true, |class| !is_class(class) && Some(class) != ignored)
    };
    let mut exact = classes.iter().map(|class| class.to_i128()).enumerate();
    let Some((flat, index)) = exact.find(is_wrong) else { return Ok(()) };
    let (position, axis) = (position(flat, classes.sizes()), classes.sizes().len());
    Err(IndexError { index, position, size: count, axis, is_signed: false })
}

/// The index, one number per axis, of the element at this position in row-major order.
fn position(mut flat: usize, sizes: &[usize]) -> Sizes {
    let mut index: Sizes = sizes.into();
    for (index, &size) in index.iter_mut().zip(sizes).rev() {
        (*index, flat) = (flat % size, flat / size);
    }
    index
}
