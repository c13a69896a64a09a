//! Texts of different lengths in one tensor.

use tensor_core::{Axis, Element, Tensor, shape};

/// Rows of different lengths as one tensor, `[batch, time]`, filled up at the end with `padding`, and a mask that is
/// `true` where there is an element: what [`KeyPadding`](crate::layers::KeyPadding) and
/// [`masked_mean`](crate::layers::masked_mean) take. PyTorch's `pad_sequence`, and the `attention_mask` of
/// Hugging Face's tokenizers.
///
/// Both axes are named; the second is as long as the longest row.
///
/// # Panics
///
/// If an axis is static and has another size.
///
/// ```
/// use tensor_core::{axis, shape};
/// use tensor_nn::data::padded;
///
/// axis!(Batch);
/// axis!(Time);
/// let texts = vec![vec![101, 7592, 102], vec![101, 102]];
/// let (ids, mask) = padded::<Batch, Time, i64>(&texts, 0);
/// assert_eq!(ids.shape(), shape![Batch(2), Time(3)]);
/// assert_eq!(ids.to_vec(), [101, 7592, 102, 101, 102, 0]);
/// assert_eq!(mask.to_vec(), [true, true, true, true, true, false]);
/// ```
#[doc(alias = "pad_sequence")]
#[doc(alias = "attention_mask")]
#[track_caller]
pub fn padded<Batch: Axis, Time: Axis, T: Element>(
    rows: &[impl AsRef<[T]>],
    padding: T,
) -> (Tensor<shape![Batch, Time], T>, Tensor<shape![Batch, Time], bool>) {
    let len = rows.iter().map(|row| row.as_ref().len()).max().unwrap_or(0);
    let batch = sized::<Batch>("rows", rows.len());
    let time = sized::<Time>("elements in the longest row", len);
    let (mut elements, mut mask) = (Vec::new(), Vec::new());
    for row in rows {
        let row = row.as_ref();
        elements.extend_from_slice(row);
        mask.resize(mask.len() + row.len(), true);
        elements.resize(elements.len() + len - row.len(), padding);
        mask.resize(elements.len(), false);
    }
    let shape = (((), batch), time);
    let elements = Tensor::from_vec_shaped(shape, elements);
    let mask = Tensor::from_vec_shaped(shape, mask);
    (elements.expect("rows of one length"), mask.expect("rows of one length"))
}

/// The axis of this size.
#[track_caller]
fn sized<A: Axis>(what: &str, size: usize) -> A {
    match A::from_size(size) {
        Some(axis) => axis,
        None => {
            panic!("there are {size} {what}, and the axis has size {}", A::SIZE.unwrap_or_default())
        }
    }
}
