//! A union, of which nothing says which field holds the parameters.
//!
//! The compiler says: "a union cannot be a module: which of its fields is in use is not known; write a struct or an enum"

use tensor_core::Module;

#[derive(Module)]
union Either {
    rate: f32,
    steps: u32,
}

fn main() {
    let either = Either { rate: 0.1 };
    // SAFETY: all bits are a number.
    println!("{}", unsafe { either.steps });
}
