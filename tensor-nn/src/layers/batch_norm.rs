//! Batch normalisation.

use core::any::Any;
use core::sync::atomic::{AtomicU64, Ordering};

use tensor_core::element::{CastTo, Number};
use tensor_core::module::{
    Facts, ModeVisitor, Module, ModuleTree, Path, Role, StaticModule, TensorReader, TrainingMode,
    Visitor, VisitorMut, WalkShapes,
};
use tensor_core::{
    Axis, DynTensor, Element, Float, IntoTensor, Shape, StaticShape, Tensor, shape, shapes,
};

use super::input::{
    AxisOfInput, ChannelSequenceOf, ChannelsOf, ImageOf, InList, InListOfChannels, LayerTakes,
    OutputOf, TakesChannelsOf, WithAxis, WithChannels, same, same_value,
};
use super::layer::no_input;
use super::normalization::{
    checked, per_channel, per_channel_of_images, per_channel_of_sequences, with_epsilon,
};
use super::{Layer, Pass};
use crate::numbers::share;

/// [`BatchNorm`] of a batch `[n, c]`, or of a batch of sequences `[n, c, l]`, as PyTorch's `nn.BatchNorm1d`: the channels
/// are axis 1, and each is normalised over `n`, or over `n` and `l`.
///
/// [`BatchNorm<C, f32, -1>`](BatchNorm) normalises the last axis of any shape, `[..lead, c]`.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::{BatchNorm1d, Pass};
///
/// let layer: BatchNorm1d<dim!(128)> = BatchNorm1d::new();
/// let y = layer.forward(&Tensor::<shape![32, 128]>::zeros(), &mut Pass::eval());
/// assert_eq!(y, Tensor::zeros());
/// let y = layer.forward(&Tensor::<shape![32, 128, 50]>::zeros(), &mut Pass::eval());
/// assert_eq!(y, Tensor::zeros());
/// ```
pub type BatchNorm1d<C, T = f32> = BatchNorm<C, T, 1>;

/// [`BatchNorm`] of images `[..lead, c, h, w]`.
///
/// ```
/// use tensor_core::{Tensor, dim, shape};
/// use tensor_nn::layers::{BatchNorm2d, Pass};
///
/// let layer: BatchNorm2d<dim!(16)> = BatchNorm2d::new();
/// let y = layer.forward(&Tensor::<shape![32, 16, 7, 7]>::zeros(), &mut Pass::eval());
/// assert_eq!(y, Tensor::zeros());
/// ```
pub type BatchNorm2d<C, T = f32> = BatchNorm<C, T, -3>;

/// Normalises each channel over the whole batch, then `· weight + bias`: `[..lead, c, h, w]`, the same.
/// PyTorch's `nn.BatchNorm1d` and `nn.BatchNorm2d`.
///
/// The channels are axis `AXIS`:
///
/// | `AXIS` | inputs |
/// | --- | --- |
/// | 1: [`BatchNorm1d`] | `[n, c]` and `[n, c, l]` |
/// | -1 | `[..lead, c]` |
/// | -2 | sequences `[..lead, c, n]` |
/// | -3: [`BatchNorm2d`], the default | images `[..lead, c, h, w]` |
///
/// The statistics of 16-bit floats are computed in `f32`.
///
/// Source: Ioffe and Szegedy, "Batch normalization", 2015.
///
/// # Training and use
///
/// In training, channels are normalised by the mean and the variance of the batch; otherwise
/// by running means of both. A pass through a model does not change the model: the [`Pass`] keeps
/// the statistics of the batch, and [`Pass::update`] passes them to all layers of the model, after the
/// step of the optimiser.
///
/// ```
/// use tensor_core::{dim, random::Generator, tensor};
/// use tensor_nn::layers::{BatchNorm1d, Pass};
///
/// let mut layer: BatchNorm1d<dim!(1)> = BatchNorm1d::new();
/// let mut pass = Pass::training(&mut Generator::seed(42));
/// let y = layer.forward(&tensor![[1.0], [3.0]], &mut pass);
/// assert_eq!(y.mean().item(), 0.0);
/// assert_eq!(layer.running_mean, tensor![0.0]);
///
/// pass.update(&mut layer);
/// assert_eq!(layer.running_mean, tensor![0.2]);
/// ```
#[shapes]
#[derive(Clone, Debug)]
pub struct BatchNorm<C: Axis, T: Element = f32, const AXIS: isize = -3> {
    /// The scale of the normalised elements of each channel.
    pub weight: Tensor<shape![C], T>,
    /// The shift of the normalised elements of each channel.
    pub bias: Tensor<shape![C], T>,
    /// The mean of each channel over past batches.
    pub running_mean: Tensor<shape![C], T>,
    /// The unbiased variance of each channel over past batches.
    pub running_var: Tensor<shape![C], T>,
    /// The number of batches in these running means.
    pub num_batches_tracked: Tensor<shape![], i64>,
    /// The weight of a new batch in the running means, from 0 to 1: 0.1 by default.
    pub momentum: f64,
    /// The constant added to variances; finite and at least 0.
    pub epsilon: f64,
    /// Whether the layer takes part in training; if not, it always uses its running means.
    pub training: bool,
    /// The number that identifies this layer to a pass. A clone counts as the same layer.
    number: u64,
}

