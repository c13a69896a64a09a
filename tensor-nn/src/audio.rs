//! Sound as pictures: the short-time Fourier transform, and Whisper's log-mel spectrogram.
//!
//! Both are matrix products, with gradients, over any leading axes.
//!
//! ```
//! use tensor_core::{Tensor, axis, dim, shape};
//! use tensor_nn::audio::WhisperMel;
//!
//! axis!(Samples);
//! axis!(Frames);
//! // A second of sound at 16,000 Hz, as a batch of one.
//! let sound: Tensor<shape![1, Samples]> = Tensor::ones_shaped(shape![1, Samples(16_000)]);
//! let mel: WhisperMel<dim!(80)> = WhisperMel::whisper();
//! let picture: Tensor<shape![1, 80, Frames]> = mel.forward(&sound);
//! assert_eq!(picture.shape(), shape![1, 80, Frames(100)]);
//! ```

use core::f64::consts::TAU;

use tensor_core::arithmetic::{AddSizes, DivSizes};
use tensor_core::element::Number;
use tensor_core::precision::autocast;
use tensor_core::{
    Axis, Element, Float, One, Padding, Shape, StaticAxis, Tensor, axis, dim, shape, shapes,
};

use crate::layers::NoWidth;
use crate::numbers::positive;

axis!(Padded);
axis!(AllFrames);

/// A window of samples that has `F` frequencies: `f = w / 2 + 1`.
///
/// ```
/// use tensor_core::{StaticAxis, dim};
/// use tensor_nn::audio::{HasFrequencies, Stft};
///
/// fn stft<W: StaticAxis + HasFrequencies<dim!(201)>>() -> Stft<W, dim!(201)> {
///     Stft::hann(160)
/// }
///
/// let stft = stft::<dim!(400)>();
/// # let _ = stft;
/// ```
#[diagnostic::on_unimplemented(
    message = "a window of `{Self}` samples does not have `{F}` frequencies, as far as is known here",
    label = "a window of `w` samples has `w / 2 + 1` frequencies",
    note = "a window of 400 has 201; in generic code, add the bound `{Self}: HasFrequencies<{F}>` [N110]"
)]
pub trait HasFrequencies<F>: StaticAxis {}

impl<W: StaticAxis, F> HasFrequencies<F> for W where (W,): FrequenciesOf<F> {}

/// The implementation of [`HasFrequencies`], whose single blanket impl keeps messages from listing
/// impls.
#[cfg_attr(doc, doc(hidden))]
pub trait FrequenciesOf<F> {}

impl<W, F, N> FrequenciesOf<F> for (W,)
where
    W: DivSizes<dim!(2), Output: AddSizes<One, Output = N>>,
    F: StaticAxis,
    N: SameFrequencies<F::Size, W>,
{
}

/// The number of frequencies of a window, which must be the size of the axis.
#[diagnostic::on_unimplemented(
    message = "a window of `{W}` samples does not have `{F}` frequencies",
    label = "a window of `w` samples has `w / 2 + 1` frequencies",
    note = "a window of 400 has 201; in generic code, the bound is `W: HasFrequencies<F>` [N110]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait SameFrequencies<F, W> {}

#[diagnostic::do_not_recommend]
impl<F: StaticAxis, W> SameFrequencies<F, W> for F {}

/// A second impl, so that the compiler does not explain the first one.
#[diagnostic::do_not_recommend]
impl<F: StaticAxis, W> SameFrequencies<NoWidth, W> for F {}

