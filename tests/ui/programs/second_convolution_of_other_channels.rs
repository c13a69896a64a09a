//! A list of layers, whose second convolution takes other channels than the first gives.
//!
//! The compiler says: "the input has `Dim<8>` channels, and the weights take `Dim<16>`"

use tensor_core::random::Generator;
use tensor_core::windows::Pool2dOptions;
use tensor_core::{Tensor, dim, shape};
use tensor_nn::layers::{Conv2d, MaxPool2d, Pass, Relu, Sequential};

type First = Conv2d<dim!(1), dim!(8), dim!(3), dim!(3)>;
type Second = Conv2d<dim!(16), dim!(32), dim!(3), dim!(3)>;

fn main() {
    let mut rng = Generator::seed(1);
    let (first, second) = (First::new(&mut rng), Second::new(&mut rng));
    let net = Sequential((first, Relu, MaxPool2d(Pool2dOptions::new::<2>()), second, Relu));

    let images = Tensor::<shape![32, 1, 28, 28]>::ones();
    let features = net.forward(&images, &mut Pass::eval());
    println!("{}", features.mean());
}