with_epsilon! {
    [C: Axis, T: Element, const AXIS: isize] BatchNorm<C, T, AXIS>:
        "BatchNorm2d<dim!(64)> = BatchNorm2d::new()";
}

/// The mean and the variance of each channel of a batch.
#[shapes]
#[derive(Clone, Debug, PartialEq)]
pub struct BatchStatistics<C: Axis, T: Element = f32> {
    /// The mean.
    pub mean: Tensor<shape![C], T>,
    /// The unbiased variance, divided by `n - 1`.
    pub variance: Tensor<shape![C], T>,
}

impl<C: Axis, W: Float> BatchStatistics<C, W> {
    /// The statistics of a batch whose channels are axis `channels`.
    #[track_caller]
    fn of<S: Shape, T: Float<Wide = W>>(x: &Tensor<S, T>, channels: usize) -> Self {
        // Statistics are detached: with a gradient they would keep the whole graph alive.
        let (sizes, x) = (x.sizes(), DynTensor::from(x.detach()).cast::<W>());
        let others: Vec<isize> =
            (0..sizes.len()).filter(|&axis| axis != channels).map(|axis| axis as isize).collect();
        let count: usize = others.iter().map(|&axis| sizes[axis as usize]).product();
        assert!(count > 1, "batch normalisation trains on more than one element for each channel");
        let typed = |statistics: Result<DynTensor<W>, _>| {
            let statistics = statistics.expect("all axes but the channels");
            statistics.into_tensor().expect("the channels are left")
        };
        let mean = typed(x.mean_axes(&others));
        let variance = typed(x.var_axes_corrected(&others, 1));
        Self { mean, variance }
    }
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: Axis, T: Element, const AXIS: isize> BatchNorm<C, T, AXIS> {
    /// Initialises weights to 1, biases to 0, running means to 0, running variances to 1, as PyTorch does.
    ///
    /// ```
    /// use tensor_core::{Tensor, dim};
    /// use tensor_nn::layers::BatchNorm2d;
    ///
    /// let layer: BatchNorm2d<dim!(16)> = BatchNorm2d::new();
    /// assert_eq!(layer.running_var, Tensor::ones());
    /// ```
    #[expect(clippy::new_without_default, reason = "two layers are not the same one")]
    pub fn new() -> Self
    where
        shape![C]: StaticShape,
        T: Float,
    {
        Self {
            weight: Tensor::ones(),
            bias: Tensor::zeros(),
            running_mean: Tensor::zeros(),
            running_var: Tensor::ones(),
            num_batches_tracked: Tensor::zeros(),
            momentum: 0.1,
            epsilon: 1e-5,
            training: true,
            number: next_number(),
        }
    }
}

/// The number of the next layer of the program.
fn next_number() -> u64 {
    static LAYERS: AtomicU64 = AtomicU64::new(0);
    LAYERS.fetch_add(1, Ordering::Relaxed)
}

impl<C: Axis, T: Element, const AXIS: isize> BatchNorm<C, T, AXIS> {
    /// Updates the running means from the pass: `running = (1 - momentum) · running + momentum · batch`,
    /// once for each time that the pass went through the layer. [`Pass::update`] does so for a whole model.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator, tensor};
    /// use tensor_nn::layers::{BatchNorm1d, Pass};
    ///
    /// let mut layer: BatchNorm1d<dim!(1)> = BatchNorm1d::new();
    /// let mut pass = Pass::training(&mut Generator::seed(42));
    /// layer.forward(&tensor![[1.0], [3.0]], &mut pass);
    /// layer.update(&mut pass);
    /// layer.update(&mut pass);
    /// assert_eq!(layer.num_batches_tracked.item(), 1);
    /// ```
    pub fn update(&mut self, pass: &mut Pass) {
        for take_over in pass.take(self.number) {
            take_over(self);
        }
    }

