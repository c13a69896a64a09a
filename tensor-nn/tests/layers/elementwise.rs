//! Activations and dropout.

use tensor_core::module::Module;
use tensor_core::{Tensor, shape};
use tensor_nn::layers::*;

use super::{Batch, read, rng};

#[test]
fn activations() {
    let case = read("activations");
    let x = case.get::<shape![27]>("x");
    case.check("relu", &Relu.forward(&x));
    case.check("gelu", &Gelu.forward(&x));
    case.check("gelu_tanh", &GeluTanh.forward(&x));
    case.check("silu", &Silu.forward(&x));
    case.check("tanh", &Tanh.forward(&x));
    case.check("sigmoid", &Sigmoid.forward(&x));
    case.check("softplus", &Softplus.forward(&x));
    case.check("leaky_relu", &LeakyRelu { slope: 0.1 }.forward(&x));
    case.check("elu", &Elu::default().forward(&x));
    case.check("elu_2", &Elu { alpha: 2.0 }.forward(&x));
    case.check("x", &Identity.forward(&x));

    let table = case.get::<shape![3, 4]>("table");
    case.check("softmax", &Softmax.forward(&table));
    case.check("log_softmax", &LogSoftmax.forward(&table));
}

/// Every element is 0 or divided by what is kept; a seed gives the same ones again.
#[test]
fn dropout() {
    let x: Tensor<shape![100, Batch]> = Tensor::ones_shaped(shape![100, Batch(100)]);
    for rate in [0.0, 0.25, 0.5, 1.0] {
        let dropped = Dropout::new(rate).forward(&x, &mut Pass::training(&mut rng()));
        let zeros = dropped.iter().filter(|&&x| x == 0.0).count() as f64 / 1e4;
        assert!((zeros - rate).abs() < 0.02, "{zeros} of {rate}");
        let kept = 1.0 / (1.0 - rate) as f32;
        assert!(dropped.iter().all(|&x| x == 0.0 || x == kept));
        assert_eq!(dropped, Dropout::new(rate).forward(&x, &mut Pass::training(&mut rng())));
    }
    let mut layer = Dropout::new(0.5);
    let mut pass = Pass::training(&mut rng());
    assert_ne!(layer.forward(&x, &mut pass), layer.forward(&x, &mut pass));
    assert_eq!(layer.forward(&x, &mut Pass::eval()), x);
    Module::set_training(&mut layer, false);
    assert_eq!(layer.forward(&x, &mut pass), x);
}