/// The short-time Fourier transform with windows of `W` samples, `w / 2 + 1 = f` frequencies:
/// `[..lead, samples] → [..lead, frames, f]`. PyTorch's `torch.stft`, whose complex numbers are two tensors here, the real
/// and the imaginary parts.
///
/// The sound is padded with its reflection, so that frame `i` is centred at sample `i · hop`, as with `center=True`, which
/// takes sound of more than half a window. [`centred`](Self::centred) pads with something else, and
/// [`not_centred`](Self::not_centred) not at all. 16-bit floats are computed in `f32`.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, shape};
/// use tensor_nn::audio::Stft;
///
/// axis!(Frames);
/// let stft: Stft<dim!(400), dim!(201)> = Stft::hann(160);
/// // 1,000 Hz at 16,000 samples per second: frequency 25 of 40 Hz each.
/// let sound = Tensor::<shape![16_000]>::arange() * (core::f32::consts::TAU / 16.0);
/// let power: Tensor<shape![Frames, 201]> = stft.power(&sound.sin());
/// assert_eq!(power.shape(), shape![Frames(101), 201]);
/// assert_eq!(power.index::<0>(50).argmax().item(), 25);
/// ```
#[doc(alias = "spectrogram")]
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct Stft<W: Axis, F: Axis, T: Element = f32> {
    /// The window times the cosine of each frequency.
    cos: Tensor<shape![W, F], T>,
    /// The window times the negative sine.
    sin: Tensor<shape![W, F], T>,
    /// The samples from one frame to the next.
    hop: usize,
    /// What is beyond the ends of the sound; `None` if windows stay within it.
    padding: Option<Padding<T>>,
}

#[tensor_core::diagnostics::bounds_without_source]
impl<W: Axis, F: Axis, T: Float> Stft<W, F, T> {
    /// A transform with a periodic Hann window and this many samples from one frame to the next.
    ///
    /// # Panics
    ///
    /// If the number of samples is 0.
    ///
    /// ```
    /// use tensor_core::dim;
    /// use tensor_nn::audio::Stft;
    ///
    /// let stft: Stft<dim!(400), dim!(201)> = Stft::hann(160);
    /// # let _ = stft;
    /// ```
    #[doc(alias = "hann_window")]
    #[track_caller]
    pub fn hann(hop: usize) -> Self
    where
        W: HasFrequencies<F>,
        F: StaticAxis,
    {
        let samples = W::VALUE.size() as f64;
        let window = |[sample]: [usize; 1]| 0.5 - 0.5 * (TAU * sample as f64 / samples).cos();
        Self::with_window(&Tensor::from_fn_shaped(((), W::VALUE), window), hop)
    }

    /// A transform with another window.
    ///
    /// # Panics
    ///
    /// If the number of samples from one frame to the next is 0.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim, shape};
    /// use tensor_nn::audio::Stft;
    ///
    /// let stft: Stft<dim!(400), dim!(201)> = Stft::with_window(&Tensor::ones(), 160);
    /// # let _ = stft;
    /// ```
    #[track_caller]
    pub fn with_window(window: &Tensor<shape![W], f64>, hop: usize) -> Self
    where
        W: HasFrequencies<F>,
        F: StaticAxis,
    {
        assert!(
            hop > 0,
            "a frame begins 0 samples after the one before, and must begin at least 1"
        );
        let shape = (((), W::VALUE), F::VALUE);
        let samples = W::VALUE.size();
        let angle = |sample: usize, frequency: usize| {
            // Whole turns are taken off, so that the angle is exact.
            TAU * (sample * frequency % samples) as f64 / samples as f64
        };
        let of = |function: fn(f64) -> f64| {
            let element = |[sample, frequency]: [usize; 2]| {
                T::from_f64(window[[sample]] * function(angle(sample, frequency)))
            };
            Tensor::from_fn_shaped(shape, element)
        };
        let padding = Some(Padding::Reflect);
        Self { cos: of(f64::cos), sin: of(|angle| -angle.sin()), hop, padding }
    }

    /// The transform with other padding by half a window on each side: PyTorch's `pad_mode`, of which `"constant"` is
    /// `Padding::Constant(0.0)`. It takes sound of any length, [`Padding::Reflect`] and others more than half a window.
    ///
    /// ```
    /// use tensor_core::{Padding, Tensor, axis, dim, shape};
    /// use tensor_nn::audio::Stft;
    ///
    /// axis!(Frames);
    /// let stft: Stft<dim!(400), dim!(201)> = Stft::hann(160).centred(Padding::Constant(0.0));
    /// let power: Tensor<shape![Frames, 201]> = stft.power(&Tensor::<shape![100]>::ones());
    /// assert_eq!(power.shape(), shape![Frames(1), 201]);
    /// ```
    #[doc(alias = "pad_mode")]
    #[must_use]
    pub fn centred(self, padding: Padding<T>) -> Self {
        Self { padding: Some(padding), ..self }
    }

