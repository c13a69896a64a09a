//! Features of two branches, joined: the sum of two sizes that are parameters.
//!
//! The compiler says: "the size `<A as StaticAxis>::Size` is not known here"
//! And: "`A: AddSizes<B, Output = N>`, with `use tensor_core::arithmetic::AddSizes`"
//! Lines: 13, as rustc proposes a bound

use tensor_core::{Axis, Shape, StaticAxis, Tensor, shape};

struct Branches<I: Axis, A: StaticAxis, B: StaticAxis> {
    narrow: Tensor<shape![I, A]>,
    wide: Tensor<shape![I, B]>,
}

impl<I: Axis, A: StaticAxis, B: StaticAxis> Branches<I, A, B> {
    fn forward<Lead: Shape, N: Axis>(
        &self,
        x: &Tensor<shape![Lead.., I]>,
    ) -> Tensor<shape![Lead.., N]> {
        x.dot(&self.narrow).concat::<-1, _>(&x.dot(&self.wide)).relu()
    }
}

fn main() {}
