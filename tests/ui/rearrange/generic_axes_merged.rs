//! Generic code merges heads without saying that their sizes are static.
//!
//! The compiler says: "the size of axis `H` is not known at compile time, and neither is that of the merged axis"
//! And: "in generic code, add the bound `H: StaticAxis`"

use tensor_core::{Axis, Shape, StaticAxis, Tensor, rearrange, shape};

fn merged<Lead: Shape, H: Axis, D: StaticAxis, M: StaticAxis>(
    heads: &Tensor<shape![Lead.., H, 1024, D]>,
) -> Tensor<shape![Lead.., 1024, M]> {
    rearrange!(.. h s d -> .. s (h d); heads)
}

fn main() {
    let _ = merged::<_, _, _, tensor_core::dim!(768)>(&Tensor::<shape![12, 1024, 64]>::zeros());
}
