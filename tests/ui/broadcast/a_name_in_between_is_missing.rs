//! `[Batch, Hidden]` has no place for the `Seq` of `[Batch, Seq, Hidden]`: aligned at the end, it
//! is paired with `Batch`.
//!
//! The compiler says: "cannot broadcast an axis of size `Seq` with one of size `Batch`"
//! And: "a named axis or type parameter matches only itself [T102]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Seq, Hidden = 768);
fn add(x: &Tensor<shape![Batch, Seq, Hidden]>, y: &Tensor<shape![Batch, Hidden]>) {
    let _ = x + y;
}

fn main() {}
