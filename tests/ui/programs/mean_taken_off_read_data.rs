//! Data of a run-time shape, less a mean of a typed one.
//!
//! The compiler says: "one side is a `DynTensor`, and the other is `Tensor<((), Dim<30>)>`"

use tensor_core::{DynTensor, IntoTensorError, Tensor, axis, shape};

axis!(Batch);

fn read() -> DynTensor {
    DynTensor::full(&[100, 30], 1.5)
}

fn centre() -> Result<Tensor<shape![Batch, 30]>, IntoTensorError<f32>> {
    let mean = Tensor::<shape![30]>::full(1.0);
    let x = read();
    Ok(x - mean)
}

fn main() {
    match centre() {
        Ok(x) => println!("{}", x.std()),
        Err(error) => println!("wrong data: {error}"),
    }
}
