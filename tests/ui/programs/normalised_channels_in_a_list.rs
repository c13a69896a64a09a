//! A list of layers that normalises other channels than the convolution before gives.
//!
//! The compiler says: "the layer takes `Dim<16>` channels, and its input has `Dim<8>`"

use tensor_core::random::Generator;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{BatchNorm2d, Conv2d, Pass, Relu, Sequential};

fn main() {
    let mut rng = Generator::seed(1);
    let convolution: Conv2d<dim!(3), dim!(8), dim!(3), dim!(3)> = Conv2d::new(&mut rng);
    let net = Sequential((convolution, BatchNorm2d::<dim!(16)>::new(), Relu));

    let images = Tensor::<shape![32, 3, 32, 32]>::ones();
    let features = net.forward(&images, &mut Pass::training(&mut rng));
    println!("{}", features.mean());
}
