//! The network of `examples/digits_cnn`, trained, for digits that are drawn on the page: a program that `tensor-embed` has
//! written, without a library.

#[path = "../../buffer.rs"]
mod buffer;
mod drawing;
#[rustfmt::skip]
#[allow(clippy::all, clippy::pedantic, dead_code, unused_qualifications, reason = "written by tensor-embed")]
mod model;

use std::sync::LazyLock;

use drawing::{PIXELS, Point};

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
fn probabilities(pixels: &[f32; PIXELS]) -> [f32; 10] {
    const BYTES: &[u8] = include_bytes!("weights.bin");
    static WEIGHTS: LazyLock<Box<[f32; BYTES.len() / 4]>> = LazyLock::new(|| {
        let numbers = BYTES.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes));
        numbers.collect::<Vec<_>>().try_into().expect("a number for each four bytes")
    });
    let mut probabilities = [0.0; 10];
    model::run(pixels, &mut probabilities, &WEIGHTS, &mut model::Workspace::new());
    probabilities
}

#[cfg(test)]
mod tests;
