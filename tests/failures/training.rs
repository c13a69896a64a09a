//! Failures of gradients, layers, losses, optimisers and data.

use rand::distr::StandardUniform;
use tensor_core::autograd::{self, grad};
use tensor_core::random::Generator;
use tensor_core::trace::trace;
use tensor_core::{Axis, One, Tensor, axis, dim, shape, tensor};
use tensor_nn::audio::{LogMel, Stft};
use tensor_nn::data::{Loader, padded};
use tensor_nn::layers::{
    AdaptiveMaxPool, BatchNorm1d, Causal, CausalLowerRight, Chunks, Dropout, Embedding, Halves,
    Interleaved, KvCache, LearnedPositions, Linear, Lstm, MultiHeadAttention, Pass,
    RotaryPositions, Sequential, SinusoidalPositions,
};
use tensor_nn::losses::cross_entropy;
use tensor_nn::optim::{Adam, Optimizer, Sgd, clip_norm};
use tensor_nn::sampling::Sampler;

use crate::case::{Case, fails, panics};
use crate::typed::{batch, rows};

axis!(Hidden);
axis!(Time);

pub fn gradients() -> Vec<Case> {
    let x = tensor![1.0, 2.0].requires_grad();
    let constant = tensor![1.0, 2.0];
    let mut tracked = x.clone();
    let two = rows(2).requires_grad();
    vec![
        panics!(x.square().sum().gradients(&constant)),
        panics!(grad(&constant, |model| model.detach().sum())),
        panics!(grad(&constant, |_| constant.sum())),
        panics!(x.map(|x| x * 2.0)),
        panics!(tracked[[0]] = 1.0),
        panics!(autograd::custom(&two, |x| x.square(), |_, _| rows(3)).sum().gradients(&two)),
    ]
}

pub fn programs() -> Vec<Case> {
    let pair = (tensor![1.0_f32, 2.0], tensor![1.0_f32, 2.0]);
    let batch_of = |n| Tensor::<shape![Hidden], f32>::ones_shaped(shape![Hidden(n)]);
    let program = trace(&batch_of(4), |x| x.sum());
    let sums = trace(&pair, |(x, y)| (x.sum(), y.clone()));
    let words = trace(&tensor![0_i64, 0], |words| pair.0.take::<0, _>(words).unwrap());
    vec![
        panics!(trace(&pair.0, |x| x * x.sum().item())),
        panics!(trace(&pair.0, |x| x + Generator::seed(1).normal::<shape![2], f32>(0.0, 1.0))),
        panics!(trace(&Tensor::scalar(0), |step| Generator::at(1, step)
            .sample_dyn::<f32, _>(&[2], &StandardUniform))),
        fails!(program.run(&batch_of(3))),
        fails!(words.run(&tensor![1, 7])),
        panics!(sums.to_stablehlo_donating(1)),
    ]
}