    /// The transform without padding, whose frame `i` begins at sample `i · hop`: PyTorch's `center=False`. There are
    /// `(samples - w) / hop + 1` frames.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::audio::Stft;
    ///
    /// axis!(Frames);
    /// let stft: Stft<dim!(400), dim!(201)> = Stft::hann(160).not_centred();
    /// let power: Tensor<shape![Frames, 201]> = stft.power(&Tensor::<shape![800]>::ones());
    /// assert_eq!(power.shape(), shape![Frames(3), 201]);
    /// ```
    #[doc(alias = "center")]
    #[must_use]
    pub fn not_centred(self) -> Self {
        Self { padding: None, ..self }
    }

    /// The real and the imaginary parts: `[..lead, samples] → [..lead, frames, f]`, twice. There are
    /// `samples / hop + 1` frames, unless the transform is [not centred](Self::not_centred).
    ///
    /// # Panics
    ///
    /// If the sound is too short: half a window or less if it is padded with its own samples, less than a window if it is
    /// not padded. If `Frames` is static and has another size.
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::audio::Stft;
    ///
    /// axis!(Frames);
    /// let stft: Stft<dim!(4), dim!(3)> = Stft::with_window(&Tensor::ones(), 2);
    /// let (real, imaginary) = stft.forward::<Frames, _, _>(&Tensor::<shape![8]>::ones());
    /// assert_eq!(real.index::<0>(1).to_vec()[0], 4.0);
    /// assert_eq!(imaginary.shape(), shape![Frames(5), 3]);
    /// ```
    #[track_caller]
    pub fn forward<Frames: Axis, Lead: Shape, N: Axis>(
        &self,
        samples: &Tensor<shape![Lead.., N], T>,
    ) -> (Tensor<shape![Lead.., Frames, F], T>, Tensor<shape![Lead.., Frames, F], T>)
    where
        W: StaticAxis,
    {
        let (real, imaginary) = self.wide::<Frames, Lead, N>(samples);
        (real.cast::<T>(), imaginary.cast::<T>())
    }

    /// The implementation of [`forward`](Self::forward), in `f32` for 16-bit floats.
    #[track_caller]
    fn wide<Frames: Axis, Lead: Shape, N: Axis>(
        &self,
        samples: &Tensor<shape![Lead.., N], T>,
    ) -> (Tensor<shape![Lead.., Frames, F], T::Wide>, Tensor<shape![Lead.., Frames, F], T::Wide>)
    where
        W: StaticAxis,
    {
        let (window, (_, count)) = (W::VALUE.size(), samples.shape());
        let (half, count) = (window / 2, count.size());
        let padding = self.padding.unwrap_or(Padding::Constant(T::ZERO));
        let is_long = match self.padding {
            Some(Padding::Constant(_)) => true,
            Some(Padding::Edge) => count > 0,
            Some(_) => count > half,
            None => count >= window,
        };
        assert!(
            is_long,
            "a sound of {count} samples is too short for a window of {window}: {}",
            match self.padding {
                None => "without padding it has at least as many",
                Some(_) =>
                    "padded with its own samples it has more than half of them; \
                    `centred(Padding::Constant(0.0))` pads with zeros",
            }
        );
        let half = self.padding.map_or(0, |_| half as isize);
        let padded = samples.pad_as::<-1, Padded>([half, half], padding).cast::<T::Wide>();
        let frames: Tensor<shape![Lead.., Frames, W], T::Wide> =
            padded.windows_as::<-1, Frames, W>(self.hop);
        autocast::<f32, _>(|| (frames.dot(&self.cos.cast()), frames.dot(&self.sin.cast())))
    }

