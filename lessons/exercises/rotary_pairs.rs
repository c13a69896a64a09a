//! Rotary positions turn pairs of channels. In some files a pair is two neighbours,
//! `Interleaved`; in others a channel of the first half and one of the second, `Halves`. Turned
//! in the wrong pairs, a model still runs, and writes nonsense.
//!
//! So the type of the channel axis states the order, and positions take channels in their own
//! order. `Halves::of` brings neighbours into halves.

use tensor_core::{Tensor, dim, shape, tensor};
use tensor_nn::layers::{Halves, Interleaved, RotaryPositions};

type C = dim!(4);

fn turned(
    positions: &RotaryPositions<dim!(2), Halves<C>>,
    queries: &Tensor<shape![2, Interleaved<C>]>,
) -> Tensor<shape![2, Halves<C>]> {
    positions.forward(queries)
}

fn main() {
    // The pairs are 1 and 2, 10 and 20.
    let queries = tensor![[1.0, 2.0, 10.0, 20.0], [1.0, 2.0, 10.0, 20.0]].rename_axis::<1, _>();

    let y = turned(&RotaryPositions::new(), &queries);

    // At position 0 nothing turns; at position 1 the first pair turns by 1, and its length stays.
    assert_eq!(y.index::<0>(0).to_vec(), [1.0, 10.0, 2.0, 20.0]);
    assert!((y[[1, 0]].hypot(y[[1, 2]]) - 1.0_f32.hypot(2.0)).abs() < 1e-5);
}
