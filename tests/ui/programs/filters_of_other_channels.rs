//! The second convolution takes 16 channels, and the first makes 32.
//!
//! The compiler says: "the input has `Dim<32>` channels, and the weights take `Dim<16>`"

use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, axis, dim, shape};
use tensor_nn::layers::{Conv2d, Linear, Same2d};

axis!(Batch);

struct Cnn {
    first: Conv2d<dim!(3), dim!(32), dim!(3), dim!(3), Same2d>,
    second: Conv2d<dim!(16), dim!(64), dim!(3), dim!(3), Same2d>,
    head: Linear<dim!(4096), dim!(10)>,
}

impl Cnn {
    fn forward(&self, x: &Tensor<shape![Batch, 3, 32, 32]>) -> Tensor<shape![Batch, 10]> {
        let x = self.first.forward(x).relu().max_pool2d(Pool2dOptions::new::<2>());
        let x = self.second.forward(&x).relu().max_pool2d(Pool2dOptions::new::<2>());
        let rows: Tensor<shape![Batch, 4096]> = x.flatten_axes::<-3, -1>();
        self.head.forward(&rows)
    }
}

fn main() {
    let mut rng = Generator::seed(3);
    let cnn = Cnn {
        first: Conv2d::new(&mut rng),
        second: Conv2d::new(&mut rng),
        head: Linear::new(&mut rng),
    };
    let x = Tensor::zeros_shaped(shape![Batch(16), 3, 32, 32]);
    println!("{:?}", cnn.forward(&x).shape());
}
