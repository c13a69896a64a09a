//! Two texts of up to four words, in one tensor: where a text has fewer words, the rest is padding,
//! which nothing should attend to. The table has a row for each text, with `true` for each word.
//!
//! There are two kinds of tables. One for pairs, `[queries, keys]`, is the same for all texts; one
//! for keys, `[texts, keys]`, is about padding.

use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape, tensor};
use tensor_nn::layers::{self, MultiHeadAttention, Pass};

fn main() {
    let mut rng = Generator::seed(1);
    // Two heads of four channels in a model of width 8.
    let layer: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(&mut rng);
    let texts: Tensor<shape![2, 4, 8]> = rng.normal(0.0, 1.0);
    let has_word = tensor![[true, true, true, true], [true, false, false, false]];

    let y = layer.forward(&texts, layers::KeyPadding(&has_word), &mut Pass::eval());

    // The second text has one word: every query gets that word's value.
    let second = y.index::<0>(1);
    assert!(second.index::<0>(0).all_close(&second.index::<0>(3), 1e-5, 1e-6), "{second}");
}