    /// Updates the running means with the statistics of one batch. They are at most the largest number of `T`: a
    /// variance of `f16` can be larger.
    fn take_over(&mut self, BatchStatistics { mean, variance }: BatchStatistics<C, T::Wide>)
    where
        T: Float,
    {
        let [kept, new] = [1.0 - self.momentum, self.momentum].map(T::Wide::from_f64);
        for (running, batch) in [(&mut self.running_mean, mean), (&mut self.running_var, variance)]
        {
            let mixed = running.cast::<T::Wide>() * kept + batch * new;
            *running = mixed.minimum(CastTo::<T::Wide>::to_element(T::MAX)).cast::<T>();
        }
        self.num_batches_tracked += 1;
    }
}

/// Normalises `$x`, whose channels are axis `$AXIS` of `$Channels`.
macro_rules! normalized {
    ($layer:ident $x:ident $pass:ident $OF:literal $AXIS:literal $per_channel:ident $S:ident $Channels:ty) => {{
        let epsilon = checked($layer.epsilon);
        share("the momentum of batch normalisation", $layer.momentum);
        let x = same::<_, Tensor<$Channels, T>>($x);
        let y = if $layer.training && $pass.is_training() {
            let channels = $S::RANK.wrapping_add_signed($AXIS);
            let statistics = BatchStatistics::<C, T::Wide>::of(x, channels);
            $pass.keep($layer.number, |layer: &mut BatchNorm<C, T, $OF>| {
                layer.take_over(statistics)
            });
            x.batch_norm_training::<$AXIS>(epsilon)
        } else {
            x.batch_norm::<$AXIS>(&$layer.running_mean, &$layer.running_var, epsilon)
        };
        same_value($per_channel(y, &$layer.weight, &$layer.bias))
    }};
}

/// Generates `forward` for channels on the last, the second last or the third last axis.
macro_rules! forward_by_axis {
    ($(
        $forward:ident $AXIS:literal $per_channel:ident $shape:literal $example:literal
            $Of:ident [$($Layer:ident)?] $Last:ident $Takes:ident $With:ident $Channels:ty => $Output:ty, in a list $Matches:ident $InList:ident [$($Behind:ident)*];
    )*) => {$(
        #[tensor_core::diagnostics::bounds_without_source]
        impl<C: Axis, T: Float> BatchNorm<C, T, $AXIS> {
            #[doc = concat!("The normalised input, `", $shape, "`, the same.")]
            ///
            /// # Panics
            ///
            /// If a named axis of the channels has another size than in the weight, and in training if
            /// the batch has one element for each channel, which has no variance. If the momentum is not
            /// from 0 to 1, or the epsilon is negative or not finite.
            ///
            /// ```
            /// use tensor_core::{Tensor, dim, random::Generator, shape};
            /// use tensor_nn::layers::{BatchNorm, Pass};
            ///
            #[doc = concat!("let layer: BatchNorm<dim!(4), f32, ", $AXIS, "> = BatchNorm::new();")]
            #[doc = concat!("let x = Tensor::<", $example, ">::ones();")]
            /// let y = layer.forward(&x, &mut Pass::training(&mut Generator::seed(42)));
            /// assert_eq!(y, Tensor::zeros());
            /// ```
            #[track_caller]
            pub fn $forward<S, J>(&self, x: &Tensor<S, T>, pass: &mut Pass) -> Tensor<$With<Self, J, C, $Output>, T>
            where
                S: Shape + $Of<$($Layer,)? $Last = J>,
                Self: $Takes<J, C>,
            {
                normalized!(self x pass $AXIS $AXIS $per_channel S $Channels)
            }
        }

        impl<L: Shape, J: Axis, $($Behind: Axis,)* C: Axis, T: Float>
            Layer<Tensor<shape![L.., J, $($Behind),*], T>> for BatchNorm<C, T, $AXIS>
        where
            (J,): $Matches<J, C>,
        {
            type Output = Tensor<$InList<J, C, shape![L.., C, $($Behind),*]>, T>;

            fn apply(
                &self,
                input: &Tensor<shape![L.., J, $($Behind),*], T>,
                pass: &mut Pass,
            ) -> Self::Output {
                self.forward(same::<_, Tensor<shape![L.., C, $($Behind),*], T>>(input), pass)
            }
        }
    )*};
}

// The method name is passed in here, so that messages do not mention the macro.
forward_by_axis! {
    forward -1 per_channel "[..lead, c]" "shape![3, 4]"
        Shape [] LastAxis LayerTakes WithAxis OutputOf<S, C, C> => OutputOf<S, C, C>, in a list AxisOfInput InList [];
    forward -2 per_channel_of_sequences "[..lead, c, n]" "shape![3, 4, 5]"
        ChannelSequenceOf [C] Channels TakesChannelsOf WithChannels ((S::Lead, C), S::N) => S::Same, in a list ChannelsOf InListOfChannels [N];
    forward -3 per_channel_of_images "[..lead, c, h, w]" "shape![3, 4, 5, 5]"
        ImageOf [C] Channels TakesChannelsOf WithChannels (((S::Lead, C), S::H), S::W) => S::Same, in a list ChannelsOf InListOfChannels [H W];
}

/// The input shapes `[n, c]` and `[n, c, l]` of a layer that takes `c` channels.
#[diagnostic::on_unimplemented(
    message = "the layer takes batches `[n, {C}]` or `[n, {C}, l]`, not shape `{Self}`",
    label = "this layer and its input do not fit",
    note = "`BatchNorm1d<dim!(64)>` takes `[n, 64]` and `[n, 64, l]`, `BatchNorm<dim!(64), f32, -1>` takes `[..lead, 64]`, and `BatchNorm<dim!(64), f32, -2>` takes `[..lead, 64, l]` [N101]"
)]
#[cfg_attr(doc, doc(hidden))]
pub trait BatchOf<C: Axis>: Shape {
    /// The same shape with the channels of the layer.
    type Same: Shape;

