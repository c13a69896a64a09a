//! Attention that reads past positions from a cache is attention to the whole sequence.

use tensor_core::trace::trace;
use tensor_core::{One, Tensor, axis, shape, tensor};
use tensor_nn::layers::*;

use super::{Batch, D, Time, rng};

axis!(New);

type Channels = Halves<D<8>>;
type Layer<T> = GroupedQueryAttention<D<12>, D<4>, D<2>, Channels, T>;

/// A whole sequence, and the same in parts: a prompt, some positions at once, and one at a time.
#[test]
fn generation_is_attention_to_the_whole_sequence() {
    let layer: Layer<f64> = Layer::new(&mut rng());
    let x: Tensor<shape![3, 40, 12], f64> = rng().normal(0.0, 1.0);
    let positions: RotaryPositions<D<40>, Channels, f64> = RotaryPositions::new();
    let whole = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());

    type Cache = KvCache<shape![3], D<2>, Time, Channels, f64>;
    for mut cache in [Cache::new(shape![3]), Cache::fixed(shape![3], 40)] {
        let mut parts = Vec::new();
        for range in [0..5, 5..6, 6..9].into_iter().chain((9..40).map(|index| index..index + 1)) {
            let new: Tensor<shape![3, New, 12], f64> = x.slice_axis::<1, New>(range.clone());
            let indices = cache.next_positions(New(range.len()));
            let positions = positions.at(&indices).unwrap();
            let y = layer.forward_rotary_cached(&new, &positions, &mut cache, CausalLowerRight);
            assert_eq!((cache.len(), cache.position().item()), (range.end, range.end as i64));
            parts.push(y);
        }
        let parts = Tensor::concat_all::<1, D<40>>(&parts);
        assert!(parts.all_close(&whole, 1e-12, 1e-12));

        // From an earlier position on, the same again.
        cache.truncate(39);
        let last: Tensor<shape![3, 1, 12], f64> = x.slice_axis::<1, One>(39..40);
        let position = positions.part::<One>(39..40);
        let y = layer.forward_rotary_cached(&last, &position, &mut cache, CausalLowerRight);
        assert!(y.all_close(&whole.slice_axis::<1, One>(39..40), 1e-12, 1e-12));
    }
}

#[test]
fn a_cache_of_fixed_capacity_does_not_grow() {
    let message = |call: &mut dyn FnMut()| -> String {
        let call = std::panic::AssertUnwindSafe(call);
        *std::panic::catch_unwind(call).unwrap_err().downcast::<String>().unwrap()
    };
    let layer: Layer<f32> = Layer::new(&mut rng());
    let mut cache: KvCache<shape![], D<2>, Time, Channels> = KvCache::fixed(shape![], 5);
    let x: Tensor<shape![4, 12]> = rng().normal(0.0, 1.0);
    let causal = message(&mut || drop(layer.forward_cached(&x, &mut cache, Causal)));
    assert_eq!(
        causal,
        "the mask `Causal` counts the queries from position 0, and a cache of fixed capacity may have others before them: \
         use `CausalLowerRight`"
    );
    layer.forward_cached(&x, &mut cache, CausalLowerRight);
    cache.reserve(100);
    let full = message(&mut || drop(layer.forward_cached(&x, &mut cache, CausalLowerRight)));
    assert_eq!(full, "the cache has room for 5 positions: it has 4, and 4 more do not fit");
    assert_eq!((cache.len(), cache.capacity(), cache.keys().sizes()[1]), (4, 5, 5));
}

/// The values after the positions that are kept have no effect, not even those that are not finite.
#[test]
fn positions_that_are_truncated_are_zeros() {
    type Cache = KvCache<shape![], D<2>, Time, Channels>;
    let layer: Layer<f32> = Layer::new(&mut rng());
    let x: Tensor<shape![4, 12]> = rng().normal(0.0, 1.0);
    let mut cache: Cache = KvCache::fixed(shape![], 12);
    layer.forward_cached(&x, &mut cache, CausalLowerRight);
    let infinite = Tensor::<shape![2, 6, 8]>::full(f32::INFINITY).rename_axis::<-1, Channels>();
    cache.append(&infinite, &infinite);
    let before = cache.clone();
    cache.truncate(usize::MAX);
    assert_eq!((cache.len(), cache.values()), (10, before.values()));

    let truncated = |cache: &Cache| {
        let mut cache = cache.clone();
        cache.truncate(4);
        (layer.forward_cached(&x, &mut cache, CausalLowerRight), cache.values())
    };
    let (y, values) = truncated(&cache);
    assert!(values.slice_axis::<1, New>(8..12).equal(0.0).all().item());
    assert_eq!(trace(&cache, truncated).run(&cache).unwrap(), (y.clone(), values));

    let mut growing: Cache = KvCache::new(shape![]);
    layer.forward_cached(&x, &mut growing, CausalLowerRight);
    assert!(y.all_close(&layer.forward_cached(&x, &mut growing, CausalLowerRight), 1e-6, 1e-6));
}

