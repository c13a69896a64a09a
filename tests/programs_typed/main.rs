//! Every method of `Tensor` as a program: it has the bits of the method, also within another program, with gradients
//! that are computed within and outside of it, for several floats and special values.

use std::collections::BTreeSet;

use half::bf16;
use tensor_core::{Element, Float, StaticShape, Tensor, axis};

#[path = "../../tensor-nn/tests/programs/check.rs"]
mod check;
mod complete;
mod elementwise;
mod indices;
mod reductions;
#[path = "../repository/mod.rs"]
mod repository;
mod shapes;
mod windows;

use check::{Check, numbers, numbers_shaped};

axis!(pub Rows, pub Columns, pub Found);

/// Cases with the same arguments. Each is the name of a method, and what sets it apart from others of this name.
macro_rules! cases {
    ($check:ident, $arguments:expr; $($name:expr, |$x:pat_param| $result:expr;)*) => {{
        let arguments = $arguments;
        $($check.case($name, arguments.clone(), |$x| $result);)*
    }};
}

/// Cases of methods without arguments.
macro_rules! methods {
    ($check:ident, $x:expr; $($name:ident $($axes:literal)*;)*) => {{
        let x = $x;
        $($check.case(stringify!($name), x.clone(), |x| x.$name::<$($axes),*>());)*
    }};
}
use {cases, methods};

/// A test of cases for each element type.
macro_rules! tests {
    ($($name:ident)*) => {
        $(
            #[test]
            fn $name() {
                Check::default()
                    .of::<f32>($name::cases::<f32>)
                    .of::<f64>($name::cases::<f64>)
                    .of::<bf16>($name::cases::<bf16>)
                    .finish();
            }
        )*

        /// The names of all cases.
        fn names() -> BTreeSet<&'static str> {
            Check::only_names()$(.of::<f32>($name::cases::<f32>))*.names
        }
    };
}

tests! { elementwise indices reductions shapes windows }

/// Integers from -3 to 3.
fn integers<S: StaticShape>() -> Tensor<S, i64> {
    elements(|number| (number * 5 % 7) as i64 - 3)
}

/// A mask of which about half is set.
fn mask<S: StaticShape>() -> Tensor<S, bool> {
    elements(|number| number * 5 % 7 < 4)
}

fn elements<S: StaticShape, T: Element>(element: impl Fn(usize) -> T) -> Tensor<S, T> {
    let count = S::VALUE.num_elements();
    Tensor::from_vec((0..count).map(element).collect()).expect("an element for each")
}

/// A number that every float type has.
fn number<T: Float>(number: f64) -> T {
    T::from_f64(number)
}
