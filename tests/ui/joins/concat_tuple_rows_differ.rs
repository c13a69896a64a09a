//! The third table of three has another number of columns.
//!
//! The compiler says: "to concatenate along axis 0, all other axes must be equal"

use tensor_core::{Tensor, shape};

fn main() {
    let train = Tensor::<shape![1024, 768]>::zeros();
    let valid = Tensor::<shape![128, 768]>::zeros();
    let test = Tensor::<shape![256, 512]>::zeros();
    let all = train.concat_tuple::<0, _>((&valid, &test));
    let _ = all.mean();
}
