//! The channels of attention are split into heads of another size, and used further on.
//!
//! The compiler says: "`reshape` keeps the number of elements: `Dim<786000, 432>` is not `Dim<393000, 216>`"

use tensor_core::{Tensor, axes, shape};

type Tokens = Tensor<shape![8, 128, 768]>;
type Scores = Tensor<shape![8, 12, 128, 128]>;

fn scores(q: &Tokens, k: &Tokens) -> Scores {
    let heads = q.reshape::<shape![8, 128, 12, 32]>();
    let queries = heads.permute::<axes![0, 2, 1, 3]>();
    let keys = k.reshape::<shape![8, 128, 12, 64]>().permute::<axes![0, 2, 1, 3]>();
    let products = queries.matmul(&keys.transpose());
    let scaled = products / 8.0;
    scaled.softmax::<-1>()
}

fn main() {
    let (q, k) = (Tokens::ones(), Tokens::ones());
    println!("{}", scores(&q, &k).sum());
}
