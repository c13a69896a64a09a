//! The network of `digits_cnn`.

use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{Conv2d, Dropout, Linear, Pass, Same2d};

use super::INK;

axis!(
    /// The digits that are looked at together.
    pub Batch
);

/// One row of pixels for each digit, as the file has them.
pub type Images = Tensor<shape![Batch, 64]>;
/// One number for each image and each digit that it may show.
pub type Scores = Tensor<shape![Batch, 10]>;

/// The network. A field is a layer, and the sizes of a layer are its type.
#[derive(Clone, Debug, Module)]
pub struct Reader {
    /// Strokes: 16 windows of 3 by 3 over the one channel of an image.
    strokes: Conv2d<dim!(1), dim!(16), dim!(3), dim!(3), Same2d>,
    /// Parts of digits: 32 windows over the strokes.
    parts: Conv2d<dim!(16), dim!(32), dim!(3), dim!(3), Same2d>,
    hidden: Linear<dim!(512), dim!(64)>,
    dropout: Dropout,
    scores: Linear<dim!(64), dim!(10)>,
}

impl Reader {
    /// A network with random weights.
    pub fn new(rng: &mut Generator) -> Self {
        Self {
            strokes: Conv2d::new(rng),
            parts: Conv2d::new(rng),
            hidden: Linear::new(rng),
            dropout: Dropout::new(0.5),
            scores: Linear::new(rng),
        }
    }

    /// Ink from 0 to 1, one channel of 8 by 8 for each image.
    pub fn scores(&self, images: &Tensor<shape![Batch, 1, 8, 8]>, pass: &mut Pass) -> Scores {
        let strokes: Tensor<shape![Batch, 16, 8, 8]> = self.strokes.forward(images).relu();
        let parts: Tensor<shape![Batch, 32, 8, 8]> = self.parts.forward(&strokes).relu();
        let pooled: Tensor<shape![Batch, 32, 4, 4]> = parts.max_pool2d(Pool2dOptions::new::<2>());
        let row: Tensor<shape![Batch, 512]> = pooled.flatten_axes::<-3, -1>();
        let hidden = self.dropout.forward(&self.hidden.forward(&row).relu(), pass);
        self.scores.forward(&hidden)
    }
}

/// Rows of pixels as images.
pub fn images(rows: &Images) -> Tensor<shape![Batch, 1, 8, 8]> {
    (rows / f32::from(INK)).unflatten::<-1, shape![1, 8, 8]>()
}
