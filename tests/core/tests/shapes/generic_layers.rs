//! Layers over any leading axes, as a user writes them: no bound but `Shape` and `Axis`.
#![allow(clippy::type_complexity)] // Shapes are types, and these are written out.

use tensor_core::{Axis, Float, Shape, Tensor, axis, select, shape, tensor};

axis!(Batch);
axis!(Heads);
axis!(Query);
axis!(Key);

struct Linear<I: Axis, O: Axis> {
    weight: Tensor<shape![I, O]>,
    bias: Tensor<shape![O]>,
}

impl<I: Axis, O: Axis> Linear<I, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<(Lead, I)>) -> Tensor<(Lead, O)> {
        x.dot(&self.weight) + &self.bias
    }
}

#[test]
fn linear_over_any_leading_axes() {
    let layer = Linear {
        weight: tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]],
        bias: tensor![10.0, 20.0, 30.0],
    };
    assert_eq!(layer.forward(&tensor![1.0, -1.0]), tensor![7.0, 17.0, 27.0]);
    assert_eq!(
        layer.forward(&tensor![[[1.0, 0.0]], [[0.0, 1.0]]]),
        tensor![[[11.0, 22.0, 33.0]], [[14.0, 25.0, 36.0]]]
    );
    let x = Tensor::from_fn_shaped(shape![Batch(4), 2], |[row, _]| row as f32);
    let y: Tensor<shape![Batch, 3]> = layer.forward(&x);
    assert_eq!(y[[3, 0]], 10.0 + 3.0 * 5.0);
}

/// Two layers: the axis between them belongs to the types alone.
struct Perceptron<I: Axis, H: Axis, O: Axis> {
    first: Linear<I, H>,
    second: Linear<H, O>,
}

impl<I: Axis, H: Axis, O: Axis> Perceptron<I, H, O> {
    fn forward<Lead: Shape>(&self, x: &Tensor<(Lead, I)>) -> Tensor<(Lead, O)> {
        self.second.forward(&self.first.forward(x).relu())
    }
}

#[test]
fn layers_of_layers() {
    let model = Perceptron {
        first: Linear { weight: tensor![[1.0, -1.0]], bias: tensor![0.0, 0.5] },
        second: Linear { weight: tensor![[1.0], [10.0]], bias: tensor![0.0] },
    };
    let y = model.forward(&tensor![[2.0], [-2.0]]);
    assert_eq!(y, tensor![[2.0], [25.0]]);
}

/// The mean and the deviation of the last axis, whatever is in front of it.
fn layer_norm<Lead: Shape, A: Axis>(
    x: &Tensor<(Lead, A)>,
    gain: &Tensor<shape![A]>,
    bias: &Tensor<shape![A]>,
) -> Tensor<(Lead, A)> {
    let centred = x - x.mean_axis_keepdims::<-1>();
    let variance = centred.square().mean_axis_keepdims::<-1>();
    centred / (variance + 1e-5).sqrt() * gain + bias
}

#[test]
fn layer_norm_over_any_leading_axes() {
    let (gain, bias) = (tensor![1.0, 1.0, 2.0], tensor![0.0, 0.0, 1.0]);
    let row = layer_norm(&tensor![1.0, 2.0, 3.0], &gain, &bias);
    let root = 1.5_f32.sqrt();
    assert!(row.all_close(&tensor![-root, 0.0, 2.0 * root + 1.0], 1e-4, 0.0));
    let x = Tensor::from_fn_shaped(shape![Batch(5), 4, 3], |[b, i, j]| (b * i + 7 * j) as f32);
    let y = layer_norm(&x, &gain, &bias);
    assert_eq!(y.shape(), x.shape());
    let expected: Tensor<shape![Batch, 4]> = (&y - &bias).sum_axis::<-1>();
    assert!(expected.iter().all(|sum| (sum - root).abs() < 1e-3));
}

/// The softmax, written in other operations.
fn softmax<Lead: Shape, A: Axis, T: Float>(x: &Tensor<(Lead, A), T>) -> Tensor<(Lead, A), T> {
    let exponentials = (x - x.max_axis_keepdims::<-1>()).exp();
    let sums = exponentials.sum_axis_keepdims::<-1>();
    exponentials / sums
}

#[test]
fn softmax_in_other_operations() {
    let x = Tensor::<shape![3, 5, 7], f64>::from_fn(|[i, j, k]| {
        ((i * 31 + j * 17 + k * 7) % 11) as f64
    });
    assert!(softmax(&x).all_close(&x.softmax::<-1>(), 1e-14, 0.0));
    let x = tensor![0.0_f32, 0.0];
    assert_eq!(softmax(&x), tensor![0.5, 0.5]);
}

