//! The network: convolutions over the magnitudes of a spectrum, and a recurrent layer.

use tensor_core::{Padding, Tensor, axis, dim, shape};
use tensor_nn::Module;
use tensor_nn::layers::{Conv1d, LstmCell, LstmState, NoBias, Options1d, Same1d};

axis!(
    /// The frequencies of a frame.
    pub Frequency = 129
);
axis!(
    /// The recurrent state of the model.
    pub Hidden = 128
);

/// The state of the recurrent layer.
pub type State = LstmState<shape![], Hidden>;

/// The model.
#[derive(Clone, Debug, Module)]
pub struct SileroVad {
    pub(crate) stft: Conv1d<dim!(1), dim!(258), dim!(256), Options1d<128>, f32, NoBias>,
    pub(crate) encoder: (
        Conv1d<Frequency, Hidden, dim!(3), Same1d>,
        Conv1d<Hidden, dim!(64), dim!(3), Options1d<2, 1>>,
        Conv1d<dim!(64), dim!(64), dim!(3), Options1d<2, 1>>,
        Conv1d<dim!(64), Hidden, dim!(3), Same1d>,
    ),
    pub(crate) lstm: LstmCell<Hidden, Hidden>,
    pub(crate) score: Conv1d<Hidden, dim!(1), dim!(1)>,
}

impl SileroVad {
    /// The probability that somebody speaks in a window, after the last samples before it, and the next state.
    pub fn probability(
        &self,
        sound: &Tensor<shape![576]>,
        state: &State,
    ) -> (Tensor<shape![]>, State) {
        let sound: Tensor<shape![640]> = sound.pad::<shape![0], shape![64]>(Padding::Reflect);
        // The real parts of four spectra, then the imaginary ones.
        let waves: Tensor<shape![258, 4]> = self.stft.forward(&sound.unsqueeze::<0>());
        let parts: Tensor<shape![2, Frequency, 4]> = waves.unflatten::<0, shape![2, Frequency]>();
        let magnitude: Tensor<shape![Frequency, 4]> = parts.norm_axis::<0>();
        let x: Tensor<shape![Hidden, 4]> = self.encoder.0.forward(&magnitude).relu();
        let x: Tensor<shape![64, 2]> = self.encoder.1.forward(&x).relu();
        let x: Tensor<shape![64, 1]> = self.encoder.2.forward(&x).relu();
        let x: Tensor<shape![Hidden, 1]> = self.encoder.3.forward(&x).relu();
        let state = self.lstm.step(&x.squeeze::<1>(), state);
        let score = self.score.forward(&state.hidden.relu().unsqueeze::<1>());
        (score.sigmoid().sum(), state)
    }
}
