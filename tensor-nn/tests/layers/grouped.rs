//! Query heads that share keys and values, gated layers, and masked means.

use tensor_core::autograd::grad;
use tensor_core::{Axis, Tensor, axis, shape, tensor};
use tensor_nn::layers::*;

use super::{Batch, D, Time, read, rng};

#[test]
fn grouped_queries() {
    let case = read("grouped");
    let q = case.get::<shape![2, 6, 5, 4]>("q");
    let k = case.get::<shape![2, 2, 5, 4]>("k");
    let v = case.get::<shape![2, 2, 5, 3]>("v");
    case.check("plain", &grouped_attention(&q, &k, &v, NoMask));
    case.check("causal", &grouped_attention(&q, &k, &v, Causal));
    // The queries are the keys, so that both corners are one.
    case.check("causal", &grouped_attention(&q, &k, &v, CausalLowerRight));
    let keys = case.mask::<shape![2, 5]>("keys");
    case.check("both", &grouped_attention(&q, &k, &v, (Causal, KeyPadding(&keys))));
    case.check("both", &grouped_attention(&q, &k, &v, (KeyPadding(&keys), Causal)));
    // The first queries of the second text attend to nothing.
    let late = case.mask::<shape![2, 5]>("late");
    let y = grouped_attention(&q, &k, &v, (Causal, KeyPadding(&late)));
    case.check("both_late", &y);
    assert_eq!(y[[1, 0, 1, 0]], 0.0);

    // A head for each query is attention, and one for all is that of repeated keys.
    let each: Tensor<shape![2, 6, 5, 4], f64> = rng().normal(0.0, 1.0);
    assert_eq!(grouped_attention(&q, &each, &each, Causal), attention(&q, &each, &each, Causal));
    let one: Tensor<shape![2, 1, 5, 4], f64> = rng().normal(0.0, 1.0);
    let repeated = one.repeat::<1, 6>();
    let shared = grouped_attention(&q, &one, &one, Causal);
    assert!(shared.all_close(&attention(&q, &repeated, &repeated, Causal), 1e-12, 1e-12));
}

type Layer<C> = GroupedQueryAttention<D<10>, D<4>, D<2>, C, f64>;

#[test]
fn grouped_layers() {
    let case = read("grouped_layer");
    let layer: Layer<Halves<D<6>>> = case.fill(Layer::new(&mut rng()));
    let x = case.get::<shape![2, 5, 10]>("x");
    case.check("y", &layer.forward(&x, Causal, &mut Pass::eval()));
    let turned = layer.forward_rotary(&x, &RotaryPositions::new(), Causal, &mut Pass::eval());
    case.check("rotary", &turned);

    let case = read("grouped_layer_interleaved");
    let layer: Layer<Interleaved<D<6>>> = case.fill(Layer::new(&mut rng()));
    let x = case.get::<shape![2, 5, 10]>("x");
    let turned = layer.forward_rotary(&x, &RotaryPositions::new(), Causal, &mut Pass::eval());
    case.check("rotary", &turned);
    // The weights in the other layout give the same.
    let halves = layer.halves();
    assert_ne!(halves.q_proj.weight.to_vec(), layer.q_proj.weight.to_vec());
    let turned = halves.forward_rotary(&x, &RotaryPositions::new(), Causal, &mut Pass::eval());
    case.check("rotary", &turned);
}

#[test]
fn gated_layers() {
    let case = read("gated");
    let x = case.get::<shape![3, 6]>("x");
    case.check("glu", &<Glu>::default().forward(&x));
    type Mlp<A> = GatedMlp<D<6>, D<8>, f64, A>;
    case.check("swiglu", &case.fill(Mlp::<Silu>::new(&mut rng())).forward(&x));
    case.check("geglu", &case.fill(Mlp::<Gelu>::new(&mut rng())).forward(&x));
    case.check("geglu_tanh", &case.fill(Mlp::<GeluTanh>::new(&mut rng())).forward(&x));
    case.check("reglu", &case.fill(Mlp::<Relu>::new(&mut rng())).forward(&x));
    // In a list, and with the halves of one layer.
    let fused = Glu(Silu).forward(&x);
    let [value, gate] = x.chunk::<-1, 2>();
    assert_eq!(fused, value * Silu.forward(&gate));
    let list = Sequential((Glu(Silu), Mlp3::new(&mut rng())));
    assert_eq!(list.forward(&x, &mut Pass::eval()).shape(), shape![3, 3]);
}

type Mlp3 = SwiGlu<D<3>, D<5>, f64>;

