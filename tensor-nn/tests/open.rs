//! Layers are made from the files that they write.
#![cfg(feature = "safetensors")]

use std::any::type_name;
use std::fmt::Debug;
use std::path::Path;

use tensor_core::random::Generator;
use tensor_core::windows::{Pool1dOptions, Pool2dOptions};
use tensor_core::{Module, Tensor, axis, dim, shape};
use tensor_nn::layers::*;

/// Saves a layer, and opens it again; returns its type.
fn assert_opens<M: Module + Debug + PartialEq>(layer: &M) -> &'static str {
    let name = type_name::<M>();
    let short: String = name.chars().filter(char::is_ascii_alphanumeric).take(100).collect();
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-{short}.safetensors", std::process::id()));
    layer.save(&path).unwrap();
    let opened = M::open(&path).unwrap_or_else(|error| panic!("{error}"));
    std::fs::remove_file(path).unwrap();
    assert_eq!(opened, *layer, "{name}");
    name
}

/// The types of the layers that were saved and opened.
fn opened_layers(rng: &mut Generator) -> Vec<&'static str> {
    let linear: Linear<dim!(4), dim!(3)> = Linear::new(rng);
    let unbiased: Linear<dim!(4), dim!(3), f64, NoBias> = Linear::without_bias(rng);
    let embedding: Embedding<dim!(5), dim!(4)> = Embedding::new(rng);
    let positions: LearnedPositions<dim!(5), dim!(4)> = LearnedPositions::new(rng);
    let norm: LayerNorm<dim!(4)> = LayerNorm::new();
    let rms: RmsNorm<dim!(4)> = RmsNorm::new();
    let groups: GroupNorm<dim!(4), 2> = GroupNorm::new();
    let instances: InstanceNorm<dim!(4)> = InstanceNorm::new();
    let gated: GatedMlp<dim!(4), dim!(6)> = GatedMlp::new(rng);
    let attention: MultiHeadAttention<dim!(8), dim!(2), dim!(4)> = MultiHeadAttention::new(rng);
    let grouped: GroupedQueryAttention<dim!(8), dim!(2), dim!(1), dim!(4)> =
        GroupedQueryAttention::new(rng);
    let block: TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(16)> =
        TransformerBlock::new(rng, NormOrder::Post, 0.0);
    let conv1d: Conv1d<dim!(2), dim!(3), dim!(3)> = Conv1d::new(rng);
    let conv2d: Conv2d<dim!(2), dim!(3), dim!(3), dim!(3)> = Conv2d::new(rng);
    let back1d: ConvTranspose1d<dim!(2), dim!(3), dim!(3)> = ConvTranspose1d::new(rng);
    let back2d: ConvTranspose2d<dim!(2), dim!(3), dim!(3), dim!(3)> = ConvTranspose2d::new(rng);
    let lstm: Lstm<dim!(3), dim!(4), f32, Bidirectional, 2> = Lstm::new(rng);
    let (lstm_cell, gru_cell) =
        (LstmCell::<dim!(3), dim!(4)>::new(rng), GruCell::<dim!(3), dim!(4)>::new(rng));
    let state: LstmState<shape![2], dim!(4)> =
        LstmState { hidden: Tensor::ones(), cell: Tensor::zeros() };
    let (pool1d, pool2d) = (Pool1dOptions::new::<2>(), Pool2dOptions::new::<2>());
    vec![
        assert_opens(&unbiased),
        assert_opens(&Sequential((linear, Dropout::new(0.0), embedding, norm, rms))),
        assert_opens(&(positions, groups, instances, gated)),
        assert_opens(&(attention, grouped)),
        assert_opens(&vec![block.clone(), block]),
        assert_opens(&(conv1d, conv2d, back1d, back2d)),
        assert_opens(&lstm),
        assert_opens(&(lstm_cell, gru_cell, state)),
        assert_opens(&(Relu, Gelu, GeluTanh, Silu, Tanh, Sigmoid, Softplus, Identity)),
        assert_opens(&(LeakyRelu::default(), Elu::default(), Softmax, LogSoftmax)),
        assert_opens(&(Glu(Sigmoid), Flatten::<-3>::new(), GlobalAvgPool2d, GlobalMaxPool2d)),
        assert_opens(&(MaxPool1d(pool1d), AvgPool1d(pool1d), MaxPool2d(pool2d))),
        assert_opens(&AvgPool2d(pool2d)),
        assert_opens(&AdaptiveAvgPool::<shape![1, 1]>::new()),
        assert_opens(&AdaptiveMaxPool::<shape![1, 1]>::new()),
        // `channels_keep_their_statistics`
        type_name::<BatchNorm2d<dim!(2)>>(),
    ]
}

/// The modules of a file: the structs with `derive(Module)`, and the types with an impl. A macro that generates some
/// has their names at the beginning of a line, before a colon or after `pub struct`.
fn modules(source: &str) -> Vec<&str> {
    fn identifier(text: &str) -> &str {
        text.split(|c: char| !c.is_alphanumeric() && c != '$').next().expect("a part")
    }
    let derived = source.split("#[derive(").skip(1).filter_map(|rest| {
        let (traits, item) = rest.split_once(")]")?;
        let item =
            item.split_once("pub struct ").filter(|(between, _)| !between.contains("pub enum"))?;
        traits.contains("Module").then(|| identifier(item.1))
    });
    let written = source.split(" Module for ").skip(1).map(identifier);
    let (generated, named): (Vec<_>, Vec<_>) =
        derived.chain(written).partition(|name| name.starts_with('$'));
    let rows = source.lines().filter_map(|line| line.strip_prefix("    "));
    let structs = rows.clone().filter_map(|row| row.strip_prefix("pub struct ")).map(identifier);
    let rows = rows.filter_map(|row| row.split_once(": ")).map(|(name, _)| name).filter(|name| {
        name.starts_with(char::is_uppercase) && name.chars().all(char::is_alphanumeric)
    });
    named.into_iter().chain(structs).chain(rows.filter(|_| !generated.is_empty())).collect()
}