/// Multi-head attention, with pairs in both layouts.
#[test]
fn heads_with_rotary_positions() {
    macro_rules! check {
        ($C:ty) => {
            let layer: MultiHeadAttention<D<12>, D<2>, $C, f64> =
                MultiHeadAttention::new(&mut rng());
            let x: Tensor<shape![3, 10, 12], f64> = rng().normal(0.0, 1.0);
            let positions: RotaryPositions<D<10>, $C, f64> = RotaryPositions::new();
            let whole = layer.forward_rotary(&x, &positions, Causal, &mut Pass::eval());
            let caches: [KvCache<shape![3], D<2>, Time, $C, f64>; 2] =
                [KvCache::new(shape![3]), KvCache::fixed(shape![3], 10)];
            for mut cache in caches {
                for range in [0..4, 4..6].into_iter().chain((6..10).map(|index| index..index + 1)) {
                    let new: Tensor<shape![3, New, 12], f64> =
                        x.slice_axis::<1, New>(range.clone());
                    let positions = positions.part::<New>(range.clone());
                    let y =
                        layer.forward_rotary_cached(&new, &positions, &mut cache, CausalLowerRight);
                    assert!(y.all_close(&whole.slice_axis::<1, New>(range), 1e-12, 1e-12));
                }
            }
        };
    }
    check!(Halves<D<6>>);
    check!(Interleaved<D<6>>);
}

/// `Causal` would let one token after five others attend to the first alone.
#[test]
fn a_causal_mask_begins_with_the_cache() {
    fn refusal(call: impl FnOnce()) -> String {
        let call = std::panic::AssertUnwindSafe(call);
        *std::panic::catch_unwind(call).unwrap_err().downcast::<String>().unwrap()
    }
    let expected = "the mask `Causal` counts the queries from position 0, and the cache has 5 positions before them: \
        use `CausalLowerRight`";
    let prompt: Tensor<shape![5, 12]> = rng().normal(0.0, 1.0);
    let token: Tensor<shape![1, 12]> = rng().normal(0.0, 1.0);
    let positions: RotaryPositions<D<5>, Channels> = RotaryPositions::new();
    let position = positions.part::<One>(4..5);

    let layer: Layer<f32> = Layer::new(&mut rng());
    let mut cache: KvCache<shape![], D<2>, Time, Channels> = KvCache::new(shape![]);
    layer.forward_rotary_cached(&prompt, &positions, &mut cache, Causal);
    let call = || drop(layer.forward_rotary_cached(&token, &position, &mut cache, Causal));
    assert_eq!(refusal(call), expected);
    assert_eq!(
        refusal(|| drop(layer.forward_cached(&token, &mut cache, (Causal, NoMask)))),
        expected
    );
    assert_eq!(cache.len(), 5);

    let layer: MultiHeadAttention<D<12>, D<3>, Halves<D<4>>> = MultiHeadAttention::new(&mut rng());
    let positions: RotaryPositions<D<5>, Halves<D<4>>> = RotaryPositions::new();
    let position = positions.part::<One>(4..5);
    let mut cache: KvCache<shape![], D<3>, Time, Halves<D<4>>> = KvCache::new(shape![]);
    layer.forward_cached(&prompt, &mut cache, Causal);
    assert_eq!(refusal(|| drop(layer.forward_cached(&token, &mut cache, Causal))), expected);
    let call =
        || drop(layer.forward_rotary_cached(&token, &position, &mut cache, (NoMask, Causal)));
    assert_eq!(refusal(call), expected);
    assert_eq!(cache.len(), 5);

    // No mask counts no queries.
    let y = layer.forward_cached(&token, &mut cache.clone(), None::<Causal>);
    assert_eq!(y, layer.forward_cached(&token, &mut cache, NoMask));
}

