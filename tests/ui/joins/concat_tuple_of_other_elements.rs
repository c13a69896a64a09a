//! The second tensor of the tuple has integers.
//!
//! The compiler says: "is not a tuple of tensors with elements of type `f32`"

use tensor_core::{Tensor, shape};

fn main() {
    let train = Tensor::<shape![1024, 768]>::zeros();
    let valid = Tensor::<shape![128, 768]>::zeros();
    let test = Tensor::<shape![256, 768], i32>::zeros();
    let all = train.concat_tuple::<0, _>((&valid, &test));
    let _ = all.mean();
}
