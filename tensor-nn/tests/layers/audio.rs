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

/// PyTorch's `center=False` and `pad_mode="constant"`, and sound that is too short.
#[test]
fn padding_and_short_sound() {
    use tensor_core::Padding;

    let x = sound().slice_axis::<0, D<64>>(0..64);
    let stft: Stft<D<16>, D<9>, f64> = Stft::hann(5);
    let (inner, _) = stft.clone().not_centred().forward::<Frames, _, _>(&x);
    assert_eq!(inner.sizes()[..], [(64 - 16) / 5 + 1, 9]);
    // The frames of the sound that follow its first eight samples begin in it.
    let (all, _) = stft.forward::<Frames, _, _>(&x.slice_axis::<0, D<56>>(8..64));
    let (later, _) = stft.clone().not_centred().forward::<Frames, _, _>(&x);
    assert!(later.index::<0>(2).all_close(&all.index::<0>(2), 1e-9, 1e-9));
    let zeros = stft.clone().centred(Padding::Constant(0.0));
    let padded = x.pad_as::<0, Samples>([8, 8], Padding::Constant(0.0));
    let (expected, _) = stft.clone().not_centred().forward::<Frames, _, _>(&padded);
    assert_eq!(zeros.forward::<Frames, _, _>(&x).0, expected);
    assert_eq!(zeros.forward::<Frames, _, _>(&Tensor::<shape![3], f64>::ones()).0.sizes()[0], 1);

    let message = |stft: &Stft<D<16>, D<9>, f64>, samples: usize| {
        let x = Tensor::<shape![Samples], f64>::ones_shaped(shape![Samples(samples)]);
        let caught = std::panic::catch_unwind(|| stft.power::<Frames, _, _>(&x)).unwrap_err();
        *caught.downcast::<String>().unwrap()
    };
    let reflected = message(&stft, 8);
    assert!(
        reflected.starts_with("a sound of 8 samples is too short for a window of 16"),
        "{reflected}"
    );
    assert!(reflected.contains("`centred(Padding::Constant(0.0))`"));
    assert!(message(&stft.clone().not_centred(), 15).contains("at least as many"));
    let x = Tensor::<shape![Samples], f64>::ones_shaped(shape![Samples(159)]);
    let mel: WhisperMel<D<80>, f64> = WhisperMel::whisper();
    let caught = std::panic::catch_unwind(|| mel.forward::<Frames, _, _>(&x)).unwrap_err();
    assert!(caught.downcast::<String>().unwrap().contains("samples"));
}

/// Powers below the smallest `f16` and above the largest one.
#[test]
fn whisper_of_16_bits() {
    let mel: WhisperMel<D<80>, half::f16> = WhisperMel::whisper();
    for factor in [1.0, 1000.0] {
        let sound = sound() * factor;
        let expected: Tensor<shape![80, 10], f64> =
            WhisperMel::<D<80>, f64>::whisper().forward(&sound);
        let found: Tensor<shape![80, 10], half::f16> = mel.forward(&sound.cast());
        // The window is rounded to 16 bits, which is noise 70 dB below the loudest band.
        let difference = (found.cast::<f64>() - expected).abs();
        assert!(difference.mean().item() < 0.1 && difference.max().item() < 0.4, "{difference}");
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
