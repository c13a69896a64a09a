//! Vectors are divided by their lengths, which lack the axis.
//!
//! The compiler says: "cannot broadcast an axis of size `Dim<1024>` with one of size `Dim<256>`"
//! And: "(`unsqueeze` adds it); shapes align"

use tensor_core::{Tensor, shape};

fn cosine(a: &Tensor<shape![256, 1024]>, b: &Tensor<shape![512, 1024]>) -> Tensor<shape![256, 512]> {
    let a = a / a.norm_axis::<1>();
    let b = b / b.norm_axis_keepdims::<1>();
    a.dot(&b.transpose())
}

fn nearest(a: &Tensor<shape![256, 1024]>, b: &Tensor<shape![512, 1024]>) -> Vec<i64> {
    cosine(a, b).argmax_axis::<1>().to_vec()
}

fn main() {
    let queries = Tensor::<shape![256, 1024]>::ones();
    let documents = Tensor::<shape![512, 1024]>::ones();
    println!("{:?}", nearest(&queries, &documents));
}