/// The text of all files below a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries
        .flat_map(|path| match path.is_dir() {
            true => sources(&path),
            false => vec![std::fs::read_to_string(path).unwrap()],
        })
        .collect()
}

#[test]
fn layers_open_what_they_save() {
    let opened = opened_layers(&mut Generator::seed(42)).concat();
    let opened: Vec<&str> = opened.split(|c: char| !c.is_alphanumeric()).collect();
    let sources = sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src/layers"));
    let mut missing: Vec<&str> = sources.iter().flat_map(|source| modules(source)).collect();
    assert!(missing.len() > 40, "{missing:?}");
    missing.retain(|name| !opened.contains(name));
    missing.sort_unstable();
    // A cache is the state of a loop. The tables of the others are computed from options that a file does not have:
    // `positions_are_a_value`.
    assert_eq!(missing, ["KvCache", "RotaryPositions", "SinusoidalPositions"]);
}

axis!(Time = 3);

/// A model whose tables of positions are not in its file.
#[derive(Debug, Module, PartialEq)]
struct Decoder {
    attention: GroupedQueryAttention<dim!(8), dim!(2), dim!(1), Halves<dim!(4)>>,
    #[module(value = RotaryPositions::new())]
    rotary: RotaryPositions<Time, Halves<dim!(4)>>,
    #[module(value = SinusoidalPositions::interleaved(shape![Time, 8], 0))]
    positions: SinusoidalPositions<Time, dim!(8)>,
}

#[test]
fn positions_are_a_value() {
    assert_opens(&Decoder {
        attention: GroupedQueryAttention::new(&mut Generator::seed(42)),
        rotary: RotaryPositions::new(),
        positions: SinusoidalPositions::interleaved(shape![Time, 8], 0),
    });
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
    #[module(set(epsilon = 1e-6))]
    norms: [LayerNorm<dim!(8)>; 2],
    #[module(set(dropout.rate = 0.5, self_attn.dropout.rate = 0.25))]
    blocks: Vec<TransformerBlock<dim!(8), dim!(2), dim!(4), dim!(16)>>,
    head: Tensor<shape![8, 3]>,
}

#[test]
fn options_are_set() {
    let rng = &mut Generator::seed(42);
    let block = TransformerBlock::new(rng, NormOrder::Pre, 0.0);
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-gpt.safetensors", std::process::id()));
    let (norms, blocks) =
        ([LayerNorm::new(), LayerNorm::new()], vec![block.clone(), block.clone()]);
    Gpt { block, norms, blocks, head: Tensor::ones() }.save(&path).unwrap();
    let gpt = Gpt::open(&path).unwrap();
    std::fs::remove_file(path).unwrap();
    assert_eq!((gpt.block.order, gpt.block.norm2.epsilon), (NormOrder::Pre, 1e-6));
    assert_eq!(gpt.norms.map(|norm| norm.epsilon), [1e-6, 1e-6]);
    let rates =
        |block: &TransformerBlock<_, _, _, _>| (block.dropout.rate, block.self_attn.dropout.rate);
    assert_eq!(gpt.blocks.iter().map(rates).collect::<Vec<_>>(), [(0.5, 0.25), (0.5, 0.25)]);
    assert_eq!(gpt.head, Tensor::ones());
}

/// PyTorch opens files without the counts of batches, and with counts that have an axis.
#[test]
fn batch_norms_of_old_files() {
    use tensor_core::io::Checkpoint;

    let mut layer: BatchNorm1d<dim!(2)> = BatchNorm1d::new();
    layer.num_batches_tracked += 5;
    let path =
        std::env::temp_dir().join(format!("tensor-nn-{}-old.safetensors", std::process::id()));
    let counts = tensor_core::tensor![3_i64];
    let mut tensors: Vec<(&str, &dyn tensor_core::module::AnyTensor)> = vec![
        ("weight", &layer.weight),
        ("bias", &layer.bias),
        ("running_mean", &layer.running_mean),
        ("running_var", &layer.running_var),
    ];
    Checkpoint::save(&path, &tensors).unwrap();
    let opened = BatchNorm1d::<dim!(2)>::open(&path).unwrap();
    assert_eq!(opened.num_batches_tracked.item(), 0);
    layer.clone().load(&path).unwrap();
    tensors.push(("num_batches_tracked", &counts));
    Checkpoint::save(&path, &tensors).unwrap();
    assert_eq!(BatchNorm1d::<dim!(2)>::open(&path).unwrap().num_batches_tracked.item(), 3);
    std::fs::remove_file(path).unwrap();
}

/// A file that ends as those of PyTorch is one of PyTorch, or is not written.
#[test]
fn files_of_pytorch_need_the_feature_pt() {
    let path = std::env::temp_dir().join(format!("tensor-nn-{}-feature.pt", std::process::id()));
    match tensor_core::tensor![1.0].save(&path) {
        Ok(()) => assert!(std::fs::read(&path).unwrap().starts_with(b"PK")),
        Err(error) => {
            assert!(error.to_string().contains("the feature `pt` writes it"), "{error}");
            assert!(!path.exists());
        }
    }
    let _ = std::fs::remove_file(path);
}