    /// The squares of the absolute values, `[..lead, samples] → [..lead, frames, f]`.
    ///
    /// # Panics
    ///
    /// As [`forward`](Self::forward).
    ///
    /// ```
    /// use tensor_core::{Tensor, axis, dim, shape};
    /// use tensor_nn::audio::Stft;
    ///
    /// axis!(Frames);
    /// let stft: Stft<dim!(4), dim!(3)> = Stft::with_window(&Tensor::ones(), 2);
    /// let power: Tensor<shape![Frames, 3]> = stft.power(&Tensor::<shape![8]>::ones());
    /// assert_eq!(power[[2, 0]], 16.0);
    /// ```
    #[track_caller]
    pub fn power<Frames: Axis, Lead: Shape, N: Axis>(
        &self,
        samples: &Tensor<shape![Lead.., N], T>,
    ) -> Tensor<shape![Lead.., Frames, F], T>
    where
        W: StaticAxis,
    {
        let (real, imaginary) = self.wide::<Frames, Lead, N>(samples);
        (real.square() + imaginary.square()).cast::<T>()
    }
}

/// Triangular filters of `M` mel bands over `F` frequencies, `[f, m]`, with areas of 1: `librosa.filters.mel`
/// with its defaults, Slaney's scale and norm.
///
/// # Panics
///
/// If the sample rate is not finite and larger than 0.
///
/// ```
/// use tensor_core::{Tensor, shape};
/// use tensor_nn::audio::mel_filters;
///
/// let filters: Tensor<shape![201, 80]> = mel_filters(shape![201, 80], 16_000.0);
/// assert_eq!(filters[[0, 0]], 0.0);
/// assert!(filters.min().item() >= 0.0 && filters.max().item() > 0.02);
/// ```
#[doc(alias = "mel_filter_bank")]
#[track_caller]
pub fn mel_filters<F: Axis, M: Axis, T: Float>(
    shape: shape![F, M],
    sample_rate: f64,
) -> Tensor<shape![F, M], T> {
    positive("the sample rate", sample_rate);
    let (((), frequencies), bands) = shape;
    let nyquist = sample_rate / 2.0;
    let step = hertz_to_mel(nyquist) / (bands.size() + 1) as f64;
    let edges: Vec<f64> =
        (0..bands.size() + 2).map(|edge| mel_to_hertz(edge as f64 * step)).collect();
    let per_bin = nyquist / frequencies.size().saturating_sub(1).max(1) as f64;
    Tensor::from_fn_shaped(shape, |[bin, band]: [usize; 2]| {
        let hertz = bin as f64 * per_bin;
        let [low, centre, high] = [edges[band], edges[band + 1], edges[band + 2]];
        let height = ((hertz - low) / (centre - low)).min((high - hertz) / (high - centre));
        T::from_f64(height.max(0.0) * 2.0 / (high - low))
    })
}

/// Slaney's mel scale: linear up to 1,000 Hz, logarithmic above.
fn hertz_to_mel(hertz: f64) -> f64 {
    if hertz < 1000.0 {
        hertz * 3.0 / 200.0
    } else {
        15.0 + (hertz / 1000.0).ln() * 27.0 / 6.4_f64.ln()
    }
}

fn mel_to_hertz(mel: f64) -> f64 {
    if mel < 15.0 { mel * 200.0 / 3.0 } else { 1000.0 * ((mel - 15.0) * 6.4_f64.ln() / 27.0).exp() }
}

/// The logarithms of the power in `M` mel bands, `[..lead, samples] → [..lead, m, frames]`.
///
/// [`WhisperMel::whisper`](LogMel::whisper) has Whisper's numbers.
///
/// ```
/// use tensor_core::{Tensor, axis, dim, shape};
/// use tensor_nn::audio::WhisperMel;
///
/// axis!(Frames);
/// let mel: WhisperMel<dim!(80)> = WhisperMel::whisper();
/// let silence: Tensor<shape![80, Frames]> = mel.forward(&Tensor::<shape![4800]>::zeros());
/// assert_eq!(silence.shape(), shape![80, Frames(30)]);
/// assert_eq!(silence[[0, 0]], (-10.0 + 4.0) / 4.0);
/// ```
#[doc(alias = "MelSpectrogram")]
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct LogMel<M: Axis, W: Axis, F: Axis, T: Element = f32> {
    /// The transform of the sound.
    pub stft: Stft<W, F, T>,
    /// The filters of the mel bands.
    pub filters: Tensor<shape![F, M], T>,
}