    /// The channels.
    type Channels: Axis;

    /// The normalised input.
    #[doc(hidden)]
    #[track_caller]
    fn normalized<T: Float>(
        layer: &BatchNorm<C, T, 1>,
        x: &Tensor<Self, T>,
        pass: &mut Pass,
    ) -> Tensor<Self::Same, T>;
}

/// Implements [`BatchOf`] for a number of axes.
macro_rules! batches {
    ($($AXIS:literal $per_channel:ident [$($Behind:ident)*];)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<N: Axis, J: Axis, $($Behind: Axis,)* C: Axis> BatchOf<C> for shape![N, J, $($Behind),*] {
            type Same = shape![N, C, $($Behind),*];
            type Channels = J;

            fn normalized<T: Float>(
                layer: &BatchNorm<C, T, 1>,
                x: &Tensor<Self, T>,
                pass: &mut Pass,
            ) -> Tensor<Self::Same, T> {
                normalized!(layer x pass 1 $AXIS $per_channel Self shape![N, C, $($Behind),*])
            }
        }

        impl<N: Axis, J: Axis, $($Behind: Axis,)* C: Axis, T: Float>
            Layer<Tensor<shape![N, J, $($Behind),*], T>> for BatchNorm<C, T, 1>
        where
            (J,): ChannelsOf<J, C>,
        {
            type Output = Tensor<InListOfChannels<J, C, shape![N, C, $($Behind),*]>, T>;

            fn apply(
                &self,
                input: &Tensor<shape![N, J, $($Behind),*], T>,
                pass: &mut Pass,
            ) -> Self::Output {
                self.forward(same::<_, Tensor<shape![N, C, $($Behind),*], T>>(input), pass)
            }
        }
    )*};
}

batches! {
    -1 per_channel [];
    -2 per_channel_of_sequences [L];
}

#[tensor_core::diagnostics::bounds_without_source]
impl<C: Axis, T: Float> BatchNorm<C, T, 1> {
    /// The normalised input, `[n, c]` or `[n, c, l]`, the same.
    ///
    /// # Panics
    ///
    /// If a named axis of the channels has another size than in the weight, and in training if
    /// the batch has one element for each channel, which has no variance. If the momentum is not
    /// from 0 to 1, or the epsilon is negative or not finite.
    ///
    /// ```
    /// use tensor_core::{dim, random::Generator, tensor};
    /// use tensor_nn::layers::{BatchNorm1d, Pass};
    ///
    /// let mut layer: BatchNorm1d<dim!(2)> = BatchNorm1d::new();
    /// layer.epsilon = 0.0;
    /// // Channel 0 has 1 and 3, channel 1 has 0 and 20.
    /// let x = tensor![[[1.0, 3.0], [0.0, 20.0]]];
    /// let y = layer.forward(&x, &mut Pass::training(&mut Generator::seed(42)));
    /// assert_eq!(y, tensor![[[-1.0, 1.0], [-1.0, 1.0]]]);
    /// ```
    #[track_caller]
    pub fn forward<S, J>(
        &self,
        x: &Tensor<S, T>,
        pass: &mut Pass,
    ) -> Tensor<WithChannels<Self, J, C, S::Same>, T>
    where
        S: BatchOf<C, Channels = J>,
        Self: TakesChannelsOf<J, C>,
    {
        same_value(S::normalized(self, x, pass))
    }
}

