//! A projection onto components that are laid out as rows: no message about the result.
//!
//! The compiler says: "the first axis of the matrix on the right side is `Dim<32>`"

use tensor_core::{Tensor, shape};

type Faces = Tensor<shape![400, 4096]>;
type Components = Tensor<shape![32, 4096]>;

fn project(x: &Faces, components: &Components) -> Tensor<shape![400, 32]> {
    let mean = x.mean_axis::<0>();
    (x - mean).dot(components)
}

fn restore(codes: &Tensor<shape![400, 32]>, components: &Components) -> Faces {
    codes.dot(components)
}

fn main() {
    let faces = Faces::from_fn(|[i, p]| ((i * 7 + p) % 256) as f32 / 255.0);
    let components = Components::full(1.0 / 64.0);
    let codes = project(&faces, &components);
    let back = restore(&codes, &components);
    println!("{}", (back - &faces).square().mean().item());
}
