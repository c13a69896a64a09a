//! Functions of sounds, and samplers.

use tensor_core::random::Generator;
use tensor_core::{Float, Padding, Tensor, axis, shape};
use tensor_nn::audio::{LogMel, Stft, mel_filters};
use tensor_nn::sampling::Sampler;

use super::D;
use super::check::{Check, Expected, numbers};

axis!(Frames);

pub fn cases<T: Float>(check: &mut Check) {
    let sound = numbers::<shape![2, 64], T>();
    let stft: Stft<D<8>, D<5>, T> = Stft::hann(4);
    check.case("audio::forward Stft", sound.clone(), |x| stft.forward::<Frames, _, _>(x));
    let centred = stft.clone().centred(Padding::Constant(T::ZERO));
    check.case("audio::forward Stft", sound.clone(), |x| centred.forward::<Frames, _, _>(x));
    let not_centred = stft.clone().not_centred();
    check.case("audio::forward Stft", sound.clone(), |x| not_centred.forward::<Frames, _, _>(x));
    let window = numbers::<shape![8], f64>();
    let other: Stft<D<8>, D<5>, T> = Stft::with_window(&window, 3);
    check.case("audio::power", sound.clone(), |x| other.power::<Frames, _, _>(x));
    let filters = mel_filters(shape![5, 3], 16_000.0);
    let mel: LogMel<D<3>, D<8>, D<5>, T> = LogMel { stft, filters };
    check.case("audio::forward LogMel", sound, |x| -> Tensor<shape![2, 3, Frames], T> {
        mel.forward(x)
    });

    let logits = numbers::<shape![3, 21], T>();
    macro_rules! samplers {
        ($($name:literal $sampler:expr;)*) => {$(
            let name = concat!("sampling::probabilities ", $name);
            // A call returns an error where a program has NaN.
            check.case_of(Expected::BitsWithoutGradients, name, logits.clone(), |x| {
                $sampler.probabilities(x).unwrap_or_else(|_| x * T::from_f64(f64::NAN))
            });
        )*};
    }
    samplers! {
        "greedy" Sampler::greedy();
        "warm" Sampler::new().temperature(0.7);
        "top k" Sampler::new().top_k(5);
        "top p" Sampler::new().top_p(0.6);
        "top k and p" Sampler::new().temperature(0.7).top_k(9).top_p(0.6);
    }
    check.case("sampling::sample greedy", logits.clone(), |x| {
        Sampler::greedy().sample(x, &mut Generator::seed(1)).unwrap_or_else(|_| Tensor::zeros())
    });
    // A row without probabilities has the first token.
    let step = Tensor::<shape![], i64>::scalar(3);
    check.case("sampling::sample warm", (step, logits), |(step, x)| {
        let sampler = Sampler::new().temperature(0.7).top_p(0.6);
        sampler.sample(x, &mut Generator::at(1, step)).unwrap_or_else(|_| Tensor::zeros())
    });
}
