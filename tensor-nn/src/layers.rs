//! Layers: structs of parameters with a method `forward`.
//!
//! ```
//! use tensor_core::random::Generator;
//! use tensor_core::{Tensor, dim, shape};
//! use tensor_nn::layers::{Linear, Relu};
//!
//! struct Digits {
//!     hidden: Linear<dim!(64), dim!(128)>,
//!     scores: Linear<dim!(128), dim!(10)>,
//! }
//!
//! impl Digits {
//!     fn forward(&self, images: &Tensor<shape![32, 64]>) -> Tensor<shape![32, 10]> {
//!         self.scores.forward(&self.hidden.forward(images).relu())
//!     }
//! }
//!
//! let mut rng = Generator::seed(42);
//! let model = Digits { hidden: Linear::new(&mut rng), scores: Linear::new(&mut rng) };
//! assert_eq!(model.forward(&Tensor::ones()).shape(), shape![32, 10]);
//! # let _ = Relu;
//! ```
//!
//! # Shapes
//!
//! The sizes that a layer fixes are type parameters, given as axes: `Linear<dim!(64), dim!(128)>`, or
//! `Linear<Pixels, Hidden>` with `axis!(Pixels = 64)`. The leading axes are arbitrary, so a layer takes
//! one example, a batch, or a batch of sequences. The last parameters are the element type, `f32` by
//! default, and whether there is a bias.
//!
//! Signatures state this as bounds, so that the message about an input that does not fit has both sizes:
//! `S: Shape<LastAxis = J>` with `Self: LayerTakes<J, I>` is a shape `[..lead, i]`, and `OutputOf<S, I, O>` is `[..lead, o]`;
//! `TakesSequences` and `SequenceResult` have a time axis before the last. Generic code writes `Tensor<shape![Lead.., I]>`.
//!
//! | layer | shapes |
//! | --- | --- |
//! | [`Linear`] | `[..lead, i] → [..lead, o]` |
//! | [`Conv1d`], [`ConvTranspose1d`] | `[..lead, c, n] → [..lead, o, m]` |
//! | [`Conv2d`], [`ConvTranspose2d`] | `[..lead, c, h, w] → [..lead, o, y, x]` |
//! | [`MaxPool1d`], [`AvgPool1d`] | `[..lead, n] → [..lead, m]` |
//! | [`MaxPool2d`], [`AvgPool2d`], [`AdaptiveAvgPool`], [`AdaptiveMaxPool`] | `[..lead, h, w] → [..lead, y, x]` |
//! | [`Flatten`] | `[..lead, c, h, w] → [..lead, c · h · w]` |
//! | [`LayerNorm`], [`RmsNorm`] | `[..lead, n] → [..lead, n]` |
//! | [`BatchNorm`], [`GroupNorm`], [`InstanceNorm`] | `[..lead, c, h, w]`, the same |
//! | [`Dropout`], activations as [`Relu`] and [`Gelu`] | `[..s]`, the same |
//! | [`Embedding`] | indices `[..s] → [..s, n]` |
//! | [`MultiHeadAttention`], [`GroupedQueryAttention`], [`TransformerBlock`] | `[..lead, time, d]`, the same |
//! | [`GatedMlp`] ([`SwiGlu`], [`GeGlu`]) | `[..lead, d]`, the same |
//! | [`Glu`] | `[..lead, 2 n] → [..lead, n]` |
//! | [`RotaryPositions`] | `[..lead, time, c]`, the same |
//! | [`SinusoidalPositions`], [`LearnedPositions`] | `[..lead, time, d]`, the same |
//! | [`masked_mean`] | `[..lead, time, d], [..lead, time] → [..lead, d]` |
//! | [`LstmCell`], [`GruCell`] | one step, `[..lead, i] → [..lead, h]` |
//! | [`Lstm`], [`Gru`] | `[..lead, time, i] → [..lead, time, h]`, or `2 h` in both directions |
//! | [`Sequential`] | those of its layers |
//!
//! # Layouts
//!
//! If two layouts have the same sizes, an axis type states the layout, and only a conversion changes it:
//!
//! | what | axes | conversion |
//! | --- | --- | --- |
//! | the inputs and outputs of a square weight | [`In`], [`Out`] | `transpose` |
//! | the pairs of rotary positions | [`Halves`], [`Interleaved`] | [`Halves::of`], [`GroupedQueryAttention::halves`] |
//! | fused queries, keys and values | [`QkvBlocks`], [`QkvPerHead`] | [`qkv_blocks`] |
//! | channels first or last | [`ChannelAxis`] | `move_axis` |
//!
//! [`rename_axis`](tensor_core::Tensor::rename_axis) states the layout of an axis that has none, as in files, and does
//! not change a layout that is stated:
//!
//! ```compile_fail,E0080
//! use tensor_core::{Tensor, dim, shape};
//! use tensor_nn::layers::{Halves, Interleaved};
//!
//! let queries: Tensor<shape![16, Interleaved<dim!(64)>]> = Tensor::ones();
//! let _ = queries.rename_axis::<1, Halves<dim!(64)>>();
//! ```
//!
//! So do operations that take a part of an axis, or merge several: `slice_axis`, `pad_as`, `tile_as`, `windows_as`,
//! `unflatten_as`, `flatten_axes_as`, `concat_all`, and `rearrange!`. The new axis has the layout of the old one, that
//! of its chunks, or none:
//!
//! ```
//! use tensor_core::{Tensor, dim, shape};
//! use tensor_nn::layers::{Chunks, Halves};
//!
//! type Channels = Halves<dim!(64)>;
//! let heads: Tensor<shape![16, Chunks<dim!(2), Channels>]> = Tensor::ones();
//! let second: Tensor<shape![16, Channels]> = heads.slice_axis::<1, Channels>(64..);
//! let split: Tensor<shape![16, 2, Channels]> = heads.unflatten_as::<1, shape![2, Channels]>();
//! let cosines: Tensor<shape![16, 32]> = second.slice_axis::<1, dim!(32)>(..32);
//! # let _ = (split, cosines);
//! ```
//!
//! `reshape` and [`DynTensor`](tensor_core::DynTensor) keep only the order of the elements: state the layout again
//! afterwards. It is not checked that a slice has whole pairs: a slice of `Interleaved` has to begin at an even index,
//! and a part of `Halves` is `Halves` only if it is one half of each half.
//!
//! # Generation
//!
//! A text is continued a token at a time: a [`KvCache`] for each attention keeps the keys and values of past positions,
//! `forward_cached` of [`MultiHeadAttention`], [`GroupedQueryAttention`] and [`TransformerBlock`] reads new ones, and a
//! [`Sampler`](crate::sampling::Sampler) chooses the next token.
//!
//! # Layers of your own
//!
//! A layer is a struct with `#[derive(Module)]` and a method. [`tensor_core::functional`] has the fused operations that
//! the layers here call, and [`tensor_core::loops`] their loops, so that yours are as fast. Here is a linear layer with a
//! low-rank adapter (LoRA):
//!
//! ```
//! use tensor_core::functional::linear;
//! use tensor_core::random::Generator;
//! use tensor_core::{Axis, Module, Shape, Tensor, dim, shape, shapes};
//! use tensor_nn::layers::Linear;
//!
//! /// `x · weightᵀ + bias + x · downᵀ · upᵀ`, `[..lead, i] → [..lead, o]`.
//! ///
//! /// Source: Hu and others, "LoRA: low-rank adaptation of large language models", 2021.
//! #[shapes]
//! #[derive(Clone, Module)]
//! struct Adapted<I: Axis, O: Axis, R: Axis> {
//!     base: Linear<I, O>,
//!     down: Tensor<shape![R, I]>,
//!     up: Tensor<shape![O, R]>,
//! }
//!
//! impl<I: Axis, O: Axis, R: Axis> Adapted<I, O, R> {
//!     fn forward<Lead: Shape>(&self, x: &Tensor<shape![Lead.., I]>) -> Tensor<shape![Lead.., O]> {
//!         let small = linear(x, &self.down, None);
//!         linear(x, &self.base.weight, Some(&self.base.bias)) + linear(&small, &self.up, None)
//!     }
//! }
//!
//! let base = Linear::new(&mut Generator::seed(42));
//! let layer: Adapted<dim!(64), dim!(10), dim!(4)> =
//!     Adapted { base, down: Tensor::ones(), up: Tensor::zeros() };
//! let x = Tensor::<shape![32, 64]>::ones();
//! assert_eq!(layer.forward(&x), layer.base.forward(&x));
//! ```
//!
//! A layer in a [`Sequential`] implements [`Layer`].
//!
//! # Training and use
//!
//! The output of a layer depends only on its parameters and its input, with two exceptions: in training,
//! [`Dropout`] draws random numbers, and [`BatchNorm`] normalises by the mean of the batch and keeps it for
//! its running means, which [`Pass::update`] updates. These two, and the layers that contain dropout, such as
//! attention, take a [`Pass`] in addition to the input; it states whether this is training. A method that
//! takes `&self` therefore never changes the layer.
//!
//! # First values
//!
//! `Linear::new(&mut rng)` draws the same distributions as PyTorch's defaults, from a seeded
//! [`Generator`](tensor_core::random::Generator); `Linear::zeros()` is for tests. All parameters are public
//! fields with the shapes of PyTorch's `state_dict`, so that any other initialisation is an assignment.
//!
//! # PyTorch's files
//!
//! Layers that PyTorch also has use its parameter names and shapes ([`InstanceNorm`] those of
//! `affine=True`, [`Lstm`] and [`Gru`] those of `bias=True`): a model whose fields are
//! named like the attributes of a `torch.nn.Module` loads what
//! `safetensors.torch.save_file(model.state_dict(), "model.safetensors")` wrote, by
//! [`load`](tensor_core::Module::load). [`GroupedQueryAttention`] and [`GatedMlp`] have those of Hugging Face's LLaMA,
//! [`LstmCell`] and [`GruCell`] those of PyTorch's cells. [`MultiHeadAttention`] has `in_proj_weight`, whose rows are those of
//! queries, keys and values, and [`of`](MultiHeadAttention::of) for files that have three layers; [`Lstm`] and
//! [`Gru`] have `weight_ih_l0`, `weight_hh_l0_reverse` and so on.
//!
//! # Hugging Face's files
//!
//! A [`WeightMap`](tensor_core::module::WeightMap) reads them: `rename` for names, `join` for layers that are one tensor
//! here, `transpose` for weights that are stored as `[in, out]`. The examples `sentence`, `gpt2` and `llama` have the whole
//! maps.
//! A [`TransformerBlock`] is a layer of BERT, `encoder.layer.{i}`, or of GPT-2, `h.{i}`:
//!
//! | field | BERT | GPT-2 |
//! | --- | --- | --- |
//! | `self_attn.in_proj_weight` | `attention.self.query.weight`, `key`, `value`, joined along axis 0 | `attn.c_attn.weight`, transposed |
//! | `self_attn.in_proj_bias` | `attention.self.query.bias`, `key`, `value`, joined along axis 0 | `attn.c_attn.bias` |
//! | `self_attn.out_proj` | `attention.output.dense` | `attn.c_proj`, weight transposed |
//! | `norm1` | `attention.output.LayerNorm` | `ln_1` |
//! | `linear1` | `intermediate.dense` | `mlp.c_fc`, weight transposed |
//! | `linear2` | `output.dense` | `mlp.c_proj`, weight transposed |
//! | `norm2` | `output.LayerNorm` | `ln_2` |
//! | `norm1.epsilon`, `norm2.epsilon` | `layer_norm_eps` of `config.json`: 1e-12 | `layer_norm_epsilon`: 1e-5 |
//! | `order` | [`NormOrder::Post`] | [`NormOrder::Pre`] |
//! | the parameter `A` | [`Gelu`] | [`GeluTanh`] |
//!
//! Outside of the blocks:
//!
//! | layer | BERT | GPT-2 | Llama |
//! | --- | --- | --- | --- |
//! | [`Embedding`] of the tokens | `embeddings.word_embeddings` | `wte` | `model.embed_tokens` |
//! | [`LearnedPositions`] | `embeddings.position_embeddings` | `wpe` | none |
//! | [`Embedding`] of the segments | `embeddings.token_type_embeddings` | none | none |
//! | the norm | `embeddings.LayerNorm`, first | `ln_f`, last | `model.norm`, last: an [`RmsNorm`] |
//! | [`Linear`] to scores of tokens | none | the weight of `wte` | `lm_head`; in small models the weight of `model.embed_tokens` |
//! | a prefix of some files: `prefix` | `bert.` | `transformer.` | |
//! | tensors of some files that no layer has: `ignore` | `embeddings.position_ids`, `pooler` | `h.{i}.attn.bias`, `h.{i}.attn.masked_bias`, a tied `lm_head` | `model.layers.{i}.self_attn.rotary_emb`, a tied `lm_head` |
//!
//! In a layer of Llama, `model.layers.{i}`, the fields of [`GroupedQueryAttention`] (`self_attn`) and of [`SwiGlu`] (`mlp`)
//! have the names of the file: `q_proj`, `k_proj`, `v_proj`, `o_proj`, `gate_proj`, `up_proj`, `down_proj`. The others are
//! two [`RmsNorm`]s, `input_layernorm` and `post_attention_layernorm`, with the epsilon `rms_norm_eps`. The channels of
//! a head are [`Halves`]. [`RotaryPositions`] are computed, not read. The biases that Qwen2 adds are the last parameters of
//! [`GroupedQueryAttention`]. RoBERTa has the names of BERT; the row of its positions for the first token is row 2.
//!
//! `#[module(set(…))]` gives a field of a model its options, such as the epsilon and the order of the norms.
//!
//! ## Square weights
//!
//! The sizes of a square weight do not show whether it is transposed. A map that transposes `mlp.c_proj` of GPT-2 and
//! forgets `attn.c_proj`, `[768, 768]`, loads without an error, and the model computes something else: compare its
//! results with those of the model that the file comes from, once, as the tests of the examples do. Or let the compiler
//! check it: a field whose axes are [`In`] and [`Out`] has the weight as it is stored, and [`Linear::of`] takes only
//! `[Out, In]`.
//!
//! ```
//! use tensor_core::{Module, Tensor, dim, shape};
//! use tensor_nn::layers::{In, Linear, Out};
//!
//! /// `attn.c_proj` as in GPT-2's files.
//! #[derive(Module)]
//! struct Projection {
//!     weight: Tensor<shape![In<dim!(2)>, Out<dim!(2)>]>,
//!     bias: Tensor<shape![2]>,
//! }
//! # let path = std::env::temp_dir().join("tensor-nn-doc-square.safetensors");
//! # let stored = tensor_core::tensor![[1.0_f32, 2.0], [3.0, 4.0]];
//! # tensor_core::io::Checkpoint::save(&path, &[("weight", &stored), ("bias", &Tensor::<shape![2]>::zeros())])?;
//!
//! let stored = Projection::open(&path)?;
//! let layer: Linear<dim!(2), dim!(2)> = Linear::of(stored.weight.transpose(), stored.bias);
//! assert_eq!(layer.forward(&tensor_core::tensor![1.0, 0.0]).to_vec(), [1.0, 2.0]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Without the transpose, it does not compile:
//!
//! ```compile_fail,E0277
//! # use tensor_core::{Tensor, dim, shape};
//! # use tensor_nn::layers::{In, Linear, Out};
//! # let stored: Tensor<shape![In<dim!(2)>, Out<dim!(2)>]> = Tensor::zeros();
//! # let bias: Tensor<shape![2]> = Tensor::zeros();
//! let layer: Linear<dim!(2), dim!(2)> = Linear::of(stored, bias);
//! ```

