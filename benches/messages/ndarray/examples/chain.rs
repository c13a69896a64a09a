//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

use ndarray::{Array1, Array2};

struct Linear {
    weight: Array2<f32>,
    bias: Array1<f32>,
}

impl Linear {
    fn new(inputs: usize, outputs: usize) -> Self {
        Self { weight: Array2::zeros((inputs, outputs)), bias: Array1::zeros(outputs) }
    }

    fn forward(&self, x: &Array2<f32>) -> Array2<f32> {
        x.dot(&self.weight) + &self.bias
    }
}

fn main() {
    let sizes = [(784, 512), (512, 256), (256, 128), (64, 32), (32, 10)];
    let layers = sizes.map(|(inputs, outputs)| Linear::new(inputs, outputs));
    let x = Array2::zeros((32, 784));
    let scores = layers.iter().fold(x, |x, layer| layer.forward(&x));
    println!("{scores}");
}
