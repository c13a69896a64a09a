//! A running sum of a shape and of another, which nothing relates.
//!
//! The compiler says: "in generic code, add the bound `R: AssignTo<S>`"

use tensor_core::{Shape, Tensor, shape};

/// A running sum of whatever stretches to it.
struct Running<S: Shape> {
    sum: Tensor<S>,
    count: usize,
}

impl<S: Shape> Running<S> {
    fn add<R: Shape>(&mut self, x: &Tensor<R>) {
        self.sum += x;
        self.count += 1;
    }

    fn mean(&self) -> Tensor<S> {
        &self.sum / self.count as f32
    }
}

fn main() {
    let mut running = Running { sum: Tensor::<shape![64, 768]>::zeros(), count: 0 };
    running.add(&Tensor::<shape![768]>::ones());
    running.add(&Tensor::<shape![64, 768]>::ones());
    println!("{}", running.mean().max());
}
