//! Embeddings, attention, rotary positions and transformer blocks.

use tensor_core::autograd::value_and_grad;
use tensor_core::{Tensor, dim, select, shape, tensor};
use tensor_nn::layers::*;

use super::{Batch, D, Time, read, rng};

/// Long attention without a mask or with a causal one is computed in parts of the queries, and has the same bits as at once:
/// with a table of the same keys, and if operands are tracked.
#[test]
fn parts_of_the_queries_have_the_same_bits() {
    let rng = &mut rng();
    let q: Tensor<shape![2, 3, 301, 16]> = rng.normal(0.0, 1.0);
    let k: Tensor<shape![2, 3, 700, 16]> = rng.normal(0.0, 1.0);
    let v: Tensor<shape![2, 3, 700, 8]> = rng.normal(0.0, 1.0);
    let all: Tensor<shape![301, 700], bool> = Tensor::full(true);
    let found = attention(&q, &k, &v, NoMask);
    assert_eq!(found, attention(&q, &k, &v, Allowed(&all)));
    assert_eq!(found, attention(&q.requires_grad(), &k, &v, NoMask).detach());
    assert_eq!(attention(&q, &k, &v, Causal), attention(&q, &k, &v, Allowed(&all.tril(0))));
    let last = attention(&q, &k, &v, CausalLowerRight);
    assert_eq!(last, attention(&q, &k, &v, Allowed(&all.tril(700 - 301))));
    // The first queries attend to no key.
    let first = attention(&k, &q, &q, CausalLowerRight);
    let all: Tensor<shape![700, 301], bool> = Tensor::full(true);
    assert_eq!(first, attention(&k, &q, &q, Allowed(&all.tril(301 - 700))));

    let x: Tensor<shape![2, 700, 12]> = rng.normal(0.0, 1.0);
    let layer: MultiHeadAttention<dim!(12), dim!(3), dim!(4)> = MultiHeadAttention::new(rng);
    let all: Tensor<shape![700, 700], bool> = Tensor::full(true);
    let forward = |mask| layer.forward(&x, mask, &mut Pass::eval());
    assert_eq!(layer.forward(&x, NoMask, &mut Pass::eval()), forward(Allowed(&all)));
}

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
    case.check("biased", &attention(&q, &k, &v, AdditiveMask(&added)));
    // Both masks are what either leaves.
    let both = attention(&q, &k, &v, (Causal, Allowed(&allowed)));
    let causal = Tensor::<shape![4, 6], bool>::full(true).tril(0);
    assert_eq!(both, attention(&q, &k, &v, Allowed(&(&causal & &allowed))));
}

/// Checks an attention whose second query may attend to no key, with its gradients, against PyTorch's.
#[track_caller]
fn attends_to_nothing<M>(mask: M)
where
    M: MaskFor<shape![1, 1], D<3>, D<3>, f64>,
{
    type Input = Tensor<shape![1, 1, 3, 2], f64>;
    let input = |elements: [f64; 6]| Input::from_vec(elements.to_vec()).unwrap().requires_grad();
    let q = input([0.5, -1.0, 1.0, 2.0, 0.25, 0.5]);
    let k = input([1.0, 1.5, -1.0, 3.0, 0.5, 2.0]);
    let v = input([1.0, 1.0, 2.0, 3.0, -1.0, 4.0]);
    let y = attention(&q, &k, &v, mask);
    let loss = (&y * Input::from_vec((1..7).map(f64::from).collect()).unwrap()).sum();
    let (of_q, of_k, of_v) = loss.gradients((&q, &k, &v));
    let expected = [
        [1.0, 1.0, 0.0, 0.0, -0.044165424036138795, 2.566248136054208],
        [0.0, 0.0, 0.0, 0.0, -0.7057275095318349, 0.7057275095318332],
        [
            -0.3528637547659173,
            -0.7057275095318346,
            0.0,
            0.0,
            0.35286375476591714,
            0.7057275095318343,
        ],
        [3.389586439909653, 4.867503727891584, 0.0, 0.0, 2.6104135600903473, 3.1324962721084164],
    ];
    for (found, expected) in [y.detach(), of_q, of_k, of_v].iter().zip(expected) {
        let expected = Input::from_vec(expected.to_vec()).unwrap();
        assert!(found.all_close(&expected, 1e-12, 1e-12), "{found}, {expected}");
    }
}

#[test]
fn queries_that_may_attend_to_nothing() {
    let allowed = tensor![[true, false, false], [false, false, false], [true, false, true]];
    attends_to_nothing(Allowed(&allowed));
    let added = select(&allowed, 0.0, Tensor::<shape![3, 3], f64>::full(f64::NEG_INFINITY));
    attends_to_nothing(AdditiveMask(&added));
    attends_to_nothing((NoMask, Allowed(&allowed)));
    // A pair of masks that only together mask every key.
    let later = tensor![[true, true, true], [false, false, true], [true, false, true]];
    attends_to_nothing((Causal, Allowed(&later)));
    attends_to_nothing((Allowed(&later), Causal));
    let second = tensor![[true, false, false], [false, true, false], [true, true, true]];
    attends_to_nothing((
        KeyPadding(&Tensor::<shape![1, 3], bool>::from([[true, false, true]])),
        Allowed(&second),
    ));
    attends_to_nothing((AdditiveMask(&added), Causal));
    attends_to_nothing((None::<Causal>, Some(Allowed(&allowed))));
}

/// An example that is padding alone does not change the gradients of the others.
#[test]
fn an_example_of_padding_alone() {
    let layer: Heads<D<2>, D<4>> = Heads::new(&mut rng());
    let x: Tensor<shape![2, 3, 8], f64> = rng().normal(0.0, 1.0);
    let one: Tensor<shape![1, 3, 8], f64> = x.slice_axis::<0, dim!(1)>(0..1);
    let gradient_of = |layer: &Heads<D<2>, D<4>>, padded: bool| {
        let some = tensor![[true, true, false], [false, false, false]];
        let (y, gradient) = value_and_grad(layer, |layer| match padded {
            true => layer.forward(&x, KeyPadding(&some), &mut Pass::eval()).square().sum(),
            false => {
                let keys = some.slice_axis::<0, dim!(1)>(0..1);
                layer.forward(&one, KeyPadding(&keys), &mut Pass::eval()).square().sum()
            }
        });
        assert!(y.item().is_finite());
        gradient.in_proj_weight
    };
    let (padded, alone) = (gradient_of(&layer, true), gradient_of(&layer, false));
    assert!(padded.all_close(&alone, 1e-12, 1e-12));
    assert!(alone.abs().max().item() > 0.0);
}

/// Scores that are no numbers stay visible.
#[test]
fn attention_of_nan() {
    let (q, k) = (tensor![[f64::NAN], [1.0]], tensor![[1.0], [2.0]]);
    let allowed = tensor![[true, false], [false, false]];
    let y = attention(&q, &k, &k, Allowed(&allowed));
    assert!(y[[0, 0]].is_nan());
    assert_eq!(y[[1, 0]], 0.0);
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

/// GPT-2's activation, and another epsilon in both normalisations.
#[test]
fn options_of_a_block() {
    let case = read("block_of_gpt2");
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>, f64, GeluTanh> =
        TransformerBlock::new(&mut rng(), NormOrder::Pre, 0.0).with_epsilon(1e-3);
    let (block, x) = (case.fill(block), case.get::<shape![2, 5, 8]>("x"));
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