pub fn layers() -> Vec<Case> {
    let mut rng = Generator::seed(1);
    let table: Embedding<dim!(5), dim!(2)> = Embedding::zeros();
    let scores = tensor![[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]];
    let layer = Linear::<Hidden, dim!(2)> {
        weight: Tensor::ones_shaped(shape![2, Hidden(4)]),
        bias: Tensor::ones(),
    };
    let input = |n| Tensor::<shape![Hidden], f32>::ones_shaped(shape![Hidden(n)]);
    let mut lstm: Lstm<dim!(2), dim!(2), f32, tensor_nn::layers::Forward, 2> = Lstm::new(&mut rng);
    lstm.rest.clear();
    let norm: BatchNorm1d<dim!(2)> = BatchNorm1d::new();
    let mut cache: KvCache<shape![Hidden], dim!(1), Time, dim!(2)> =
        KvCache::new(shape![Hidden(4)]);
    let token = Tensor::<shape![Hidden, 1, 1, 2]>::ones_shaped(shape![Hidden(3), 1, 1, 2]);
    let attention: MultiHeadAttention<dim!(2), dim!(1), dim!(2)> =
        MultiHeadAttention::new(&mut rng);
    let word = Tensor::<shape![Hidden, 1, 2]>::ones_shaped(shape![Hidden(4), 1, 2]);
    let mut full = cache.clone();
    attention.forward_cached(&word, &mut full, Causal);
    let mut fixed = KvCache::fixed(shape![Hidden(4)], 1);
    attention.forward_cached::<_, One, Time, _>(&word, &mut fixed, CausalLowerRight);
    let rotary: RotaryPositions<dim!(3), Halves<dim!(2)>> = RotaryPositions::new();
    let learned = LearnedPositions { weight: tensor![[1.0], [2.0], [3.0]] };
    let stft: Stft<dim!(4), dim!(3), f64> = Stft::hann(4);
    let mel = LogMel { stft: stft.clone(), filters: Tensor::<shape![3, 2], f64>::ones() };
    let odd = tensor![1.0, 2.0, 3.0].rename_axis::<0, Interleaved<dim!(3)>>();
    vec![
        panics!(layer.forward(&input(3))),
        fails!(table.forward(&tensor![1, 5])),
        panics!(Sequential((table.clone(),)).forward(&tensor![1, 5], &mut Pass::eval())),
        fails!(cross_entropy(&scores, &tensor![0, 3])),
        panics!(cross_entropy(&rows(2), &batch(3).cast::<i64>())),
        panics!(lstm.forward(&tensor![[1.0, 2.0]], &mut Pass::eval())),
        panics!(norm.forward(&tensor![[1.0, 2.0]], &mut Pass::training(&mut rng))),
        panics!(AdaptiveMaxPool::<shape![2]>::new().forward(&batch(0))),
        panics!(Chunks::<dim!(4), Hidden>::of(Hidden(usize::MAX)).size()),
        panics!(Dropout::new(1.5)),
        panics!(cache.append(&token, &token)),
        panics!(attention.forward_cached(&word, &mut full, Causal)),
        panics!(attention.forward_cached(&word, &mut fixed, Causal)),
        panics!(attention.forward_cached(&word, &mut fixed, CausalLowerRight)),
        fails!(rotary.at(&tensor![2, 3])),
        panics!(learned.forward(&tensor![[0.0], [0.0]], 2)),
        panics!(Halves::of(&odd)),
        panics!(SinusoidalPositions::<_, _, f64>::halves(shape![1, 3], 0)),
        panics!(Stft::<dim!(4), dim!(3)>::hann(0)),
        panics!(stft.power::<Time, _, _>(&tensor![0.5, 0.5])),
        panics!(mel.forward::<Time, _, _>(&tensor![0.5, 0.5, 0.5])),
        panics!(Sampler::new().top_k(0)),
        fails!(Sampler::new().sample(&tensor![0.0, f32::NAN], &mut rng)),
        fails!(Sampler::new().sample(&tensor![f32::NEG_INFINITY], &mut rng)),
    ]
}

pub fn optimizers() -> Vec<Case> {
    let mut model = vec![tensor![1.0], tensor![2.0]];
    let mut longer = vec![tensor![1.0], tensor![2.0], tensor![3.0]];
    let mut optimizer = Optimizer::new(Adam::default(), 1e-3);
    let nesterov = Sgd { nesterov: true, ..Sgd::default() };
    let mut run_time = rows(2);
    let gradient = rows(2);
    optimizer.step(&mut run_time, &gradient).expect("they fit");
    let mut other = rows(3);
    let gradient = rows(3);
    vec![
        fails!(Optimizer::new(Sgd::default(), 0.1).step(&mut model, vec![tensor![1.0]; 3])),
        fails!(Optimizer::new(Sgd::default(), 0.1).step(&mut longer, vec![tensor![1.0]; 2])),
        fails!(Optimizer::new(Sgd::default(), 0.1).step(&mut run_time, rows(3))),
        fails!(optimizer.step(&mut other, &gradient)),
        panics!(Optimizer::new(Sgd::default(), -0.1)),
        panics!(optimizer.set_rate_tensor(&Tensor::scalar(f64::NAN))),
        panics!(Optimizer::new(nesterov, 0.1)),
        panics!(clip_norm(&mut model, -1.0)),
    ]
}

pub fn data() -> Vec<Case> {
    let data = || tensor![1, 2, 3];
    let pair = (tensor![1, 2, 3], tensor![1, 2]);
    vec![
        panics!(Loader::new(data(), 0)),
        panics!(Loader::new(pair, 2)),
        panics!(Loader::new(data(), 2).epoch::<dim!(2)>(0).count()),
        panics!(padded::<dim!(2), Time, i64>(&[[1, 2]], 0)),
    ]
}
