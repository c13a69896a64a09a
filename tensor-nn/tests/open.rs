//! Layers are made from the files that they write.
#![cfg(feature = "safetensors")]

use std::fmt::Debug;

use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Module, Tensor, dim, shape};
use tensor_nn::layers::{
    BatchNorm2d, Bidirectional, Conv2d, Embedding, Gelu, LayerNorm, Linear, Lstm, MaxPool2d,
    MultiHeadAttention, NoBias, NormOrder, RmsNorm, Sequential, TransformerBlock,
};

/// Saves a layer, and opens it again.
fn assert_opens<M: Module + Debug + PartialEq>(name: &str, layer: &M) {
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-{name}.safetensors", std::process::id()));
    layer.save(&path).unwrap();
    let opened = M::open(&path).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_file(path).unwrap();
    assert_eq!(opened, *layer, "{name}");
}

#[test]
fn layers_open_what_they_save() {
    let rng = &mut Generator::seed(42);
    let linear: Linear<dim!(4), dim!(3)> = Linear::new(rng);
    assert_opens("linear", &linear);
    let unbiased: Linear<dim!(4), dim!(3), f64, NoBias> = Linear::without_bias(rng);
    assert_opens("unbiased", &unbiased);
    let embedding: Embedding<dim!(5), dim!(4)> = Embedding::new(rng);
    let norm: LayerNorm<dim!(4)> = LayerNorm::new();
    let rms: RmsNorm<dim!(4)> = RmsNorm::new();
    assert_opens("sequential", &Sequential((linear, Gelu, embedding, norm, rms)));
    let attention: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(rng);
    assert_opens("attention", &attention);
    let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(16)> =
        TransformerBlock::new(rng, NormOrder::Post, 0.0);
    assert_opens("block", &vec![block.clone(), block]);
    let conv: Conv2d<dim!(2), dim!(3), dim!(3), dim!(3)> = Conv2d::new(rng);
    assert_opens("conv", &(conv, MaxPool2d(Pool2dOptions::new::<2>())));
    let lstm: Lstm<dim!(3), dim!(4), f32, Bidirectional, 2> = Lstm::new(rng);
    assert_opens("lstm", &lstm);
}

#[test]
fn channels_keep_their_statistics() {
    let mut layer: BatchNorm2d<dim!(2)> = BatchNorm2d::new();
    layer.running_mean = Tensor::from([1.0, 2.0]);
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-norm.safetensors", std::process::id()));
    layer.save(&path).unwrap();
    let opened = BatchNorm2d::<dim!(2)>::open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!((opened.running_mean, opened.momentum), (layer.running_mean, 0.1));
}

/// A block of a GPT, whose options a file does not have.
#[derive(Debug, Module)]
struct Gpt {
    #[module(set(order = NormOrder::Pre, norm1.epsilon = 1e-6, norm2.epsilon = 1e-6))]
    block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(16)>,
    head: Tensor<shape![8, 3]>,
}

#[test]
fn options_are_set() {
    let rng = &mut Generator::seed(42);
    let block = TransformerBlock::new(rng, NormOrder::Pre, 0.0);
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-gpt.safetensors", std::process::id()));
    Gpt { block, head: Tensor::ones() }.save(&path).unwrap();
    let gpt = Gpt::open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!((gpt.block.order, gpt.block.norm2.epsilon), (NormOrder::Pre, 1e-6));
    assert_eq!(gpt.head, Tensor::ones());
}
