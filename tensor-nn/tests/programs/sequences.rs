//! Attention, transformers, caches and recurrent layers.

use tensor_core::random::Generator;
use tensor_core::{Float, One, StaticAxis, Tensor, axes, dim, shape, slice, tensor};
use tensor_nn::layers::*;

use super::check::{Check, Expected, numbers, numbers_shaped};
use super::{Batch, D, Time, step, training};

pub fn cases<T: Float>(check: &mut Check) {
    masks::<T>(check);
    attention_layers::<T>(check);
    caches::<T>(check);
    transformers::<T>(check);
    recurrent::<T>(check);
}

type Heads<T> = Tensor<shape![2, 4, 5, 6], T>;
type Shared<T> = Tensor<shape![2, 2, 5, 6], T>;

fn masks<T: Float>(check: &mut Check) {
    let (q, k, v): (Heads<T>, Heads<T>, Heads<T>) = (numbers(), numbers(), numbers());
    let (q, k) = (q * T::from_f64(2.0), k.flip::<axes![3]>());
    let (shared, values): (Shared<T>, Shared<T>) = (numbers(), numbers());
    // The third query may attend to no key.
    let allowed = Tensor::<shape![5, 5], bool>::from_fn(|[q, k]| q != 2 && (q + k) % 3 > 0);
    let is_word = tensor![[true, true, false, true, false], [false, false, false, false, false]];
    let mut bias: Tensor<shape![5, 5], T> = numbers();
    bias.assign_slice(slice![2, ..], T::from_f64(f64::NEG_INFINITY));
    macro_rules! masks {
        ($($name:literal, $arguments:expr, |$given:pat_param| $mask:expr;)*) => {$(
            let inputs = ($arguments, q.clone(), k.clone(), v.clone());
            check.case(concat!("attention::attention ", $name), inputs, |($given, q, k, v)| {
                attention(q, k, v, $mask)
            });
            let inputs = ($arguments, q.clone(), shared.clone(), values.clone());
            check.case(
                concat!("grouped_attention::grouped_attention ", $name),
                inputs,
                |($given, q, k, v)| grouped_attention(q, k, v, $mask),
            );
        )*};
    }
    masks! {
        "NoMask", (), |_| NoMask;
        "Causal", (), |_| Causal;
        "CausalLowerRight", (), |_| CausalLowerRight;
        "Allowed", allowed.clone(), |allowed| Allowed(allowed);
        "KeyPadding", is_word.clone(), |is_word| KeyPadding(is_word);
        "AdditiveMask", bias.clone(), |bias| AdditiveMask(bias);
        "two masks", (allowed.clone(), bias.clone()), |(a, b)| (AdditiveMask(b), (Causal, Allowed(a)));
    }
    // Computed in parts by the function.
    let many: Tensor<shape![1, 1040, 3], T> = numbers();
    check.case("attention::attention many", many, |x| attention(x, x, x, CausalLowerRight));
    let tiny: Tensor<shape![2, 2], T> = numbers();
    check.case("attention::attention tiny", tiny, |x| attention(x, x, x, NoMask));
}

