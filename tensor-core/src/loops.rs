//! Loops over elements in your own layers and optimisers: with the best instruction set of the machine, on several threads.
//!
//! ```
//! use tensor_core::loops::{for_each_part, with_best_instructions};
//! use tensor_core::{Tensor, shape};
//!
//! /// The parameters less `rate` times their gradient.
//! fn step(parameters: &mut [f32], gradient: &[f32], rate: f32) {
//!     let bytes = 3 * size_of_val(gradient);
//!     for_each_part(parameters, bytes, 1, |start, parameters| {
//!         with_best_instructions(
//!             #[inline(always)]
//!             || {
//!                 for (x, &g) in parameters.iter_mut().zip(&gradient[start..]) {
//!                     *x -= rate * g;
//!                 }
//!             },
//!         );
//!     });
//! }
//!
//! let mut x = Tensor::<shape![1000]>::ones();
//! step(x.as_mut_slice(), &[2.0; 1000], 0.25);
//! assert_eq!(x, Tensor::full(0.5));
//! ```

use tensor_kernels::kernel::{isa_fns, parallel};

/// Calls `work`, compiled for the best instruction set that this machine has: AVX-512, AVX2, or the baseline of the build.
///
/// The loops have to be inlined into the closure, and the closure is marked `#[inline(always)]`: functions that it calls are
/// compiled for the baseline. Multiplications and additions are not contracted, so results are bit-identical on all machines.
///
/// ```
/// use tensor_core::loops::with_best_instructions;
///
/// let (mut x, y) = ([1.0_f32; 100], [2.0; 100]);
/// with_best_instructions(
///     #[inline(always)]
///     || x.iter_mut().zip(&y).for_each(|(x, y)| *x += y),
/// );
/// assert_eq!(x, [3.0; 100]);
/// ```
#[inline]
pub fn with_best_instructions<R>(work: impl FnOnce() -> R) -> R {
    isa_fns::with_best_isa(
        #[inline(always)]
        |_| work(),
    )
}

/// Calls `work` with parts of the results and the index of the first result of each: on several threads if computing
/// all of them moves many `bytes`, otherwise once.
///
/// The length of each part but the last is a multiple of `unit`. Calls share nothing but what they borrow, so results
/// do not depend on the number of threads.
///
/// # Panics
///
/// If `unit` is 0, or if a call of `work` panics.
///
/// ```
/// use tensor_core::loops::for_each_part;
///
/// // The sums of rows of 1000 elements.
/// let elements = vec![0.5; 1_000_000];
/// let mut sums = vec![0.0; 1000];
/// for_each_part(&mut sums, size_of_val(&elements[..]), 1, |start, sums| {
///     for (sum, row) in sums.iter_mut().zip(elements[start * 1000..].chunks_exact(1000)) {
///         *sum = row.iter().sum();
///     }
/// });
/// assert_eq!(sums, [500.0; 1000]);
/// ```
pub fn for_each_part<W: Send>(
    results: &mut [W],
    bytes: usize,
    unit: usize,
    work: impl Fn(usize, &mut [W]) + Sync,
) {
    assert_ne!(unit, 0, "parts are multiples of a unit of at least one result");
    parallel::for_each_part_weighted(results, bytes, unit, work);
}