/// Cross-entropy from logits, the classes along the last axis.
fn cross_entropy<Lead: Shape, C: Axis>(
    logits: &Tensor<(Lead, C)>,
    targets: &Tensor<(Lead, C)>,
) -> Tensor<()> {
    let each: Tensor<Lead> = -(logits.log_softmax::<-1>() * targets).sum_axis::<-1>();
    each.mean()
}

#[test]
fn a_loss_is_rank_0() {
    let logits = tensor![[0.0, 0.0], [1000.0, 0.0]];
    let targets = tensor![[1.0, 0.0], [1.0, 0.0]];
    assert_eq!(cross_entropy(&logits, &targets).item(), 2.0_f32.ln() / 2.0);
}

/// `softmax(q kᵀ / √d) v`, masked, for any axes in front.
fn attention<Lead: Shape, Q: Axis, K: Axis, D: Axis, V: Axis>(
    q: &Tensor<((Lead, Q), D)>,
    k: &Tensor<((Lead, K), D)>,
    v: &Tensor<((Lead, K), V)>,
    mask: &Tensor<shape![Q, K], bool>,
) -> Tensor<((Lead, Q), V)> {
    let scale = (q.shape().1.size() as f32).sqrt();
    let scores = q.matmul(&k.transpose()) / scale;
    let scores = select(mask, &scores, f32::NEG_INFINITY);
    scores.softmax::<-1>().matmul(v)
}

/// The same with one query at a time and plain loops.
fn attention_by_loops(q: &[f32], k: &[Vec<f32>], v: &[Vec<f32>], mask: &[bool]) -> Vec<f32> {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>();
    let weight = |key: usize| match mask[key] {
        true => (dot(q, &k[key]) / (q.len() as f32).sqrt()).exp(),
        false => 0.0,
    };
    let sum: f32 = (0..k.len()).map(weight).sum();
    (0..v[0].len()).map(|j| (0..k.len()).map(|key| weight(key) / sum * v[key][j]).sum()).collect()
}

/// Checks the attention of every batch and head against the loops.
fn check_attention(batch: usize, heads: usize) {
    let wave = |[a, b, i, j]: [usize; 4]| ((a * 5 + b * 3 + i * 7 + j * 11) as f32 * 0.37).sin();
    let lead = shape![Batch(batch), Heads(heads)];
    let q = Tensor::from_fn_shaped(shape![lead.., Query(6), 8], wave);
    let k = Tensor::from_fn_shaped(shape![lead.., Key(9), 8], wave);
    let v = Tensor::from_fn_shaped(shape![lead.., Key(9), 4], wave);
    let mask = Tensor::from_fn_shaped(shape![Query(6), Key(9)], |[q, k]| k <= q + 1);
    let result = attention(&q, &k, &v, &mask);
    for (a, b) in (0..batch).flat_map(|a| (0..heads).map(move |b| (a, b))) {
        let keys: Vec<Vec<f32>> =
            (0..9).map(|i| (0..8).map(|j| k[[a, b, i, j]]).collect()).collect();
        let values: Vec<Vec<f32>> =
            (0..9).map(|i| (0..4).map(|j| v[[a, b, i, j]]).collect()).collect();
        for i in 0..6 {
            let query: Vec<f32> = (0..8).map(|j| q[[a, b, i, j]]).collect();
            let allowed: Vec<bool> = (0..9).map(|j| mask[[i, j]]).collect();
            let row = attention_by_loops(&query, &keys, &values, &allowed);
            for (j, expected) in row.iter().enumerate() {
                assert!((result[[a, b, i, j]] - expected).abs() < 1e-5);
            }
        }
    }
}

#[test]
fn attention_over_any_leading_axes() {
    check_attention(2, 3);
    check_attention(1, 1);
    check_attention(0, 2);
    let (q, v) = (tensor![[1.0, 0.0]], tensor![[5.0], [7.0]]);
    let k = tensor![[1.0, 1.0], [1.0, -1.0]];
    assert_eq!(attention(&q, &k, &v, &tensor![[true, true]]), tensor![[6.0]]);
    assert_eq!(attention(&q, &k, &v, &tensor![[true, false]]), tensor![[5.0]]);
}

/// Pooling over the last axis but one, in any rank.
fn pool<Lead: Shape, A: Axis, B: Axis>(x: &Tensor<((Lead, A), B)>) -> Tensor<(Lead, B)> {
    x.max_axis::<-2>() + x.mean_axis::<-2>()
}

#[test]
fn axes_from_the_end_in_generic_code() {
    assert_eq!(pool(&tensor![[1.0, 2.0], [3.0, 6.0]]), tensor![5.0, 10.0]);
    let deep = Tensor::<shape![2, 3, 4, 5]>::ones();
    assert_eq!(pool(&deep), Tensor::<shape![2, 3, 5]>::full(2.0));
}
