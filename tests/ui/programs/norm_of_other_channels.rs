//! A block of a residual network whose first norm is for half the channels.
//!
//! The compiler says: "the layer takes `Dim<32>` channels, and its input has `Dim<64>`"

use tensor_core::random::Generator;
use tensor_core::{Module, Tensor, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Conv2d, Pass, Same2d};

#[derive(Clone, Debug, Module)]
struct Residual {
    c1: Conv2d<dim!(64), dim!(64), dim!(3), dim!(3), Same2d>,
    n1: BatchNorm2d<dim!(32)>,
    c2: Conv2d<dim!(64), dim!(64), dim!(3), dim!(3), Same2d>,
    n2: BatchNorm2d<dim!(64)>,
}

type Maps = Tensor<shape![16, 64, 56, 56]>;

impl Residual {
    fn forward(&self, x: &Maps, pass: &mut Pass) -> Maps {
        let h = self.n1.forward(&self.c1.forward(x), pass).relu();
        let h = self.n2.forward(&self.c2.forward(&h), pass);
        (x + h).relu()
    }
}

fn main() {
    let mut rng = Generator::seed(2);
    let block = Residual {
        c1: Conv2d::new(&mut rng),
        n1: BatchNorm2d::new(),
        c2: Conv2d::new(&mut rng),
        n2: BatchNorm2d::new(),
    };
    println!("{}", block.forward(&Tensor::ones(), &mut Pass::eval()).mean());
}
