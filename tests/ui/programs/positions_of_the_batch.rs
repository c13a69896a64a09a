//! Positions that have one row for each sentence of the batch, and not for each word.
//!
//! The compiler says: "cannot broadcast an axis of size `Time` with one of size `Batch`"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Time);

fn add_positions(
    tokens: &Tensor<shape![Batch, Time, 768]>,
    positions: &Tensor<shape![Batch, 768]>,
) -> Tensor<shape![Batch, Time, 768]> {
    tokens + positions
}

fn sinusoids(n: usize) -> Tensor<shape![Time, 768]> {
    Tensor::from_fn_shaped(shape![Time(n), 768], |[t, c]| {
        (t as f32 / 10000f32.powf((c / 2 * 2) as f32 / 768.0)).sin()
    })
}

fn main() {
    let tokens = Tensor::zeros_shaped(shape![Batch(4), Time(128), 768]);
    let table = sinusoids(128);
    println!("{}", table.max().item());
    let x: Tensor<shape![Batch, Time, 768]> = tokens;
    println!("{}", x.sum().item() + table.sum().item());
    let _ = add_positions;
}