impl<C: Axis, T: Element, const AXIS: isize> Module for BatchNorm<C, T, AXIS> {
    fn visit<'a>(&'a self, path: &Path<'_>, visitor: &mut Visitor<'a, '_>) {
        self.weight.visit(&path.field("weight"), visitor);
        self.bias.visit(&path.field("bias"), visitor);
        visitor(&path.field("running_mean"), Role::Buffer, &self.running_mean);
        visitor(&path.field("running_var"), Role::Buffer, &self.running_var);
        visitor(&path.field("num_batches_tracked"), Role::Buffer, &self.num_batches_tracked);
    }

    fn visit_mut<'a>(&'a mut self, path: &Path<'_>, visitor: &mut VisitorMut<'a, '_>) {
        self.weight.visit_mut(&path.field("weight"), visitor);
        self.bias.visit_mut(&path.field("bias"), visitor);
        visitor(&path.field("running_mean"), Role::Buffer, &mut self.running_mean);
        visitor(&path.field("running_var"), Role::Buffer, &mut self.running_var);
        visitor(&path.field("num_batches_tracked"), Role::Buffer, &mut self.num_batches_tracked);
    }

    fn visit_modes(&mut self, visitor: &mut ModeVisitor<'_>) {
        visitor(self);
    }

    fn from_tensors(path: &Path<'_>, tensors: &mut TensorReader<'_>) -> Option<Self> {
        let weight = Module::from_tensors(&path.field("weight"), tensors);
        let bias = Module::from_tensors(&path.field("bias"), tensors);
        let running_mean = Module::from_tensors(&path.field("running_mean"), tensors);
        let running_var = Module::from_tensors(&path.field("running_var"), tensors);
        // Files of PyTorch before version 0.4.1 have no count, and PyTorch takes 0.
        let count = path.field("num_batches_tracked");
        let num_batches_tracked = tensors.tensor_or(&count, Tensor::zeros());
        Some(Self {
            weight: weight?,
            bias: bias?,
            running_mean: running_mean?,
            running_var: running_var?,
            num_batches_tracked: num_batches_tracked?,
            momentum: 0.1,
            epsilon: 1e-5,
            training: true,
            number: next_number(),
        })
    }
}

impl<C: Axis, T: Element, const AXIS: isize> TrainingMode for BatchNorm<C, T, AXIS> {
    fn set_mode(&mut self, training: bool) {
        self.training = training;
    }

    fn update_from(&mut self, pass: &mut dyn Any) {
        if let Some(pass) = pass.downcast_mut() {
            self.update(pass);
        }
    }
}

impl<C: Axis, T: Element, const AXIS: isize> StaticModule for BatchNorm<C, T, AXIS> {
    const FACTS: Facts = {
        let vector = <Tensor<shape![C], T>>::FACTS;
        let buffers = vector.and(vector).and(<Tensor<shape![], i64>>::FACTS).as_buffers();
        vector.and(vector).and(buffers)
    };
    const TREE: ModuleTree = ModuleTree::Fields(&[
        ("weight", <Tensor<shape![C], T>>::TREE),
        ("bias", <Tensor<shape![C], T>>::TREE),
        ("running_mean", <Tensor<shape![C], T>>::TREE),
        ("running_var", <Tensor<shape![C], T>>::TREE),
        ("num_batches_tracked", ModuleTree::Optional(&<Tensor<shape![], i64>>::TREE)),
    ]);
}

impl<V, In, C, T, const AXIS: isize> WalkShapes<V, In> for BatchNorm<C, T, AXIS>
where
    C: Axis,
    T: Element,
    Tensor<shape![C], T>: WalkShapes<V, In>,
{
    type Out = <Tensor<shape![C], T> as WalkShapes<V, In>>::Out;
}

no_input! {
    [C: Axis, T: Float, const AXIS: isize] BatchNorm<C, T, AXIS>;
}
