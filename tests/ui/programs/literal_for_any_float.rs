//! A literal is an `f64`, and the elements are of any type of floats.
//!
//! The compiler says: "cannot combine elements of type `T` with elements of type `{float}`"
//! And: "`T::from_f64(0.5)`"

use tensor_core::{Float, Shape, Tensor, shape};

fn tanh_gelu<S: Shape, T: Float>(x: &Tensor<S, T>) -> Tensor<S, T> {
    let inner = (x + x.powi(3) * T::from_f64(0.044715)) * T::from_f64(0.797_884_56);
    let half = 0.5;
    let gate = inner.tanh() + T::from_f64(1.0);
    x * &gate * half
}

fn main() {
    let x = Tensor::<shape![1024, 3072]>::full(0.3);
    println!("{}", tanh_gelu(&x).mean().item());
    let x = Tensor::<shape![10], f64>::linspace(-1.0, 1.0);
    println!("{}", tanh_gelu(&x));
}
