//! Operations on `f32` whose times `bench.mjs` compares: in Node.js, and on the host.

use std::hint::black_box;

use tensor_core::random::Generator;
use tensor_core::{Tensor, fuse, shape};

/// The operands: small enough for the cache of a core, and for one thread.
pub struct Operands {
    a: Tensor<shape![64, 64]>,
    b: Tensor<shape![64, 64]>,
    row: Tensor<shape![64]>,
    square: Tensor<shape![128, 128]>,
}

impl Operands {
    /// Random numbers between 0.5 and 1.
    pub fn new() -> Self {
        let rng = &mut Generator::seed(1);
        let (a, b) = (rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.0));
        Self { a, b, row: rng.uniform(0.5, 1.0), square: rng.uniform(0.5, 1.0) }
    }
}

impl Default for Operands {
    fn default() -> Self {
        Self::new()
    }
}

/// The operations, each with its name.
pub const LOOPS: &[(&str, fn(&Operands))] = &[
    ("a + b", |x| drop(black_box(&x.a + &x.b))),
    ("a + row", |x| drop(black_box(&x.a + &x.row))),
    ("fuse!(a * b + row)", |Operands { a, b, row, .. }| drop(black_box(fuse!(a * b + row)))),
    ("sqrt", |x| drop(black_box(x.a.sqrt()))),
    ("exp", |x| drop(black_box(x.a.exp()))),
    ("tanh", |x| drop(black_box(x.a.tanh()))),
    ("sum", |x| drop(black_box(x.a.sum()))),
    ("max along rows", |x| drop(black_box(x.a.max_axis::<-1>()))),
    ("softmax along rows", |x| drop(black_box(x.a.softmax::<-1>()))),
    ("transpose, copied", |x| drop(black_box(x.a.transpose().contiguous()))),
    ("matmul of 128 x 128", |x| drop(black_box(x.square.matmul(&x.square)))),
];

/// What Node.js calls; names with `_` are no checks.
#[cfg(target_family = "wasm")]
mod exports {
    use std::sync::OnceLock;

    use super::{LOOPS, Operands};

    /// Calls an operation several times; `false` if there is none of this index.
    // SAFETY: no other function of the module has the name.
    #[unsafe(no_mangle)]
    pub extern "C" fn _call(index: usize, times: usize) -> bool {
        static OPERANDS: OnceLock<Operands> = OnceLock::new();
        let operands = OPERANDS.get_or_init(Operands::new);
        let Some((_, call)) = LOOPS.get(index) else { return false };
        (0..times).for_each(|_| call(operands));
        true
    }
}
