//! The models whose files are compared with the kernels.

use tensor_core::autograd::value_and_grad;
use tensor_core::random::Generator;
use tensor_core::trace::{cond, scan};
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{Conv1d, Gru, Linear, LstmCell, Pass};

#[path = "../../examples/digits_cnn/reader.rs"]
#[expect(dead_code, reason = "what reads the data of the example")]
mod reader;
#[path = "../../examples/vad/model.rs"]
mod vad;

use reader::{Batch, Reader};

/// The number of a black pixel in the data of `digits_cnn`.
const INK: u8 = 16;

axis!(Time = 20);

/// What is done with each model.
pub trait Visit {
    /// Takes a function of some inputs.
    fn visit<I: Module + Clone, O: Module + Clone>(
        &mut self,
        name: &str,
        inputs: &I,
        function: impl Fn(&I) -> O,
    );
}

/// The models, whose weights are constants.
pub fn each(visit: &mut impl Visit) {
    let rng = &mut Generator::seed(42);
    let first: Linear<dim!(64), dim!(32)> = Linear::new(rng);
    let second: Linear<dim!(32), dim!(10)> = Linear::new(rng);
    let x = rng.normal::<shape![1, 64], f32>(0.0, 1.0);
    visit.visit("mlp", &x, |x| second.forward(&first.forward(x).relu()).softmax::<-1>());

    let digits = Reader::new(rng);
    let image =
        rng.uniform_shaped::<shape![Batch, 1, 8, 8], f32>(shape![Batch(1), 1, 8, 8], 0.0, 1.0);
    visit.visit("digits_cnn", &image, |image| digits.scores(image, &mut Pass::eval()));

    let gru: Gru<dim!(16), dim!(32)> = Gru::new(rng);
    let sounds = rng.normal::<shape![Time, 16], f32>(0.0, 1.0);
    visit.visit("gru", &sounds, |sounds| gru.forward(sounds, &mut Pass::eval()).0);

    let weights = rng.normal::<shape![32, 32], f32>(0.0, 0.1);
    let start = rng.normal::<shape![32], f32>(0.0, 1.0);
    let steps = rng.normal::<shape![Time, 32], f32>(0.0, 1.0);
    // Two states that change places.
    let states = |(start, steps): &(Tensor<shape![32]>, Tensor<shape![Time, 32]>)| {
        let first = (start.clone(), start * 0.5);
        scan(&first, steps, |(a, b), step| {
            let next = (a.dot(&weights) + step).tanh();
            ((b.clone(), next.clone()), next * 2.0)
        })
    };
    let inputs = (start.clone(), steps);
    visit.visit("scan", &inputs, states);
    visit.visit("scan_gradient", &inputs, |inputs| {
        value_and_grad(inputs, |inputs| states(inputs).1.square().mean())
    });
    visit.visit("cond", &(start, weights), |(x, weights)| {
        let x = cond(&x.sum().greater(0.0), x, |x| x.exp() + 1.0, |x| -x);
        x.dot(weights)
    });

    let vad = vad::SileroVad {
        stft: Conv1d::without_bias(rng),
        encoder: (Conv1d::new(rng), Conv1d::new(rng), Conv1d::new(rng), Conv1d::new(rng)),
        lstm: LstmCell::new(rng),
        score: Conv1d::new(rng),
    };
    let sound = rng.normal::<shape![576], f32>(0.0, 0.3);
    let state = vad.lstm.first_state(shape![]);
    visit.visit("silero_vad", &(sound, state), |(sound, state)| vad.probability(sound, state));
}