fn attention_layers<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(1);
    let x = numbers_shaped::<shape![Batch, 5, 8], T>(shape![Batch(2), 5, 8]);
    let context = numbers_shaped::<shape![Batch, 3, 8], T>(shape![Batch(2), 3, 8]);
    let layer: MultiHeadAttention<D<8>, D<2>, D<4>, T> = MultiHeadAttention::new(rng);
    check.case("attention::forward", (layer.clone(), x.clone()), |(layer, x)| {
        layer.forward(x, Causal, &mut Pass::eval())
    });
    let mut dropping = layer.clone();
    dropping.dropout.rate = 0.25;
    check.case("attention::forward training", (dropping, step(), x.clone()), |(layer, step, x)| {
        layer.forward(x, NoMask, &mut training(step))
    });
    check.case(
        "attention::cross",
        (layer.clone(), context.clone(), x.clone()),
        |(layer, context, x)| layer.cross(x, context, NoMask, &mut Pass::eval()),
    );
    check.case(
        "attention::cross_cached",
        (layer.clone(), context.clone(), x.clone()),
        |(layer, context, x)| {
            let [keys, values] = layer.keys_and_values(context);
            layer.cross_cached(x, &keys, &values, NoMask)
        },
    );
    check.case("attention::keys_and_values", (layer, x.clone()), |(layer, x)| {
        Vec::from(layer.keys_and_values(x))
    });
    type Part<T> = Linear<D<8>, D<8>, T>;
    let parts: [Part<T>; 4] = std::array::from_fn(|_| Linear::new(rng));
    check.case("attention::of", (parts.to_vec(), x.clone()), |(parts, x)| {
        let layer: MultiHeadAttention<D<8>, D<2>, D<4>, T> =
            MultiHeadAttention::of(&parts[0], &parts[1], &parts[2], parts[3].clone());
        layer.forward(x, Causal, &mut Pass::eval())
    });
    let fused: Linear<D<8>, QkvBlocks<D<8>>, T> = Linear { weight: numbers(), bias: numbers() };
    check.case("attention::of_fused", (fused, parts[0].clone(), x.clone()), |(fused, out, x)| {
        let layer: MultiHeadAttention<D<8>, D<2>, D<4>, T> =
            MultiHeadAttention::of_fused(fused.clone(), out.clone());
        layer.forward(x, NoMask, &mut Pass::eval())
    });
    let layer: MultiHeadAttention<D<8>, D<2>, Halves<D<4>>, T> = MultiHeadAttention::new(rng);
    check.case("attention::forward_rotary", (layer, x.clone()), |(layer, x)| {
        layer.forward_rotary(x, &RotaryPositions::new(), Causal, &mut Pass::eval())
    });

    let layer: GroupedQueryAttention<D<8>, D<4>, D<2>, D<3>, T> = GroupedQueryAttention::new(rng);
    check.case("grouped_attention::forward", (layer.clone(), x.clone()), |(layer, x)| {
        layer.forward(x, Causal, &mut Pass::eval())
    });
    let mut dropping = layer;
    dropping.dropout.rate = 0.25;
    check.case(
        "grouped_attention::forward training",
        (dropping, step(), x.clone()),
        |(layer, step, x)| layer.forward(x, NoMask, &mut training(step)),
    );
    let layer: GroupedQueryAttention<D<8>, D<4>, dim!(1), Interleaved<D<4>>, T> =
        GroupedQueryAttention::new(rng);
    check.case("grouped_attention::forward_rotary", (layer.clone(), x.clone()), |(layer, x)| {
        layer.forward_rotary(x, &RotaryPositions::new(), Causal, &mut Pass::eval())
    });
    check.case("grouped_attention::halves", (layer, x), |(layer, x)| {
        layer.halves().forward_rotary(x, &RotaryPositions::new(), Causal, &mut Pass::eval())
    });
}

