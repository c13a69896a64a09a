//! `[Batch, Hidden]` has no place for the `Seq` of `[Batch, Seq, Hidden]`: aligned at the end, it
//! is paired with `Batch`.
//!
//! The compiler says: "cannot broadcast an axis of size `Seq` with one of size `Batch`"
//! And: "a name or a type parameter equals itself alone, whatever its size: `rename_axis` names an axis, `slice` a part of one [T102]"

use tensor_core::{Tensor, axis, shape};

axis!(Batch, Seq, Hidden = 768);
fn add(x: &Tensor<shape![Batch, Seq, Hidden]>, y: &Tensor<shape![Batch, Hidden]>) {
    let _ = x + y;
}

fn main() {}
