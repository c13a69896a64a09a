//! The element type that products of `f32` are computed in, which `autocast` of `tensor-core` sets for a thread.
//!
//! The functions of each type are in the crate above, because their conversions are nodes of graphs.

use core::cell::Cell;
use core::sync::atomic::{AtomicUsize, Ordering};

use crate::array_ref::ArrayRef;
use crate::layout::Layout;
use crate::ops::ProductCall;
use crate::storage::Storage;

/// An element type that products of `f32` are computed in.
#[derive(Debug)]
pub struct Autocast {
    /// Its name, as Rust writes it.
    pub element: &'static str,
    /// The product of two arrays, whose elements are rounded to the type; the sums are rounded to it as well.
    pub product:
        fn(&ProductCall<'_>, ArrayRef<'_, f32>, ArrayRef<'_, f32>) -> (Storage<f32>, Layout),
}

/// The number of scopes with a type on all threads: while there is none, a product reads nothing else.
static SCOPES: AtomicUsize = AtomicUsize::new(0);

thread_local! {
    static CURRENT: Cell<Option<&'static Autocast>> = const { Cell::new(None) };
}

/// The type that this thread computes products of `f32` in, if it is another one.
#[inline(always)]
pub fn autocast() -> Option<&'static Autocast> {
    if SCOPES.load(Ordering::Relaxed) == 0 { None } else { of_thread() }
}

#[cold]
#[inline(never)]
fn of_thread() -> Option<&'static Autocast> {
    CURRENT.get()
}

/// Calls a function whose products of `f32` are computed in a type, `None` for `f32`; restores the previous one, also after
/// a panic.
pub fn with_autocast<R>(to: Option<&'static Autocast>, f: impl FnOnce() -> R) -> R {
    struct Restore(Option<&'static Autocast>, usize);
    impl Drop for Restore {
        fn drop(&mut self) {
            CURRENT.set(self.0);
            SCOPES.fetch_sub(self.1, Ordering::Relaxed);
        }
    }
    if to.is_none() && autocast().is_none() {
        return f();
    }
    let scopes = usize::from(to.is_some());
    SCOPES.fetch_add(scopes, Ordering::Relaxed);
    let _restore = Restore(CURRENT.replace(to), scopes);
    f()
}
