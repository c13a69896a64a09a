//! Generic code merges static axes without the bound that counts their elements.
//!
//! The compiler says: "the number of elements of shape `(((), H), D)` is not known here"
//! And: "add the bound `(((), H), D): CountElements`"
//! Lines: 13, as rustc shows where the bound comes from.

use tensor_core::{Shape, StaticAxis, Tensor, rearrange, shape};

fn merged<Lead: Shape, H: StaticAxis, D: StaticAxis, M: StaticAxis>(
    heads: &Tensor<shape![Lead.., H, 1024, D]>,
) -> Tensor<shape![Lead.., 1024, M]> {
    rearrange!(.. h s d -> .. s (h d); heads)
}

fn main() {
    let heads = Tensor::<shape![12, 1024, 64]>::zeros();
    let _ = merged::<_, _, _, tensor_core::dim!(768)>(&heads);
}