fn caches<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(2);
    type New<T> = Tensor<shape![2, 3, 4], T>;
    check.case("kv_cache::append", numbers::<shape![2, 3, 4], T>(), |x| {
        let mut cache = KvCache::<(), D<2>, Time, D<4>, T>::new(());
        cache.append(x, &(x * x));
        cache.reserve(5);
        cache.append(&x.exp(), x);
        cache.truncate(4);
        cache.append::<D<3>>(x, &Tensor::ones());
        let y: New<T> = x.tanh();
        cache.append(&y, &y);
        (cache.keys(), cache.values())
    });
    // What is cached before the function is constant.
    let before = numbers::<shape![2, 3, 4], T>();
    check.case("kv_cache::append after constants", before.clone(), |x| {
        let mut cache = KvCache::<(), D<2>, Time, D<4>, T>::with_capacity((), 2);
        cache.append(&before, &before);
        cache.append(x, x);
        (cache.keys(), cache.values())
    });
    let x = numbers::<shape![2, 4, 8], T>();
    let new = numbers::<shape![2, 1, 8], T>();
    let layer: MultiHeadAttention<D<8>, D<2>, D<4>, T> = MultiHeadAttention::new(rng);
    check.case("attention::forward_cached", (layer, x.clone(), new.clone()), |(layer, x, new)| {
        let mut cache = KvCache::<_, D<2>, Time, D<4>, T>::new(shape![2]);
        let first = layer.forward_cached(x, &mut cache, CausalLowerRight);
        (first, layer.forward_cached(new, &mut cache, CausalLowerRight))
    });
    let layer: MultiHeadAttention<D<8>, D<2>, Halves<D<4>>, T> = MultiHeadAttention::new(rng);
    check.case(
        "attention::forward_rotary_cached",
        (layer, x.clone(), new.clone()),
        |(layer, x, new)| {
            let all: RotaryPositions<D<5>, Halves<D<4>>, T> = RotaryPositions::new();
            let mut cache = KvCache::<_, D<2>, Time, Halves<D<4>>, T>::new(shape![2]);
            let first =
                layer.forward_rotary_cached(x, &all.part(0..4), &mut cache, CausalLowerRight);
            let mask = CausalLowerRight;
            (first, layer.forward_rotary_cached(new, &all.part(4..5), &mut cache, mask))
        },
    );
    let layer: GroupedQueryAttention<D<8>, D<4>, D<2>, Halves<D<4>>, T> =
        GroupedQueryAttention::new(rng);
    let fixed = KvCache::<_, D<2>, Time, Halves<D<4>>, T>::fixed(shape![2], 6);
    check.case("kv_cache::position", fixed.clone(), |cache| cache.position() + 1);
    check.case("kv_cache::next_positions", fixed.clone(), |cache| {
        cache.next_positions(D::<4>::VALUE)
    });
    let rows = (tensor![2, 0], numbers::<shape![3, 2, Halves<D<4>>], T>());
    check.case("rotary::at", rows, |(indices, x)| {
        let all: RotaryPositions<D<6>, Halves<D<4>>, T> = RotaryPositions::new();
        all.at(indices).expect("positions").forward(x)
    });
    check.case(
        "grouped_attention::forward_rotary_cached of fixed capacity",
        (layer.clone(), x.clone(), new.clone(), fixed),
        |(layer, x, new, cache)| {
            let all: RotaryPositions<D<6>, Halves<D<4>>, T> = RotaryPositions::new();
            let mut cache = cache.clone();
            let positions = all.at(&cache.next_positions(D::<4>::VALUE)).expect("positions");
            let first = layer.forward_rotary_cached(x, &positions, &mut cache, CausalLowerRight);
            let position = all.at(&cache.next_positions(One)).expect("a position");
            let last = layer.forward_rotary_cached(new, &position, &mut cache, CausalLowerRight);
            cache.truncate(4);
            (first, last, cache)
        },
    );
    check.case(
        "grouped_attention::forward_cached",
        (layer.clone(), x.clone(), new.clone()),
        |(layer, x, new)| {
            let mut cache = KvCache::<_, D<2>, Time, Halves<D<4>>, T>::new(shape![2]);
            let first = layer.forward_cached(x, &mut cache, CausalLowerRight);
            (first, layer.forward_cached(new, &mut cache, CausalLowerRight))
        },
    );
    check.case(
        "grouped_attention::forward_rotary_cached",
        (layer, x.clone(), new.clone()),
        |(layer, x, new)| {
            let all: RotaryPositions<D<5>, Halves<D<4>>, T> = RotaryPositions::new();
            let mut cache = KvCache::<_, D<2>, Time, Halves<D<4>>, T>::new(shape![2]);
            let first =
                layer.forward_rotary_cached(x, &all.part(0..4), &mut cache, CausalLowerRight);
            let mask = CausalLowerRight;
            (first, layer.forward_rotary_cached(new, &all.part(4..5), &mut cache, mask))
        },
    );
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<12>, T> =
        TransformerBlock::new(rng, NormOrder::Pre, 0.0);
    check.case("transformer::forward_cached", (block, x, new), |(layer, x, new)| {
        let mut cache = KvCache::<_, D<2>, Time, D<4>, T>::new(shape![2]);
        let first = layer.forward_cached(x, &mut cache, CausalLowerRight);
        (first, layer.forward_cached(new, &mut cache, CausalLowerRight))
    });
}

