//! Rewards clipped as in NumPy, and used further: one error.
//!
//! The compiler says: "NumPy's `clip` is `x.clamp(0.0, 1.0)`"
//! And: "write `x.clamp(0.0, 1.0)`"

use tensor_core::{Tensor, shape};

struct Buffer {
    rewards: Tensor<shape![2048]>,
    values: Tensor<shape![2048]>,
}

impl Buffer {
    fn advantages(&self) -> Tensor<shape![2048]> {
        let rewards = self.rewards.clip(-10.0, 10.0);
        let advantages = &rewards - &self.values;
        (&advantages - advantages.mean()) / advantages.std()
    }
}

fn main() {
    let buffer = Buffer { rewards: Tensor::ones(), values: Tensor::zeros() };
    println!("{}", buffer.advantages());
}
