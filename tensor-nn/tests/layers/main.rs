//! Every layer computes what PyTorch computes, in `f64`, with the parameters that `pytorch.py` stored.

use tensor_core::axis;
use tensor_core::random::Generator;

mod attention;
mod audio;
mod cache;
mod elementwise;
mod grouped;
mod normalization;
mod own;
mod positions;
mod recurrent;
mod sampling;
mod sequential;
mod sixteen_bits;
#[path = "../stored/mod.rs"]
mod stored;
mod windows;

use stored::Case;

/// The sizes of the cases.
type D<const N: usize> = tensor_core::Dim<N>;

fn read(name: &'static str) -> Case {
    Case::read("layers", name)
}

fn rng() -> Generator {
    Generator::seed(1)
}

axis!(pub Batch);
axis!(pub Time);
