//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

use nalgebra::SMatrix;

struct Linear<const I: usize, const O: usize> {
    weight: SMatrix<f32, I, O>,
    bias: SMatrix<f32, 1, O>,
}

impl<const I: usize, const O: usize> Linear<I, O> {
    fn forward<const N: usize>(&self, x: &SMatrix<f32, N, I>) -> SMatrix<f32, N, O> {
        let mut y = x * self.weight;
        for mut row in y.row_iter_mut() {
            row += self.bias;
        }
        y
    }
}

struct Model {
    one: Linear<784, 512>,
    two: Linear<512, 256>,
    three: Linear<256, 128>,
    four: Linear<64, 32>,
    five: Linear<32, 10>,
}

impl Model {
    fn forward<const N: usize>(&self, x: &SMatrix<f32, N, 784>) -> SMatrix<f32, N, 10> {
        let x = self.one.forward(x);
        let x = self.two.forward(&x);
        let x = self.three.forward(&x);
        let x = self.four.forward(&x);
        self.five.forward(&x)
    }
}

fn main() {
    let forward = |model: &Model, x: &SMatrix<f32, 32, 784>| model.forward(x);
    let _ = forward;
}
