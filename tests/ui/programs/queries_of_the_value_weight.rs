//! Queries made by the weight of the values do not match the keys, for any sizes of both.
//!
//! The compiler says: "the last axis of the left side is `V`, the second last axis of the right side is `D`"

use tensor_core::{Axis, Shape, Tensor, shape};

struct Attention<C: Axis, D: Axis, V: Axis> {
    query: Tensor<shape![C, D]>,
    key: Tensor<shape![C, D]>,
    value: Tensor<shape![C, V]>,
}

impl<C: Axis, D: Axis, V: Axis> Attention<C, D, V> {
    fn forward<Lead: Shape, N: Axis>(&self, x: &Tensor<shape![Lead.., N, C]>) -> Tensor<shape![Lead.., N, V]> {
        let q = x.dot(&self.value);
        let k = x.dot(&self.key);
        let v = x.dot(&self.value);
        (q.matmul(&k.transpose()) * 0.125).softmax::<-1>().matmul(&v)
    }
}

fn main() {
    let a = Attention {
        query: Tensor::<shape![768, 64]>::full(0.1),
        key: Tensor::full(0.1),
        value: Tensor::<shape![768, 128]>::full(0.1),
    };
    println!("{}", a.forward(&Tensor::<shape![2, 1024, 768]>::ones()).mean().item());
}
