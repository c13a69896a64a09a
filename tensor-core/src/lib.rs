//! Tensors whose shapes are types: `a + b` broadcasts by the rules of NumPy, PyTorch and TensorFlow
//! at compile time, and a wrong shape does not compile.
//!
//! ```
//! use tensor_core::{Tensor, shape, tensor};
//!
//! let rows: Tensor<shape![2, 3]> = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
//! let centred: Tensor<shape![2, 3]> = &rows - rows.mean_axis::<0>();
//! assert_eq!(centred, tensor![[-1.5, -1.5, -1.5], [1.5, 1.5, 1.5]]);
//! ```
//!
//! ```compile_fail,E0277
//! use tensor_core::tensor;
//!
//! // error: cannot broadcast an axis of size `Dim<3>` with one of size `Dim<2>`
//! let _ = tensor![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]] - tensor![2.0, 5.0];
//! ```
//!
//! # Where to look
//!
//! | for | see |
//! | --- | --- |
//! | shapes and sizes, as types and as values | [`shape!`], [`dim!`], [`axis!`], [`Shape`], [`Axis`] |
//! | `derive` on structs with shapes | [`macro@shapes`] |
//! | the rules of broadcasting | [`broadcast`] |
//! | making, reading, printing and viewing tensors | [`Tensor`], [`tensor!`] |
//! | arithmetic in one pass, without temporary tensors | [`fuse!`], [`mod@fuse`] |
//! | your own element-wise operations | [`zip_with`], [`Tensor::map`], [`select`] |
//! | shapes with run-time sizes | [`axis!`] for one axis, [`DynTensor`] for all |
//! | all operations, and what NumPy, PyTorch and StableHLO call them | [`guide::operations`], [`operations`](operations()) |
//! | what a message of the compiler means, by its code | [`guide::errors`] |
//! | learning to broadcast | [`guide::broadcasting`] |
//! | convolution, pooling, interpolation | [`guide::convolution`], [`windows`] |
//! | models: parameters with names, saving and loading, a summary | [`Module`], [`module`] |
//! | gradients of functions, tensors and models | [`autograd`] |
//! | functions as programs, run, drawn or compiled by XLA | [`mod@trace`] |
//! | products in `bf16` or `f16`, everything else in `f32` | [`precision`], [`guide::precision`] |
//! | layers and losses of your own | [`functional`], [`loops`], [`autograd::custom`] |
//! | crates of your own, with messages of their own | [`diagnostics`], [`guide::testing_messages`] |
//! | files of tensors and models | `io`, [`guide::checkpoints`] |
//! | random numbers and initial parameters | `random` |
//! | shapes that must not stretch by accident | [`guide::strict`], [`macro@strict`] |
//! | how freed memory is kept and given back | [`memory`] |
//! | the shape in the middle of a program | [`show_shape!`] |
//! | why two shapes broadcast or not, in words and pictures | [`explain`](explain::explain) |
//!
//! # How numbers behave
//!
//! Element types never mix silently: [`Tensor::cast`] converts. Integers wrap around on overflow,
//! in debug builds as in release builds, and panic when divided by zero. `minimum`, `maximum`, `min`
//! and `max` propagate NaN. Sums of floats are pairwise; the 16-bit floats sum in `f32`.
//!
//! # How large tensors are
//!
//! A tensor has at most `isize::MAX` bytes, and a view the same number of elements. A larger one does not
//! compile if all sizes are static; otherwise it is an error if the operation returns a `Result`, or else a
//! panic at the line of the call. Both name the sizes. A tensor with an axis of size 0 has no elements,
//! however large its other sizes are.
//!
//! # Features
//!
//! | feature | what |
//! | --- | --- |
//! | `rayon` (default) | several threads for large results, those of the crate `rayon`; without it, one |
//! | `half` | the element types `f16` and `bf16`, from the crate `half` |
//! | `npy` | [`io`]: `.npy` files of NumPy |
//! | `npz` | `.npz` files, with the crate `zip` |
//! | `safetensors` | `.safetensors` files, with the crate `safetensors` |
//! | `pt` | `.pt` files of PyTorch |
//! | `weights` | `weights!`: a file that is compared with a model at compile time |
//! | `rand` | [`random`]: seeded random tensors and initialisers |
//! | `ndarray` | [`interop`]: from and to arrays of the crate `ndarray` |
//! | `nalgebra` | from and to matrices and vectors of the crate `nalgebra` |
//! | `image` | from and to pictures of the crate `image` |
//! | `serde` | `Serialize` and `Deserialize` |

// `on_move` is of a later rustc: CONTRIBUTING.md, "Attributes that wait".
#![allow(unknown_diagnostic_attributes)]
// The modules that need it allow it, each with a reason.
#![deny(unsafe_code)]

// The macros write every name as `::tensor_core::…`, also within this crate.
extern crate self as tensor_core;