mod activations;
mod attention;
mod batch_norm;
mod bias;
mod checkpoint;
mod chunks;
mod conv_transpose;
mod convolution;
mod dropout;
mod embedding;
mod gated;
mod grouped_attention;
mod heads;
mod initial;
mod input;
mod kv_cache;
mod layer;
mod layouts;
mod linear;
mod mask;
mod masked_mean;
mod normalization;
mod pass;
mod pooling;
mod positions;
mod recurrent;
mod rotary;
mod sequential;
mod transformer;

pub(crate) use input::same;

pub use activations::{
    Activation, Elu, Gelu, GeluTanh, Identity, LeakyRelu, LogSoftmax, Relu, Sigmoid, Silu, Softmax,
    Softplus, Tanh,
};
#[cfg_attr(doc, doc(hidden))]
pub use attention::FusedRows;
pub use attention::{MultiHeadAttention, attention};
#[cfg_attr(doc, doc(hidden))]
pub use batch_norm::BatchOf;
pub use batch_norm::{BatchNorm, BatchNorm1d, BatchNorm2d, BatchStatistics};
#[cfg_attr(doc, doc(hidden))]
pub use bias::BiasFor;
pub use bias::{Bias, NoBias};
pub use chunks::Chunks;
pub use conv_transpose::{ConvTranspose1d, ConvTranspose2d};
pub use convolution::{Conv1d, Conv2d, Named1d, Named2d, Options1d, Options2d, Same1d, Same2d};
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use gated::{GatedMlp, GeGlu, Glu, ReGlu, SwiGlu};
pub use grouped_attention::{GroupedQueryAttention, SharesHeads, grouped_attention};
#[cfg_attr(doc, doc(hidden))]
pub use grouped_attention::{HeadsShared, NoHeadLeft};
pub use heads::HeadsFill;
#[cfg_attr(doc, doc(hidden))]
pub use heads::{HeadsOf, NoWidth, SameWidth};
#[cfg_attr(doc, doc(hidden))]
pub use input::{
    AxisOfInput, ChannelSequenceInput, ChannelSequenceOf, ChannelsOf, ChannelsOfInput, HasTime,
    ImageInput, ImageOf, InList, InListOfChannels, LastAxisOfInput, LayerInput, LayerTakes, LeadOf,
    NoInput, OutputOf, RefusedInput, SequenceInput, SequenceLead, SequenceOutput, SequenceResult,
    TakenAxis, TakesChannelsOf, TakesSequences, TimeOf, WithAxis, WithChannels,
};
pub use kv_cache::KvCache;
pub use layer::Layer;
pub use layouts::{ChannelAxis, Halves, In, Interleaved, Out, QkvBlocks, QkvPerHead, qkv_blocks};
pub use linear::Linear;
#[cfg_attr(doc, doc(hidden))]
pub use linear::OutIn;
#[cfg_attr(doc, doc(hidden))]
pub use mask::MaskFor;
pub use mask::{AdditiveMask, Allowed, Causal, CausalLowerRight, KeyPadding, Mask, NoMask};
pub use masked_mean::masked_mean;
pub use normalization::{GroupNorm, InstanceNorm, LayerNorm, RmsNorm};
pub use pass::Pass;
pub use pooling::{
    AdaptiveAvgPool, AdaptiveMaxPool, AvgPool1d, AvgPool2d, Flatten, GlobalAvgPool2d,
    GlobalMaxPool2d, MaxPool1d, MaxPool2d,
};
pub use positions::{LearnedPositions, SinusoidalPositions};
pub use recurrent::{
    Bidirectional, Direction, Forward, Gru, GruCell, GruGates, Lstm, LstmCell, LstmGates,
    LstmState, Outputs, Recurrent, RecurrentCell, RecurrentLayer, RecurrentState,
};
#[cfg_attr(doc, doc(hidden))]
pub use rotary::PairedChannels;
pub use rotary::{RotaryPairs, RotaryPositions, RotaryScaling};
#[cfg_attr(doc, doc(hidden))]
pub use sequential::{GoesThrough, InputOfList, LayerTuple};
pub use sequential::{LayerList, Sequential};
pub use transformer::{NormOrder, TransformerBlock};
