//! A crate on top of `tensor-core`, whose tests have programs that must not compile, and the
//! messages about them. The guide's chapter `testing_messages` explains it.

use tensor_core::{Shape, Tensor, axis, shape};

axis! {
    /// The images of a batch: how many is known at run time.
    pub Batch
}

/// The scores of ten classes, `[batch, 784] · [784, 10] → [batch, 10]`.
///
/// ```
/// use message_tests::{Batch, scores};
/// use tensor_core::{Tensor, shape};
///
/// let images = Tensor::ones_shaped(shape![Batch(2), 784]);
/// assert_eq!(scores(&images, &Tensor::ones()).sizes()[..], [2, 10]);
/// ```
pub fn scores(
    images: &Tensor<shape![Batch, 784]>,
    weight: &Tensor<shape![784, 10]>,
) -> Tensor<shape![Batch, 10]> {
    images.dot(weight)
}

/// Each row times a gain and plus a bias, `[..lead, 10] → [..lead, 10]`.
///
/// ```
/// use message_tests::scaled;
/// use tensor_core::{Tensor, shape};
///
/// let scores = Tensor::<shape![2, 10]>::ones();
/// assert_eq!(scaled(&scores, &Tensor::full(2.0), &Tensor::ones()), Tensor::full(3.0));
/// ```
pub fn scaled<Lead: Shape>(
    scores: &Tensor<shape![Lead.., 10]>,
    gain: &Tensor<shape![10]>,
    bias: &Tensor<shape![10]>,
) -> Tensor<shape![Lead.., 10]> {
    scores * gain + bias
}
