//! The table of element types: one row for each, from which every layer makes its part.
//!
//! A row has the name of a type, its class, and a type that it shares loops with. The class determines
//! what the layers generate for it:
//!
//! | class | 0, 1 | sums in | element-wise loops | loops of reductions |
//! | --- | --- | --- | --- | --- |
//! | `float` | `0.0`, `1.0` | the other type, itself | its own | its own |
//! | `half` | `ZERO`, `ONE` | the other type, as which it is computed | those of the other type | those of the other type |
//! | `signed` | `0`, `1` | itself, wrapping around | those of the other type, unless the sign matters | its own |
//! | `unsigned` | `0`, `1` | itself, wrapping around | its own | those of the other type, with the highest bit flipped |
//! | `boolean` | `false`, `true` | | its own | those of the other type |
//!
//! `numbers` are all but `boolean`, `floats` are `float` and `half`.
//!
//! A class `complex` has no row yet. `c32: complex f32;` would be a pair of floats, whose sums and products
//! are those of numbers, and whose loops of moves and sums are those of pairs of the other type. It has no
//! order, but `Element` requires `PartialOrd`, and its supertraits have the kernels of comparisons, `sort`
//! and `unique`. First move these to a trait of ordered types; then the row, its arms in the macros, and
//! `conj`, `real`, `imag` and `angle` as rows of `ops/unary.rs`.

/// Passes all rows to a macro, after some arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! for_each_element {
    ($then:ident $($arguments:tt)*) => { $then! { $($arguments)*
        f32: float f32;
        f64: float f64;
        #[cfg(feature = "half")]
        f16: half f32;
        #[cfg(feature = "half")]
        bf16: half f32;
        i8: signed u8;
        i16: signed u16;
        i32: signed u32;
        i64: signed u64;
        u8: unsigned i8;
        u16: unsigned i16;
        u32: unsigned i32;
        u64: unsigned i64;
        bool: boolean i8;
    } };
}

pub use for_each_element;

/// The types that are not in scope everywhere.
pub mod types {
    #[cfg(feature = "half")]
    pub use half::{bf16, f16};
}
