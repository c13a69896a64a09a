//! The weight after attention, with the letters of its first two axes in the wrong order.
//!
//! The compiler says: "an axis of this name is `Dim<64>` before, and `Dim<8>` here"

use tensor_core::{Tensor, einsum, shape};

type Heads = Tensor<shape![512, 8, 64]>;

fn attend(x: &Tensor<shape![4, 32, 512]>, [q, k, v]: [&Heads; 3]) -> Tensor<shape![4, 8, 32, 64]> {
    let queries = einsum!(b t d, d h c -> b h t c; x, q);
    let keys = einsum!(b t d, d h c -> b h t c; x, k);
    let values = einsum!(b t d, d h c -> b h t c; x, v);
    let scores = einsum!(b h q c, b h k c -> b h q k; queries, keys) / 8.0;
    let weights = scores.softmax::<-1>();
    einsum!(b h q k, b h k c -> b h q c; weights, values)
}

fn main() {
    let x = Tensor::<shape![4, 32, 512]>::ones();
    let (weights, output) = (Heads::full(0.04), Tensor::<shape![8, 64, 512]>::full(0.04));
    let mixed = attend(&x, [&weights; 3]);
    let y: Tensor<shape![4, 32, 512]> = einsum!(b h t c, c h d -> b t d; mixed, output);
    println!("{}", (&x + &y).sum());
}
