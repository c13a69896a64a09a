//! The short-time Fourier transform and Whisper's spectrogram.

use tensor_core::autograd::grad;
use tensor_core::{Tensor, axis, shape};
use tensor_nn::audio::{Stft, WhisperMel, mel_filters};

use super::{D, read};

axis!(Samples);
axis!(Frames);

/// The sound of `pytorch.py`.
fn sound() -> Tensor<shape![Samples], f64> {
    Tensor::from_fn_shaped(shape![Samples(1600)], |[i]| {
        let click = if i == 700 { 1.0 } else { 0.0 };
        let i = i as f64;
        0.5 * (i * 0.1).sin() + 0.25 * (i * i * 0.001).cos() + click
    })
}

#[test]
fn transform() {
    let case = read("sound");
    let stft: Stft<D<16>, D<9>, f64> = Stft::hann(5);
    let x = sound().slice_axis::<0, D<64>>(0..64);
    let (real, imaginary) = stft.forward::<D<13>, _, _>(&x);
    case.check("real", &real);
    case.check("imaginary", &imaginary);
    let power = stft.power::<D<13>, _, _>(&x);
    assert!(power.all_close(&(real.square() + imaginary.square()), 1e-12, 1e-12));

    // The gradient, with differences.
    let x: Tensor<shape![20], f64> = x.slice_axis::<0, D<20>>(0..20);
    let loss = |x: &Tensor<shape![20], f64>| stft.power::<Frames, _, _>(x).square().sum();
    let gradient = grad(&x, loss);
    for i in 0..20 {
        let moved = |by: f64| {
            let mut x = x.clone();
            x.as_mut_slice()[i] += by;
            loss(&x).item()
        };
        let difference = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        assert!((gradient[[i]] - difference).abs() < 1e-5 * (1.0 + difference.abs()));
    }
}

#[test]
fn whisper() {
    let case = read("sound");
    let filters: Tensor<shape![201, 80], f64> = mel_filters(shape![201, 80], 16_000.0);
    let some = Tensor::<shape![9, 4], f64>::from_fn(|[bin, band]| filters[[25 * bin, 20 * band]]);
    case.check("filters", &some);

    let mel: WhisperMel<D<80>, f64> = WhisperMel::whisper();
    let picture: Tensor<shape![80, 10], f64> = mel.forward(&sound());
    let bands = Tensor::<shape![9, 10], f64>::from_fn(|[band, frame]| picture[[9 * band, frame]]);
    case.check("mel", &bands);
    // Each sound of a batch by itself, and in `f32`.
    let louder = Tensor::stack_all::<0, D<2>>([&sound(), &(sound() * 10.0)]);
    let both: Tensor<shape![2, 80, Frames], f64> = mel.forward(&louder);
    assert!(both.index::<0>(0).rename_axis::<1, D<10>>().all_close(&picture, 1e-12, 1e-12));
    let single: Tensor<shape![80, 10]> = WhisperMel::<D<80>>::whisper().forward(&sound().cast());
    assert!(single.cast::<f64>().all_close(&picture, 1e-4, 1e-4));
}
