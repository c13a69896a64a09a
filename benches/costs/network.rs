//! A small network with its training step written out: two dense layers, gelu, layer norm, softmax and
//! cross-entropy, the backward pass and the update. `--bench costs` rebuilds it and takes its time;
//! `network_ndarray.rs` is the same program with ndarray.
//!
//! It prints the loss after the last step, and the least time of a step in nanoseconds.

use std::time::{Duration, Instant};

use tensor_core::{Tensor, axis, fuse, select, shape};

axis!(Batch);

const BATCH: usize = 128;
const STEPS: usize = 40;
const RATE: f32 = 0.1;
const EPSILON: f64 = 1e-5;
/// √(2/π), and the coefficient of the cube in the approximation of gelu by tanh.
const SCALE: f32 = 0.797_884_6;
const CUBE: f32 = 0.044_715;

type Images = Tensor<shape![Batch, 784]>;
type Labels = Tensor<shape![Batch], i64>;
type Hidden = Tensor<shape![Batch, 128]>;

struct Network {
    first: Tensor<shape![784, 128]>,
    first_bias: Tensor<shape![128]>,
    gain: Tensor<shape![128]>,
    shift: Tensor<shape![128]>,
    second: Tensor<shape![128, 10]>,
    second_bias: Tensor<shape![10]>,
}

/// The derivative of `gelu_tanh`.
fn gelu_derivative(x: &Hidden) -> Hidden {
    let tanh = fuse!((SCALE * (x + CUBE * x * x * x)).tanh());
    let inner = fuse!(SCALE * (1.0 + 3.0 * CUBE * x * x));
    fuse!(0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner)
}

impl Network {
    fn new() -> Self {
        Network {
            first: Tensor::from_fn(|[i, j]| noise(i * 128 + j) / 28.0),
            first_bias: Tensor::zeros(),
            gain: Tensor::ones(),
            shift: Tensor::zeros(),
            second: Tensor::from_fn(|[i, j]| noise(i * 10 + j) / 10.0),
            second_bias: Tensor::zeros(),
        }
    }

    /// One step of gradient descent; the loss before it.
    fn step(&mut self, images: &Images, labels: &Labels) -> f32 {
        let before = images.dot(&self.first) + &self.first_bias;
        let active = before.gelu_tanh();
        let normal = active.layer_norm::<-1>(EPSILON);
        let scaled = &normal * &self.gain + &self.shift;
        let scores = scaled.dot(&self.second) + &self.second_bias;

        let digits: Tensor<shape![10], i64> = Tensor::arange();
        let is_label = labels.unsqueeze::<-1>().equal(&digits);
        let chosen = select(&is_label, scores.log_softmax::<-1>(), 0.0);
        let loss = -chosen.sum_axis::<-1>().mean();

        let probability = scores.softmax::<-1>();
        let by_scores = (probability - is_label.cast::<f32>()) / BATCH as f32;
        let by_second = scaled.transpose().matmul(&by_scores);
        let by_scaled = by_scores.dot(&self.second.transpose());
        let by_gain = (&by_scaled * &normal).sum_axis::<0>();
        let by_shift = by_scaled.sum_axis::<0>();
        let by_normal = &by_scaled * &self.gain;
        let deviation = (active.var_axis_keepdims::<-1>() + EPSILON as f32).sqrt();
        let mean = by_normal.mean_axis_keepdims::<-1>();
        let slope = (&by_normal * &normal).mean_axis_keepdims::<-1>();
        let by_active = (by_normal - mean - &normal * slope) / deviation;
        let by_before = by_active * gelu_derivative(&before);

        self.first -= images.transpose().matmul(&by_before) * RATE;
        self.first_bias -= by_before.sum_axis::<0>() * RATE;
        self.gain -= by_gain * RATE;
        self.shift -= by_shift * RATE;
        self.second -= by_second * RATE;
        self.second_bias -= by_scores.sum_axis::<0>() * RATE;
        loss.item()
    }
}

/// Numbers from -1 to 1 that seem random.
fn noise(i: usize) -> f32 {
    let bits = (i as u32 + 1).wrapping_mul(0x9e37_79b1) >> 8;
    bits as f32 / (1 << 23) as f32 - 1.0
}

fn main() {
    let pixels = (0..BATCH * 784).map(noise).collect();
    let images = Images::from_vec_shaped(shape![Batch(BATCH), 784], pixels).expect("all pixels");
    let labels = (0..BATCH as i64).map(|i| i * 7 % 10).collect();
    let labels = Labels::from_vec_shaped(shape![Batch(BATCH)], labels).expect("all labels");
    let mut network = Network::new();
    let (mut loss, mut least) = (f32::NAN, Duration::MAX);
    for _ in 0..STEPS {
        let start = Instant::now();
        loss = network.step(&images, &labels);
        least = least.min(start.elapsed());
    }
    println!("{loss} {}", least.as_nanos());
}
