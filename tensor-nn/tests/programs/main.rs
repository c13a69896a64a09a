//! Every layer, loss, rule of an optimiser and function of the crate as a program: it has the bits of the function, also
//! within another program, with gradients that are computed within and outside of it, for all floats and special values.

use std::collections::BTreeSet;

use half::{bf16, f16};
use tensor_core::{Tensor, axis, shape};
use tensor_nn::layers::Pass;

mod audio;
mod check;
mod complete;
mod layers;
mod losses;
mod optim;
#[path = "../../../tests/repository/mod.rs"]
mod repository;
mod sequences;

use check::Check;

/// The sizes of the cases.
type D<const N: usize> = tensor_core::Dim<N>;

axis!(pub Batch);
axis!(pub Time);

/// The number of a training step.
type Step = Tensor<shape![], i64>;

/// A step of a training, whose random numbers follow from its number.
fn training(step: &Step) -> Pass {
    Pass::training_at(42, step)
}

fn step() -> Step {
    Tensor::scalar(3)
}

/// A test of cases for each element type.
macro_rules! tests {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            Check::default()
                .of::<f32>($name::cases::<f32>)
                .of::<f64>($name::cases::<f64>)
                .of::<f16>($name::cases::<f16>)
                .of::<bf16>($name::cases::<bf16>)
                .finish();
        }
    )*};
}

/// The names of all cases.
fn names() -> BTreeSet<&'static str> {
    let all: [fn(&mut Check); 5] = [
        audio::cases::<f32>,
        layers::cases::<f32>,
        losses::cases::<f32>,
        optim::cases::<f32>,
        sequences::cases::<f32>,
    ];
    all.into_iter().fold(Check::only_names(), Check::of::<f32>).names
}

tests! { audio layers losses optim sequences }
