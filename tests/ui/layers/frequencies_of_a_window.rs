//! A window of 400 samples has 201 frequencies.
//!
//! The compiler says: "a window of `Dim<400>` samples does not have `Dim<200>` frequencies"

use tensor_core::dim;
use tensor_nn::audio::Stft;

fn stft() -> Stft<dim!(400), dim!(200)> {
    Stft::hann(160)
}

fn main() {}
