//! How much freed memory is kept for the next tensors.
//!
//! The memory of a tensor that goes away is kept for a while, because new memory is dear: the system
//! clears every page of it before a program may touch it. Reused, the result of `&a + &b` costs what
//! the addition costs. The elements of large tensors, from 2 MiB on, also lie in huge pages where
//! the system has them (Linux).
//!
//! | elements | are kept | at most | until |
//! | --- | --- | --- | --- |
//! | below 64 bytes | by the allocator | | |
//! | up to 512 KiB | by the thread that frees them | 1 MiB for each thread | the thread ends |
//! | more, and what a thread has too much of from 128 KiB on | for all threads | the limit, at first 1 GiB | nobody took them for some 3 seconds, or newer ones need their place |
//!
//! A program that frees its tensors so gives their memory back by itself. A thread with the name
//! `tensor-memory` sees to it; it is there only while there is something to give back.
//! [`clear_cache`] gives it back at once, and [`set_cache_limit`] sets the limit or switches all of
//! this off. Results never depend on it. In a program that looks for errors in the use of memory
//! with a tool such as AddressSanitizer, switch it off: the tool then sees every tensor come and go.
//!
//! Elements of more than 128 KiB come from the system and go back to it, all others to the program's
//! allocator, which may keep them in its own way. Elements that came as a `Vec` go back where they came from.
//!
//! ```standalone_crate
//! use tensor_core::{Tensor, memory, shape};
//!
//! let a = Tensor::<shape![1024, 1024]>::ones();
//! let sum = &a + &a;
//! drop(sum);
//! assert_eq!(memory::cached_bytes(), 4 * 1024 * 1024);
//! let product = &a * &a; // in the memory of the sum
//! assert_eq!(memory::cached_bytes(), 0);
//! # drop(product);
//! ```

use crate::array::storage::cache;

/// Sets how many bytes of freed memory are kept for all threads; 0 keeps none at all.
///
/// What is kept beyond it goes back to the system, the memory that was freed first before the rest.
/// With 0, small blocks go too: those of this thread at once, those of other threads when they next
/// make or drop a tensor.
///
/// ```standalone_crate
/// use tensor_core::{Tensor, memory, shape};
///
/// memory::set_cache_limit(64 << 20);
/// drop(Tensor::<shape![1000, 1000]>::zeros());
/// assert!(memory::cached_bytes() >= 4_000_000);
///
/// memory::set_cache_limit(0);
/// assert_eq!(memory::cached_bytes(), 0);
/// drop(Tensor::<shape![1000, 1000]>::zeros());
/// assert_eq!(memory::cached_bytes(), 0);
/// ```
pub fn set_cache_limit(bytes: usize) {
    cache::set_limit(bytes);
}

/// How many bytes of freed memory are kept for all threads at most.
///
/// ```standalone_crate
/// use tensor_core::memory;
///
/// assert_eq!(memory::cache_limit(), 1 << 30);
/// memory::set_cache_limit(0);
/// assert_eq!(memory::cache_limit(), 0);
/// ```
#[must_use]
pub fn cache_limit() -> usize {
    cache::limit()
}

/// Gives all freed memory back: that of other threads when they next make or drop a tensor.
///
/// ```standalone_crate
/// use tensor_core::{Tensor, memory, shape};
///
/// drop(Tensor::<shape![1000, 1000]>::ones());
/// memory::clear_cache();
/// assert_eq!(memory::cached_bytes(), 0);
/// ```
pub fn clear_cache() {
    cache::clear();
}

/// How many bytes of freed memory are kept: for all threads, and by this thread for itself.
///
/// A tensor may leave up to an eighth more than its elements take: memory comes in few sizes, so
/// that it fits the next tensor.
///
/// ```standalone_crate
/// use tensor_core::{Tensor, memory, shape};
///
/// let matrix = Tensor::<shape![2000, 1000]>::ones();
/// assert_eq!(memory::cached_bytes(), 0);
/// drop(matrix);
/// assert!((8_000_000..9_000_000).contains(&memory::cached_bytes()));
/// ```
#[must_use]
pub fn cached_bytes() -> usize {
    cache::bytes()
}