/// Fused projections in both layouts are the same layer.
#[test]
fn fused_projections() {
    type Heads = MultiHeadAttention<D<8>, D<2>, D<4>, f64>;
    let layer: Heads = MultiHeadAttention::new(&mut rng());
    // [q k v, head, channel] to [head, q k v, channel], as GPT-NeoX stores it.
    let per_head: Tensor<shape![24, 8], f64> =
        layer.in_proj_weight.reshape::<shape![3, 2, 4, 8]>().swap_axes::<0, 1>().reshape();
    let per_head = per_head.rename_axis::<0, QkvPerHead<D<2>, D<4>>>();
    let again: Tensor<shape![QkvBlocks<D<8>>, 8], f64> = qkv_blocks(&per_head);
    assert_eq!(again, layer.in_proj_weight);

    // [In, Out], as GPT-2 stores it.
    let columns = again.transpose().reshape::<shape![In<D<8>>, Out<QkvBlocks<D<8>>>]>();
    let fused = Linear::of(columns.transpose(), layer.in_proj_bias.clone());
    assert_eq!(Heads::of_fused(fused, layer.out_proj.clone()), layer);
}

/// Axes of one size have one number of a layout only if the order of their elements is the same.
#[test]
fn numbers_of_layouts() {
    axis!(Width = 48);
    let all = [
        In::<Width>::LAYOUT,
        Out::<Width>::LAYOUT,
        ChannelAxis::<Width>::LAYOUT,
        Halves::<Width>::LAYOUT,
        Interleaved::<Width>::LAYOUT,
        Chunks::<D<2>, Halves<D<24>>>::LAYOUT,
        Chunks::<D<4>, Halves<D<12>>>::LAYOUT,
        Chunks::<D<4>, Interleaved<D<12>>>::LAYOUT,
        QkvBlocks::<D<16>>::LAYOUT,
        QkvPerHead::<D<2>, D<8>>::LAYOUT,
        QkvPerHead::<D<4>, D<4>>::LAYOUT,
        Out::<QkvBlocks<D<16>>>::LAYOUT,
        Out::<QkvPerHead<D<2>, D<8>>>::LAYOUT,
    ];
    for (index, number) in all.iter().enumerate() {
        assert!(*number != 0 && !all[..index].contains(number), "layout {index}");
    }
    assert_eq!(In::<Width>::LAYOUT, In::<D<48>>::LAYOUT);
    assert_eq!([Width::LAYOUT, D::<48>::LAYOUT, Chunks::<D<3>, D<16>>::LAYOUT], [0; 3]);
}

/// A sentence without words has the mean 0, and padding is ignored, whatever its values.
#[test]
fn masked_means() {
    let x =
        tensor![[[1.0, 2.0], [3.0, f64::NAN]], [[f64::INFINITY, f64::NAN], [f64::NAN, f64::NAN]]];
    let mask = tensor![[true, false], [false, false]];
    assert_eq!(masked_mean(&x, &mask), tensor![[1.0, 2.0], [0.0, 0.0]]);
    let gradient = grad(&x, |x| masked_mean(x, &mask).sum());
    let expected = tensor![[[1.0, 1.0], [0.0, 0.0]], [[0.0, 0.0], [0.0, 0.0]]];
    assert_eq!(gradient, expected);

    // Ragged texts, through an encoder.
    let texts = [vec![3, 1, 2], vec![4], vec![]];
    let (ids, mask) = tensor_nn::data::padded::<Batch, Time, i64>(&texts, 0);
    assert_eq!(ids.shape(), shape![Batch(3), Time(3)]);
    let table: Embedding<D<5>, D<8>> = Embedding::new(&mut rng());
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>> =
        TransformerBlock::new(&mut rng(), NormOrder::Post, 0.0);
    let words = table.forward(&ids).expect("words of the table");
    let words = block.forward(&words, KeyPadding(&mask), &mut Pass::eval());
    let sentences = masked_mean(&words, &mask);
    assert!(sentences.iter().all(|x| x.is_finite()));
    assert_eq!(sentences.index::<0>(2).to_vec(), [0.0; 8]);
    // The second text alone gives the same.
    let (ids, mask) = tensor_nn::data::padded::<Batch, Time, i64>(&texts[1..2], 0);
    let words = table.forward(&ids).expect("words of the table");
    let words = block.forward(&words, KeyPadding(&mask), &mut Pass::eval());
    let alone = masked_mean(&words, &mask);
    assert!(alone.index::<0>(0).all_close(&sentences.index::<0>(1), 1e-6, 1e-6));
}