fn transformers<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(3);
    let x = numbers_shaped::<shape![2, Time, 8], T>(shape![2, Time(4), 8]);
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<12>, T, GeluTanh> =
        TransformerBlock::new(rng, NormOrder::Pre, 0.25).with_epsilon(1e-4);
    check.case("transformer::forward Pre", (block.clone(), x.clone()), |(block, x)| {
        block.forward(x, Causal, &mut Pass::eval())
    });
    check.case("transformer::forward training", (block, step(), x.clone()), |(block, step, x)| {
        block.forward(x, Causal, &mut training(step))
    });
    let block: TransformerBlock<D<8>, D<2>, D<4>, D<12>, T> =
        TransformerBlock::new(rng, NormOrder::Post, 0.0);
    check.case("transformer::forward Post", (block.clone(), x.clone()), |(block, x)| {
        block.forward(x, NoMask, &mut Pass::eval())
    });
    check.case("transformer::forward checkpoint", (block, step(), x), |(block, step, x)| {
        let mut pass = training(step);
        let weight = &block.linear1.weight;
        let block = block.clone();
        pass.checkpoint((x, weight), move |(x, weight), pass| {
            let mut block = block.clone();
            block.linear1.weight = weight.clone();
            block.forward(x, Causal, pass)
        })
    });
}

fn recurrent<T: Float>(check: &mut Check) {
    let rng = &mut Generator::seed(4);
    let x = numbers_shaped::<shape![2, Time, 3], T>(shape![2, Time(4), 3]);
    let one = numbers::<shape![2, 3], T>();
    let loops =
        Expected::BitsButGradients("a loop adds the gradients of its steps one after the other");
    let layer: Lstm<D<3>, D<5>, T> = Lstm::new(rng);
    check.case_of(loops, "recurrent::forward Lstm", (layer.clone(), x.clone()), |(layer, x)| {
        let (y, [state]) = layer.forward(x, &mut Pass::eval());
        (y, state)
    });
    check.case_of(
        loops,
        "recurrent::forward_from Lstm",
        (layer.clone(), x.clone()),
        |(layer, x)| {
            let (y, states) = layer.forward(x, &mut Pass::eval());
            let (z, [state]) = layer.forward_from(x, states, &mut Pass::eval());
            (y, z, state)
        },
    );
    check.case("recurrent::step Lstm", (layer, one.clone()), |(layer, x)| {
        let first = layer.first_state(shape![2]);
        let (y, states) = layer.step(x, first, &mut Pass::eval());
        let (z, [state]) = layer.step(&(x * x), states, &mut Pass::eval());
        (y, z, state)
    });
    let mut layer: Gru<D<3>, D<5>, T, Bidirectional, 2> = Gru::new(rng);
    layer.dropout.rate = 0.25;
    check.case_of(
        loops,
        "recurrent::forward Gru in both directions",
        (layer, step(), x.clone()),
        |(layer, step, x)| {
            let (y, [[a, b], [c, d]]) = layer.forward(x, &mut training(step));
            (y, (a, b, c, d))
        },
    );
    let mut layer: Gru<D<3>, D<5>, T, Forward, 2> = Gru::new(rng);
    layer.dropout.rate = 0.25;
    check.case("recurrent::step Gru", (layer, step(), one.clone()), |(layer, step, x)| {
        let (y, [a, b]) = layer.step(x, layer.first_state(shape![2]), &mut training(step));
        (y, a, b)
    });
    let layer: Lstm<D<3>, D<5>, T, Bidirectional> = Lstm::new(rng);
    check.case_of(loops, "recurrent::forward Lstm in both directions", (layer, x), |(layer, x)| {
        let (y, [[a, b]]) = layer.forward(x, &mut Pass::eval());
        (y, a, b)
    });
    let cell: LstmCell<D<3>, D<5>, T> = LstmCell::new(rng);
    check.case("layer::step LstmCell", (cell, one.clone()), |(cell, x)| {
        let state = cell.step(x, &cell.first_state(shape![2]));
        cell.step(&(x * x), &state)
    });
    let cell: GruCell<D<3>, D<5>, T> = GruCell::new(rng);
    check.case("layer::step GruCell", (cell, one), |(cell, x)| {
        let state = cell.step(x, &cell.first_state(shape![2]));
        cell.step(&(x * x), &state)
    });
}
