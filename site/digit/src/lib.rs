//! The network of `examples/digits_cnn`, trained, for digits that are drawn on the page.

#[path = "../../buffer.rs"]
mod buffer;
mod drawing;
#[path = "../../../examples/digits_cnn/reader.rs"]
pub mod reader;
pub mod weights;

use std::sync::OnceLock;

use tensor_core::Tensor;
use tensor_core::shape;
use tensor_nn::layers::Pass;

use drawing::{PIXELS, Point};
use reader::{Batch, Images, Reader};

/// The value of a pixel that is all ink.
const INK: u8 = 16;

/// Replaces a drawing by its image and the probability of each digit, and returns the length in bytes.
///
/// A drawing is pairs of `f32`, the points of strokes with a pair of NaN between two of them; the answer is 64 and 10
/// `f32`.
// SAFETY: no other function of the module has the name.
#[unsafe(no_mangle)]
pub extern "C" fn classify() -> usize {
    buffer::replace(|bytes| {
        let (numbers, _) = bytes.as_chunks::<4>();
        let numbers: Vec<f32> = numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
        let (pairs, _) = numbers.as_chunks::<2>();
        let points: Vec<Point> = pairs.iter().map(|&[x, y]| Point { x, y }).collect();
        let pixels = drawing::pixels(&points);
        let answer = pixels.into_iter().chain(probabilities(&pixels));
        answer.flat_map(f32::to_le_bytes).collect()
    })
}

/// The probability of each digit for an image of 8 by 8 pixels with ink from 0 to 16.
///
/// # Panics
///
/// Never: the number of pixels is that of the shape.
pub fn probabilities(pixels: &[f32; PIXELS]) -> Vec<f32> {
    let rows: Images = Tensor::from_vec_shaped(shape![Batch(1), 64], pixels.to_vec())
        .expect("64 pixels for one image");
    let scores = trained().scores(&reader::images(&rows), &mut Pass::eval());
    scores.softmax::<-1>().into_vec()
}

/// The network with the weights of the file.
fn trained() -> &'static Reader {
    static READER: OnceLock<Reader> = OnceLock::new();
    READER.get_or_init(weights::read)
}

#[cfg(test)]
mod tests;
