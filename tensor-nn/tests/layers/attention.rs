//! Embeddings, attention, rotary positions and transformer blocks.

use tensor_core::{Tensor, shape};
use tensor_nn::layers::*;

use super::{Batch, D, Time, read, rng};

#[test]
fn embedding() {
    let case = read("embedding");
    let layer: Embedding<D<7>, D<3>, f64> = case.fill(Embedding::new(&mut rng()));
    case.check("y", &layer.forward(&case.integers::<shape![2, 3]>("x")).unwrap());
}

#[test]
fn attention_of_queries_to_keys() {
    let case = read("attention");
    let q = case.get::<shape![2, 3, 4, 5]>("q");
    let k = case.get::<shape![2, 3, 6, 5]>("k");
    let v = case.get::<shape![2, 3, 6, 2]>("v");
    case.check("plain", &attention(&q, &k, &v, NoMask));
    case.check("causal", &attention(&q, &k, &v, Causal));
    let allowed = case.mask::<shape![4, 6]>("allowed");
    case.check("masked", &attention(&q, &k, &v, Allowed(&allowed)));
    let added = case.get::<shape![4, 6]>("added");
    case.check("biased", &attention(&q, &k, &v, Added(&added)));
    // Both masks are what either leaves.
    let both = attention(&q, &k, &v, (Causal, Allowed(&allowed)));
    let causal = Tensor::<shape![4, 6], bool>::full(true).tril(0);
    assert_eq!(both, attention(&q, &k, &v, Allowed(&(&causal & &allowed))));
}

type Heads<H, C> = MultiHeadAttention<D<8>, H, C, f64>;

#[test]
fn attention_with_heads() {
    let case = read("heads");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 5, 8]>("x"), NoMask, &mut Pass::eval()));
    case.check(
        "y",
        &layer.forward(&case.get::<shape![Batch, Time, 8]>("x"), NoMask, &mut Pass::eval()),
    );

    let case = read("heads_causal");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    case.check("y", &layer.forward(&case.get::<shape![2, 5, 8]>("x"), Causal, &mut Pass::eval()));

    let case = read("heads_padded");
    let layer: Heads<D<2>, D<4>> = case.fill(Heads::new(&mut rng()));
    let keys = case.mask::<shape![Batch, 5]>("keys");
    case.check(
        "y",
        &layer.forward(&case.get::<shape![Batch, 5, 8]>("x"), KeyPadding(&keys), &mut Pass::eval()),
    );

    let case = read("heads_cross");
    let layer: Heads<D<4>, D<2>> = case.fill(Heads::new(&mut rng()));
    let (x, context) = (case.get::<shape![2, 5, 8]>("x"), case.get::<shape![2, 3, 8]>("context"));
    case.check("y", &layer.cross(&x, &context, NoMask, &mut Pass::eval()));
}

/// The row for padding is looked up like any other, and nothing comes back to it.
#[test]
fn embedding_of_padding() {
    let case = read("embedding_padded");
    let table: Embedding<D<5>, D<3>, f64> = case.fill(Embedding::new(&mut rng()));
    let words = case.integers::<shape![2, 3]>("x");
    let factors = case.get::<shape![2, 3, 3]>("factors");
    case.check("y", &table.forward_padded(&words, 2).expect("words of the table"));
    let gradient = tensor_core::autograd::grad(&table, |table| {
        (table.forward_padded(&words, 2).expect("words of the table") * &factors).sum()
    });
    case.check("gradient", &gradient.weight);
    // The same row, counted from the end; and one that there is not.
    let gradient = tensor_core::autograd::grad(&table, |table| {
        (table.forward_padded(&words, -3).expect("words of the table") * &factors).sum()
    });
    case.check("gradient", &gradient.weight);
    assert!(table.forward_padded(&words, 5).is_err());
}

#[test]
fn rotary_positions() {
    let case = read("rotary");
    let positions: RotaryPositions<D<5>, D<8>, f64> = RotaryPositions::new();
    case.check("y", &positions.forward(&case.get::<shape![2, 5, 8]>("x")));

    let case = read("rotary_from_3");
    let shape = shape![Time(5), 8];
    let positions = RotaryPositions::<Time, D<8>, f64>::new_shaped(shape, 10_000.0, 3);
    case.check("y", &positions.forward(&case.get::<shape![2, Time, 8]>("x")));

    // The products of turned queries and keys depend on their distance alone.
    let x = case.get::<shape![2, Time, 8]>("x");
    let later = RotaryPositions::<Time, D<8>, f64>::new_shaped(shape, 10_000.0, 100);
    let products = |positions: &RotaryPositions<Time, D<8>, f64>| {
        let turned = positions.forward(&x);
        turned.matmul(&turned.swap_axes::<-1, -2>())
    };
    assert!((products(&positions) - products(&later)).abs().max().item() < 1e-11);

    // In attention, the same as turning queries and keys by hand.
    let layer: Heads<D<2>, D<4>> = Heads::new(&mut rng());
    let positions: RotaryPositions<D<5>, D<4>, f64> = RotaryPositions::new();
    let x = case.get::<shape![2, 5, 8]>("x");
    let y = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
    assert_ne!(y, layer.forward(&x, Causal, &mut Pass::eval()));
    let shifted = RotaryPositions::new_shaped(shape![5, 4], 10_000.0, 7);
    let shifted = layer.forward_rotary(&x, &shifted, Causal, &mut Pass::eval());
    assert!((y - shifted).abs().max().item() < 1e-12);
}

#[test]
fn transformer_blocks() {
    let case = read("block_pre");
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>, f64> =
        TransformerBlock::new(&mut rng(), NormOrder::Pre, 0.0);
    let (block, x) = (case.fill(block), case.get::<shape![2, 5, 8]>("x"));
    case.check("y", &block.forward(&x, NoMask, &mut Pass::eval()));
    case.check("causal", &block.forward(&x, Causal, &mut Pass::training(&mut rng())));

    let case = read("block_post");
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>, f64, Relu> =
        TransformerBlock::new(&mut rng(), NormOrder::Post, 0.0);
    let (block, x) = (case.fill(block), case.get::<shape![Batch, Time, 8]>("x"));
    case.check("y", &block.forward(&x, NoMask, &mut Pass::eval()));
    case.check("causal", &block.forward(&x, Causal, &mut Pass::eval()));
}

/// With all weights dropped the heads find nothing, in training alone.
#[test]
fn dropout_of_weights_of_attention() {
    let mut layer: MultiHeadAttention<D<8>, D<2>, D<4>> = MultiHeadAttention::new(&mut rng());
    let x = Tensor::<shape![2, 8]>::ones();
    let all = layer.forward(&x, NoMask, &mut Pass::eval());
    layer.dropout = Dropout::new(1.0);
    assert_eq!(layer.forward(&x, NoMask, &mut Pass::eval()), all);
    let none = layer.forward(&x, NoMask, &mut Pass::training(&mut rng()));
    assert_eq!(none, Tensor::zeros());
}