/// The keys of padding in front stay masked, in a batch with a run-time size.
#[test]
fn padded_prompts() {
    let layer: MultiHeadAttention<D<8>, D<2>, D<4>> = MultiHeadAttention::new(&mut rng());
    let x: Tensor<shape![2, 6, 8]> = rng().normal(0.0, 1.0);
    let x = x.rename_axis::<0, Batch>();
    let keys =
        tensor![[true, true, true, true, true, true], [false, false, true, true, true, true]];
    let keys = keys.rename_axis::<0, Batch>();
    let whole = layer.forward(&x, (Causal, KeyPadding(&keys)), &mut Pass::eval());
    let mut cache: KvCache<shape![Batch], D<2>, Time, D<4>> =
        KvCache::with_capacity(shape![Batch(2)], 6);
    for index in 0..6 {
        let token: Tensor<shape![Batch, 1, 8]> = x.slice_axis::<1, One>(index..index + 1);
        let so_far = keys.slice_axis::<1, Time>(0..index + 1);
        let y = layer.forward_cached(&token, &mut cache, (CausalLowerRight, KeyPadding(&so_far)));
        assert!(y.all_close(&whole.slice_axis::<1, One>(index..index + 1), 1e-6, 1e-6));
    }
    assert_eq!(cache.capacity(), 6);
    let mut cache: KvCache<shape![Batch], D<2>, Time, D<4>> = KvCache::fixed(shape![Batch(2)], 6);
    let all = keys.slice_axis::<1, Time>(0..6);
    for index in 0..6 {
        let token: Tensor<shape![Batch, 1, 8]> = x.slice_axis::<1, One>(index..index + 1);
        let y = layer.forward_cached(&token, &mut cache, (CausalLowerRight, KeyPadding(&all)));
        assert!(y.all_close(&whole.slice_axis::<1, One>(index..index + 1), 1e-6, 1e-6));
    }
}

/// Blocks of both orders, token by token.
#[test]
fn cached_blocks() {
    let x: Tensor<shape![6, 8]> = rng().normal(0.0, 1.0);
    for order in [NormOrder::Pre, NormOrder::Post] {
        let block: TransformerBlock<D<8>, D<2>, D<4>, D<16>> =
            TransformerBlock::new(&mut rng(), order, 0.3);
        let whole = block.forward(&x, Causal, &mut Pass::eval());
        type Cache = KvCache<shape![], D<2>, Time, D<4>>;
        for mut cache in [Cache::new(shape![]), Cache::fixed(shape![], 6)] {
            for index in 0..6 {
                let token: Tensor<shape![1, 8]> = x.slice_axis::<0, One>(index..index + 1);
                let y = block.forward_cached(&token, &mut cache, CausalLowerRight);
                assert!(y.all_close(&whole.slice_axis::<0, One>(index..index + 1), 1e-6, 1e-6));
            }
        }
    }
}

/// The cache is copied when its memory is full, not for each token.
#[test]
fn appending_copies_only_where_memory_is_full() {
    let mut cache: KvCache<shape![2], D<3>, Time, D<4>> = KvCache::new(shape![2]);
    let token: Tensor<shape![2, 3, 1, 4]> = Tensor::ones();
    let start = |cache: &KvCache<shape![2], D<3>, Time, D<4>>| {
        let first: Tensor<shape![1, 1, 1, 4]> = cache
            .keys()
            .slice_axis::<0, One>(0..1)
            .slice_axis::<1, One>(0..1)
            .slice_axis::<2, One>(0..1);
        first.as_slice().expect("one row").as_ptr()
    };
    let (mut moves, mut before) = (0, core::ptr::null());
    for _ in 0..1000 {
        cache.append(&token, &token);
        if start(&cache) != before {
            (before, moves) = (start(&cache), moves + 1);
        }
    }
    assert!(moves <= 8, "{moves} copies for 1,000 tokens");

    let mut cache: KvCache<shape![2], D<3>, Time, D<4>> = KvCache::with_capacity(shape![2], 1000);
    cache.append(&token, &token);
    let before = start(&cache);
    (0..999).for_each(|_| cache.append(&token, &token));
    assert_eq!(start(&cache), before);

    // Tensors that are alive, and clones, keep what they have.
    let keys = cache.keys();
    let mut other = cache.clone();
    other.truncate(500);
    other.append(&(&token * 2.0), &token);
    assert_eq!(keys, cache.keys());
    assert_eq!(other.keys()[[0, 0, 500, 0]], 2.0);
    assert_eq!(cache.keys()[[0, 0, 500, 0]], 1.0);
}

#[test]
fn what_is_appended_fits() {
    let mut cache: KvCache<shape![Batch], One, Time, D<2>> = KvCache::new(shape![Batch(2)]);
    let token: Tensor<shape![Batch, 1, 1, 2]> = Tensor::ones_shaped(shape![Batch(3), 1, 1, 2]);
    let append = std::panic::AssertUnwindSafe(|| cache.append(&token, &token));
    let panic = std::panic::catch_unwind(append).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(message.contains("[2, 1, 0, 2]") && message.contains("[3, 1, 1, 2]"), "{message}");
    assert!(cache.is_empty());
}

/// A cache has no gradient, and does not keep graphs alive.
#[test]
fn caches_are_detached() {
    let mut cache: KvCache<shape![], One, Time, D<2>> = KvCache::new(shape![]);
    let token: Tensor<shape![1, 1, 2]> = Tensor::ones().requires_grad();
    cache.append(&(&token * 2.0), &token);
    assert!(!cache.keys().is_tracked() && !cache.values().is_tracked());
}
