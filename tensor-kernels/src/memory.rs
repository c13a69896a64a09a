//! The cache of freed memory.
//!
//! The memory of a dropped tensor is cached for the next one, because new memory is expensive: the
//! system zeroes every page before first use. With reused memory, `&a + &b` costs what the addition
//! costs. Elements from 2 MiB on are in huge pages where the system has them (Linux).
//!
//! | size of the elements | cached | limit | freed |
//! | --- | --- | --- | --- |
//! | below 64 bytes | by the allocator | | |
//! | up to 512 KiB | per thread | 1 MiB per thread | when the thread exits |
//! | above, and overflow of the thread cache from 128 KiB on | centrally, for all threads | [`cache_limit`], 1 GiB by default | after about 3 seconds without use, or when newer blocks need the space |
//!
//! A program that drops its tensors thus returns their memory without further calls: a background thread
//! named `tensor-memory` frees it, and runs only while the central cache holds memory. [`clear_cache`] frees
//! it at once; [`set_cache_limit`] sets the limit or switches the cache off. Results never depend on the
//! cache. Switch it off under AddressSanitizer and similar tools, so that they see every allocation.
//!
//! On `wasm32-unknown-unknown`, which has neither threads nor a clock, only the cache of the thread is used.
//!
//! Elements of more than 128 KiB are mapped and unmapped by the system; smaller ones use the
//! program's global allocator. A `Vec` that was passed in is freed as a `Vec`.
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

use crate::storage::cache;

/// Sets the limit of the central cache in bytes; 0 switches all caching off.
///
/// Memory beyond the limit is freed, least recently used first. 0 also clears the thread caches: this
/// thread's at once, those of other threads when they next make or drop a tensor.
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

/// The limit of the central cache in bytes.
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

/// Frees all cached memory; the caches of other threads when they next make or drop a tensor.
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

/// Bytes in the central cache and in this thread's cache.
///
/// A tensor may leave up to an eighth more than its elements take: capacities are rounded up to a
/// size class.
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
