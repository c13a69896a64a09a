//! A list of layers that ends in a head for another number of features than `Flatten` gives.
//!
//! The compiler says: "the layer takes `Dim<1342>`, and the last axis of its input is `Dim<1352>`"

use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, Flatten, Linear, MaxPool2d, Pass, Relu, Sequential};

type Convolution = Conv2d<dim!(1), dim!(8), dim!(3), dim!(3)>;
type Head = Linear<dim!(1342), dim!(10)>;

fn main() {
    let mut rng = Generator::seed(1);
    let (convolution, head) = (Convolution::new(&mut rng), Head::new(&mut rng));
    let pool = MaxPool2d(Pool2dOptions::new::<2>());
    let net = Sequential((convolution, Relu, pool, <Flatten>::new(), head));

    let images = Tensor::<shape![32, 1, 28, 28]>::ones();
    let scores = net.forward(&images, &mut Pass::eval());
    println!("{}", scores.argmax_axis::<-1>());
}
