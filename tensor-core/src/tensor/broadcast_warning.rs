//! A warning for operands with the same number of elements that both stretch: `[4, 1] + [4]`.
//!
//! Before PyTorch 0.2 had broadcasting, `[4, 1] + [4]` paired the four elements and gave `[4, 1]`; by
//! the rules of broadcasting it is the outer sum `[4, 4]`. The types allow it, because an intended
//! outer sum looks the same. For ported code, or where a column may be mistaken for a vector, this
//! warning reports it. It is off until [`enable`] is called.
//!
//! An operation is reported if both sides have the same number of elements and the result has more, once
//! per source location. Where the static sizes rule it out, no code is generated for the check.
//!
//! ```standalone_crate
//! use tensor_core::{broadcast_warning, tensor};
//!
//! broadcast_warning::enable();
//! let column = tensor![[1.0], [2.0], [3.0], [4.0]];
//! let vector = tensor![1.0, 2.0, 3.0, 4.0];
//! let sum = &column + &vector; // a line on standard error, with this file and line
//! assert_eq!(sum.len(), 16);
//! # broadcast_warning::disable();
//! ```

use core::fmt;
use core::panic::Location;
use core::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use tensor_kernels::layout::checked_num_elements;

use crate::shape::broadcast::{Broadcast, BroadcastOf, Broadcasted};
use crate::shape::error::ShapeError;
use crate::shape::{Shape, Sizes};

/// An operation that stretched both of its operands, which have the same number of elements.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Warning {
    /// File, line and column of the operation.
    pub location: &'static Location<'static>,
    /// The sizes of the left side.
    pub left: Sizes,
    /// The sizes of the right side.
    pub right: Sizes,
    /// The sizes of the result.
    pub result: Sizes,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { location, left, right, result } = self;
        write!(
            f,
            "{location}: {left:?} and {right:?} have the same number of elements, but broadcast to {result:?}; \
             to pair the elements one by one, bring both to one shape with `reshape` or `squeeze`"
        )
    }
}

/// Whether the warning is enabled; read without a lock.
static ENABLED: AtomicBool = AtomicBool::new(false);

type Report = Arc<dyn Fn(&Warning) + Send + Sync>;

/// The locations that were reported already, and the callback.
struct State {
    reported: Vec<&'static Location<'static>>,
    report: Option<Report>,
}

static STATE: Mutex<State> = Mutex::new(State { reported: Vec::new(), report: None });

fn state() -> std::sync::MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Enables the warning: each source location is reported once, on standard error.
///
/// ```standalone_crate
/// use tensor_core::{broadcast_warning, tensor};
///
/// broadcast_warning::enable();
/// let _ = tensor![[1], [2]] + tensor![3, 4]; // reported
/// broadcast_warning::disable();
/// ```
pub fn enable() {
    enable_with(|warning| eprintln!("warning: {warning}"));
}

/// Enables the warning and calls `report` once for each location, also for those reported before.
///
/// `report` is called on the thread of the operation, without a lock held: it may itself compute with
/// tensors, and enable or disable the warning.
///
/// ```standalone_crate
/// use std::sync::mpsc::channel;
/// use tensor_core::{broadcast_warning, tensor};
///
/// let (sender, warnings) = channel();
/// broadcast_warning::enable_with(move |warning| sender.send(warning.clone()).unwrap());
/// for _ in 0..3 {
///     let _ = tensor![[1], [2]] * tensor![3, 4];
/// }
/// broadcast_warning::disable();
///
/// let warning = warnings.recv().unwrap();
/// assert_eq!(warning.left[..], [2, 1]);
/// assert_eq!(warning.result[..], [2, 2]);
/// assert!(warnings.recv().is_err(), "each location once");
/// ```
pub fn enable_with(report: impl Fn(&Warning) + Send + Sync + 'static) {
    let before = {
        let mut state = state();
        state.reported.clear();
        ENABLED.store(true, Ordering::Relaxed);
        state.report.replace(Arc::new(report))
    };
    // Dropped without the lock held: the closure may own values whose `drop` is the user's code.
    drop(before);
}

/// Disables the warning.
///
/// ```
/// use tensor_core::broadcast_warning;
///
/// broadcast_warning::enable();
/// broadcast_warning::disable();
/// ```
pub fn disable() {
    let before = {
        let mut state = state();
        ENABLED.store(false, Ordering::Relaxed);
        state.report.take()
    };
    drop(before);
}

/// Whether the static sizes allow that both sides stretch and have the same number of elements.
pub(crate) const fn is_possible<L: Shape + Broadcast<R>, R: Shape>() -> bool {
    /// A function, because constants in a body are evaluated even where the code is not reached.
    const fn both_stretch<L: Broadcast<R>, R>() -> bool {
        L::LEFT_STRETCHES && L::RIGHT_STRETCHES
    }

    match (L::STATIC_SIZES, R::STATIC_SIZES) {
        (Some(left), Some(right)) => {
            left.num_elements() == right.num_elements()
                && stretches(left.as_slice(), right.as_slice())
                && stretches(right.as_slice(), left.as_slice())
        }
        _ => both_stretch::<L, R>(),
    }
}

/// Whether `sizes` stretches to `to`, which it broadcasts with: along an axis, or by a missing axis.
const fn stretches(sizes: &[usize], to: &[usize]) -> bool {
    if sizes.len() < to.len() {
        return true;
    }
    let missing = sizes.len() - to.len();
    let mut axis = 0;
    while axis < to.len() {
        if sizes[missing + axis] == 1 && to[axis] != 1 {
            return true;
        }
        axis += 1;
    }
    false
}

/// Reports the operation at the caller's location if both sides stretch. Call it only where that
/// [is possible](is_possible).
#[inline]
#[track_caller]
pub(crate) fn check<L: Shape + Broadcast<R>, R: Shape>(left: L, right: R) {
    // A function pointer, which is `Some` only where it may be needed: see `result_shape!`.
    let result_shape = const {
        if is_possible::<L, R>() {
            Some(
                <L as BroadcastOf<L, R>>::result_shape
                    as fn(L, R) -> Result<Broadcasted<L, R>, ShapeError>,
            )
        } else {
            None
        }
    };
    if let Some(result_shape) = result_shape
        && ENABLED.load(Ordering::Relaxed)
        && let Ok(result) = result_shape(left, right)
    {
        report(Location::caller(), left.sizes(), right.sizes(), result.sizes());
    }
}

#[cold]
fn report(location: &'static Location<'static>, left: Sizes, right: Sizes, result: Sizes) {
    let counts = [&left, &right, &result].map(|sizes| checked_num_elements(sizes));
    // The operation itself reports a result that is too large.
    let [Some(left_len), Some(right_len), Some(len)] = counts else { return };
    if left_len != right_len || len <= left_len {
        return;
    }
    let report = {
        let mut state = state();
        if state.reported.contains(&location) {
            return;
        }
        state.reported.push(location);
        state.report.clone()
    };
    if let Some(report) = report {
        report(&Warning { location, left, right, result });
    }
}
