//! Sizes up to 999,999,999, written in every way.

use tensor_core::{Axis, Dim, One, Tensor, broadcast_shapes, dim, shape};

const VOCAB: usize = 50_257;

fn main() {
    let written: dim!(50_257) = dim!(0xC451);
    let computed: Dim<50_000, 257> = dim!(50 * 1_000 + 257);
    let constant: dim!({ VOCAB }) = written;
    assert_eq!((constant, written.size()), (computed, VOCAB));

    let largest: Dim<999_000_000, 999_000, 999> = dim!(999_999_999);
    assert_eq!(largest.size(), 999_999_999);
    let stretched: broadcast_shapes![[1, 1_000_000], [999_999_999, 1]] =
        shape![999_999_999, 1_000_000];
    let _ = stretched;

    let one: One = dim!(2 - 1);
    let none: Dim<0> = dim!(0);
    assert_eq!((one.size(), none.size()), (1, 0));

    let logits = Tensor::<shape![2, { VOCAB }]>::ones() + Tensor::<shape![50_257]>::ones();
    assert_eq!(logits.sum().item(), 201_028.0);
    let flat: Tensor<shape![100_514]> = logits.flatten();
    assert_eq!(flat[[100_513]], 2.0);
}
