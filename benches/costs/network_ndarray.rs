//! `network.rs` with ndarray.

use std::time::{Duration, Instant};

use ndarray::{Array1, Array2, Axis, Zip};

const BATCH: usize = 128;
const STEPS: usize = 40;
const RATE: f32 = 0.1;
const EPSILON: f32 = 1e-5;
/// √(2/π), and the coefficient of the cube in the approximation of gelu by tanh.
const SCALE: f32 = 0.797_884_6;
const CUBE: f32 = 0.044_715;

struct Network {
    first: Array2<f32>,
    first_bias: Array1<f32>,
    gain: Array1<f32>,
    shift: Array1<f32>,
    second: Array2<f32>,
    second_bias: Array1<f32>,
}

/// The gelu, approximated by tanh.
fn gelu(x: f32) -> f32 {
    0.5 * x * (1.0 + (SCALE * (x + CUBE * x * x * x)).tanh())
}

/// The derivative of [`gelu`].
fn gelu_derivative(x: f32) -> f32 {
    let tanh = (SCALE * (x + CUBE * x * x * x)).tanh();
    let inner = SCALE * (1.0 + 3.0 * CUBE * x * x);
    0.5 * (1.0 + tanh) + 0.5 * x * (1.0 - tanh * tanh) * inner
}

fn mean_of_rows(x: &Array2<f32>) -> Array2<f32> {
    x.mean_axis(Axis(1)).expect("columns").insert_axis(Axis(1))
}

/// The softmax of every row, and its logarithm.
fn softmax(scores: &Array2<f32>) -> (Array2<f32>, Array2<f32>) {
    let largest = scores.fold_axis(Axis(1), f32::NEG_INFINITY, |a, b| a.max(*b));
    let shifted = scores - &largest.insert_axis(Axis(1));
    let exponentials = shifted.mapv(f32::exp);
    let sums = exponentials.sum_axis(Axis(1)).insert_axis(Axis(1));
    (&exponentials / &sums, shifted - sums.mapv(f32::ln))
}

impl Network {
    fn new() -> Self {
        Network {
            first: Array2::from_shape_fn((784, 128), |(i, j)| noise(i * 128 + j) / 28.0),
            first_bias: Array1::zeros(128),
            gain: Array1::ones(128),
            shift: Array1::zeros(128),
            second: Array2::from_shape_fn((128, 10), |(i, j)| noise(i * 10 + j) / 10.0),
            second_bias: Array1::zeros(10),
        }
    }

    /// One step of gradient descent; the loss before it.
    fn step(&mut self, images: &Array2<f32>, labels: &Array1<i64>) -> f32 {
        let before = images.dot(&self.first) + &self.first_bias;
        let active = before.mapv(gelu);
        let centred = &active - &mean_of_rows(&active);
        let deviation = (mean_of_rows(&(&centred * &centred)) + EPSILON).mapv(f32::sqrt);
        let normal = centred / &deviation;
        let scaled = &normal * &self.gain + &self.shift;
        let scores = scaled.dot(&self.second) + &self.second_bias;

        let is_label = Array2::from_shape_fn(scores.raw_dim(), |(i, j)| labels[i] == j as i64);
        let (probability, logarithm) = softmax(&scores);
        let mut chosen = logarithm;
        Zip::from(&mut chosen).and(&is_label).for_each(|x, is| *x = if *is { *x } else { 0.0 });
        let loss = -chosen.sum_axis(Axis(1)).mean().expect("rows");

        let by_scores = (probability - is_label.mapv(|is| f32::from(u8::from(is)))) / BATCH as f32;
        let by_second = scaled.t().dot(&by_scores);
        let by_scaled = by_scores.dot(&self.second.t());
        let by_gain = (&by_scaled * &normal).sum_axis(Axis(0));
        let by_shift = by_scaled.sum_axis(Axis(0));
        let by_normal = &by_scaled * &self.gain;
        let mean = mean_of_rows(&by_normal);
        let slope = mean_of_rows(&(&by_normal * &normal));
        let by_active = (by_normal - mean - &normal * &slope) / deviation;
        let by_before = by_active * before.mapv(gelu_derivative);

        self.first -= &(images.t().dot(&by_before) * RATE);
        self.first_bias -= &(by_before.sum_axis(Axis(0)) * RATE);
        self.gain -= &(by_gain * RATE);
        self.shift -= &(by_shift * RATE);
        self.second -= &(by_second * RATE);
        self.second_bias -= &(by_scores.sum_axis(Axis(0)) * RATE);
        loss
    }
}

/// Numbers from -1 to 1 that seem random.
fn noise(i: usize) -> f32 {
    let bits = (i as u32 + 1).wrapping_mul(0x9e37_79b1) >> 8;
    bits as f32 / (1 << 23) as f32 - 1.0
}

fn main() {
    let pixels = (0..BATCH * 784).map(noise).collect();
    let images = Array2::from_shape_vec((BATCH, 784), pixels).expect("all pixels");
    let labels = (0..BATCH as i64).map(|i| i * 7 % 10).collect();
    let mut network = Network::new();
    let (mut loss, mut least) = (f32::NAN, Duration::MAX);
    for _ in 0..STEPS {
        let start = Instant::now();
        loss = network.step(&images, &labels);
        least = least.min(start.elapsed());
    }
    println!("{loss} {}", least.as_nanos());
}