/// Whisper's spectrogram: windows of 400 samples, 80 bands for all models but the newest, which have 128.
///
/// ```
/// use tensor_core::dim;
/// use tensor_nn::audio::WhisperMel;
///
/// let mel: WhisperMel<dim!(128)> = WhisperMel::whisper();
/// # let _ = mel;
/// ```
pub type WhisperMel<M = dim!(80), T = f32> = LogMel<M, dim!(400), dim!(201), T>;

impl<M: Axis, T: Float> LogMel<M, dim!(400), dim!(201), T> {
    /// Whisper's numbers: 16,000 samples per second, windows of 400 with 160 from one to the next.
    ///
    /// ```
    /// use tensor_nn::audio::WhisperMel;
    ///
    /// let mel = <WhisperMel>::whisper();
    /// assert_eq!(mel.filters.sizes()[..], [201, 80]);
    /// ```
    pub fn whisper() -> Self
    where
        M: StaticAxis,
    {
        let shape = (((), <dim!(201)>::VALUE), M::VALUE);
        Self { stft: Stft::hann(160), filters: mel_filters(shape, 16_000.0) }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<M: Axis, W: Axis, F: Axis, T: Float> LogMel<M, W, F, T> {
    /// The spectrogram, as Whisper's models take it: `[..lead, samples] → [..lead, m, frames]` with `samples / hop`
    /// frames.
    ///
    /// Powers are at least 1e-10, their decimal logarithms at least the largest of the sound less 8, and the results
    /// `(x + 4) / 4`. The last frame, which is centred at the end, is left out.
    ///
    /// # Panics
    ///
    /// If the sound is too short, as in [`Stft::forward`], or has no frame but the last; or if `Frames` is static and has
    /// another size. Whisper's own function pads sound to 30 seconds, 480,000 samples, first.
    ///
    /// ```
    /// use tensor_core::{Tensor, shape};
    /// use tensor_nn::audio::WhisperMel;
    ///
    /// // The 30 seconds that Whisper hears at once: the number of frames is static, too.
    /// let sound = Tensor::<shape![480_000]>::zeros();
    /// let picture: Tensor<shape![80, 3000]> = <WhisperMel>::whisper().forward(&sound);
    /// assert_eq!(picture[[0, 0]], -1.5);
    /// ```
    #[doc(alias = "log_mel_spectrogram")]
    #[track_caller]
    pub fn forward<Frames: Axis, Lead: Shape, N: Axis>(
        &self,
        samples: &Tensor<shape![Lead.., N], T>,
    ) -> Tensor<shape![Lead.., M, Frames], T>
    where
        W: StaticAxis,
    {
        let (real, imaginary) = self.stft.wide::<AllFrames, Lead, N>(samples);
        let power = real.square() + imaginary.square();
        let ((_, frames), _) = power.shape();
        let count = frames.size() - 1;
        assert!(
            count > 0,
            "the only frame of the sound is the last one, which is left out: it takes at least {} samples",
            self.stft.hop
        );
        let power: Tensor<shape![Lead.., Frames, F], T::Wide> =
            power.slice_axis::<-2, Frames>(0..count);
        let [smallest, eight, four, quarter] = [1e-10, 8.0, 4.0, 0.25].map(T::Wide::from_f64);
        let bands = autocast::<f32, _>(|| power.dot(&self.filters.cast()));
        let log = bands.maximum(smallest).log10().swap_axes::<-2, -1>();
        let largest = log.max_axis_keepdims::<-1>().max_axis_keepdims::<-2>();
        ((log.maximum(largest - eight) + four) * quarter).cast::<T>()
    }
}