// The rows of the table of operations are macros, and so is the documentation of methods that `DynTensor` has as well.
#[macro_use]
extern crate tensor_array;
#[macro_use]
extern crate tensor_kernels;

// The layers, the lowest first: none imports a later one, which `tests/layers.rs` holds. Below all are those of
// `tensor-kernels` and `tensor-array`, which have no shape types.
#[doc(inline)]
pub use tensor_kernels::element;

// Without its half of the code, 16-bit floats would be elements that files and optimisers do not know.
const _: () = assert!(
    cfg!(feature = "half") == tensor_kernels::HALF,
    "the feature `half` of `tensor-kernels` is on, and that of `tensor-core` is off: turn on `tensor-core/half`"
);

mod shape;

mod tensor;

#[cfg(feature = "rand")]
pub mod random;

#[cfg(any(feature = "npy", feature = "safetensors"))]
pub mod io;

pub mod module;

pub mod autograd;

pub mod trace;

pub mod precision;

pub mod functional;

pub mod loops;

#[cfg(any(feature = "image", feature = "nalgebra", feature = "ndarray", feature = "serde"))]
pub mod interop;

pub mod fuse;

#[cfg(feature = "explain")]
pub mod explain;

pub mod strict;

pub mod show_shape;

pub mod diagnostics;

pub mod guide;

pub mod bounds;

pub use module::Module;
pub use shape::axis::{Axis, Dim, One, StaticAxis};
pub use shape::axis_index::{AxisIndex, AxisOf, HasAxis, HasRank, KeepDims, WithoutAxis};
pub use shape::broadcast::Broadcast;
pub use shape::join as joins;
pub use shape::run_time as run_time_axes;
pub use shape::{Shape, StaticShape};
pub use shape::{
    align, arithmetic, axis_index, axis_list, broadcast, indexing, reshape, slicing, splitting,
    views, windows,
};
#[cfg_attr(doc, doc(hidden))]
pub use tensor::other_names;
pub use tensor::{
    AxisChunks, AxisIter, IntoTensor, IntoTensorError, Operand, Tensor, broadcast_warning, select,
    zip_with, zip_with3, zip_with4,
};
#[doc(inline)]
pub use tensor_array::{
    DynTensor, EinsumError, Element, Float, IndexError, IndexingError, Iter, LengthError,
    Operation, Padding, QuantileMethod, RearrangeError, ShapeError, Sizes, memory, operations,
};
#[cfg(feature = "weights")]
pub use tensor_macros::weights;
pub use tensor_macros::{
    axes, axis, broadcast_shapes, dim, einsum, fuse, rearrange, relaxed, shape, shapes, show_shape,
    slice, strict, strictly, tensor,
};

#[doc(hidden)]
pub use tensor_array::__with_token_of_another_file;

/// Items that the macros expand to; not for use by hand.
#[doc(hidden)]
pub mod __private {
    pub use crate::fuse::{At, ReadOnce, constant, first_read, never, probe, run_fused, select};
    pub use crate::module::{
        Facts, FactsOf, FactsOrUnknown, ModuleTree, buffers, buffers_mut, no_value,
    };
    #[cfg(feature = "weights")]
    pub use crate::module::{StoredTensor, checked_weights};
    use crate::shape::StaticShape;
    pub use crate::shape::arithmetic::{Constant, Table};
    pub use crate::shape::rearrange::{
        AllOfAxis, AxisOfOne, AxisToSplit, MergedAxis, MergedParts, RestOfAxis, StaticPart,
    };
    pub use crate::show_shape::{type_of_value, type_to_show};
    pub use crate::strict::{
        one_side2, one_side3, one_side4, rank_in_place2, rank2, rank3, rank4, same_in_place2,
        same2, same3, same4, side,
    };
    use crate::tensor::Tensor;
    pub use crate::tensor::einsum::named::{
        NamedAxes, NamedLastAxes, SameName, StretchedName, UntypedAs, after, einsum, leading,
        operand, untyped,
    };
    pub use crate::tensor::rearrange::named::{all_parts, left_out, merged_as, rearrange, size};
    use tensor_kernels::element::Element;
    use tensor_kernels::storage::Storage;

    /// For benchmarks.
    pub use tensor_kernels::kernel::caches::{
        bypass_from, set_sizes as set_cache_sizes, sizes as cache_sizes,
    };
    pub use tensor_kernels::kernel::matmul::block_sizes;
    pub use tensor_kernels::ops::without_avx512;

    /// The tensor of the elements that `tensor!` counted.
    #[tensor_array_macros::bounds_without_source]
    pub fn tensor<S: StaticShape, T: Element, const N: usize>(elements: [T; N]) -> Tensor<S, T> {
        debug_assert_eq!(S::VALUE.num_elements(), N);
        Tensor::from_storage(S::VALUE, Storage::from_slice(&elements))
    }
}
