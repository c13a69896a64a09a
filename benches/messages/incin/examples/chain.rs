//! Five layers, of which the fourth takes 64 numbers where the third gives 128.

use incin::prelude::*;

#[module]
struct Model {
    one: Linear<s![784, 512]>,
    two: Linear<s![512, 256]>,
    three: Linear<s![256, 128]>,
    four: Linear<s![64, 32]>,
    five: Linear<s![32, 10]>,
}

impl Model {
    fn forward(
        &self,
        x: Tensor<s![32, 784]>,
    ) -> Result<Tensor<s![32, 10], DefaultBackend, f32, Grad>> {
        let x = self.one.forward(x)?.relu()?;
        let x = self.two.forward(x)?.relu()?;
        let x = self.three.forward(x)?.relu()?;
        let x = self.four.forward(x)?.relu()?;
        self.five.forward(x)
    }
}

fn main() {
    let forward = |model: &Model, x| model.forward(x);
    let _ = forward;
}
