//! Threads that help the caller, who waits for those alone that have begun.
//!
//! A thread of `rayon` that waits for a scope takes other tasks meanwhile. Where the caller holds a
//! lock, a task that wants it would wait for ever on the same thread. So the caller takes nothing while
//! it waits, and what no thread has begun when its own work is done, it withdraws: it never waits for a
//! thread that is busy, or that is not there.

use core::any::Any;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};

/// How often the caller looks whether the others are done before it sleeps.
const SPINS: usize = 2000;

/// The caller takes no more helpers; the other bits are the number of those at work.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// The number of threads for an operation of this thread; 1 where no thread can be started.
///
/// A forked process has none of the threads of its parent and works alone.
pub(super) fn num_threads() -> usize {
    static PROCESS: OnceLock<u32> = OnceLock::new();
    static HAS_GLOBAL_POOL: OnceLock<bool> = OnceLock::new();

    let process = std::process::id();
    if *PROCESS.get_or_init(|| process) != process {
        return 1;
    }
    let is_in_pool = rayon::current_thread_index().is_some();
    if !is_in_pool && !*HAS_GLOBAL_POOL.get_or_init(start_global_pool) {
        return 1;
    }
    rayon::current_num_threads()
}

/// Starts the global pool, if the user has not; `false` where there are no threads for it.
///
/// `rayon` would start it by itself, and panic where it cannot.
fn start_global_pool() -> bool {
    if thread::Builder::new().spawn(|| {}).is_err() {
        return false;
    }
    match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // Without a source, the error is that the pool was there before.
        Err(error) => error.source().is_none(),
    }
}

/// The work of the caller, for helpers.
///
/// Invariant: `work` may be called by a helper from the time that [`Team::enter`] has counted it until
/// it is counted out, and by the caller. The caller keeps `work` until the team is closed and nobody is
/// counted.
struct Team {
    work: *const (dyn Fn() + Sync),
    state: AtomicUsize,
    caller: Thread,
    /// What the first helper that panicked has panicked with.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` points to something `Sync`, and is read by the invariant alone.
unsafe impl Send for Team {}
// SAFETY: as above.
unsafe impl Sync for Team {}

impl Team {
    /// Counts a helper in, unless the caller takes no more.
    fn enter(&self) -> bool {
        let count = |state: usize| (state & CLOSED == 0).then_some(state + 1);
        self.state.try_update(Ordering::Acquire, Ordering::Relaxed, count).is_ok()
    }

    /// Counts a helper out.
    fn leave(&self) {
        if self.state.fetch_sub(1, Ordering::Release) == CLOSED + 1 {
            self.caller.unpark();
        }
    }

    /// What a helper does.
    fn help(&self) {
        if !self.enter() {
            return;
        }
        // SAFETY: this helper is counted, so the caller keeps its work.
        let work = unsafe { &*self.work };
        // A panic in a task of `rayon` ends the process; it goes on in the caller.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
        self.leave();
    }
}

/// Takes no more helpers, and waits for those at work, also where the caller panics.
struct WaitOnDrop<'a>(&'a Team);

impl Drop for WaitOnDrop<'_> {
    fn drop(&mut self) {
        let Self(team) = self;
        team.state.fetch_or(CLOSED, Ordering::Relaxed);
        let mut spins = 0;
        // Pairs with the release of the helper that leaves: what it wrote is seen by the caller.
        while team.state.load(Ordering::Acquire) != CLOSED {
            if spins < SPINS {
                spins += 1;
                core::hint::spin_loop();
            } else {
                thread::park();
            }
        }
    }
}

/// Calls `work` on this thread and on up to `helpers` others, and returns when no call runs any more.
///
/// `work` has to do all there is to do also where it is called once.
///
/// # Panics
///
/// If a call panics: with what it panicked with, as soon as the others have ended.
pub(super) fn run_with_helpers(helpers: usize, work: &(dyn Fn() + Sync)) {
    // SAFETY: the lifetime of the work is left out of the type alone; nobody calls it after
    // `WaitOnDrop`, which runs before this function returns.
    let work_of_team: *const (dyn Fn() + Sync + 'static) =
        unsafe { core::mem::transmute(core::ptr::from_ref(work)) };
    let team = Arc::new(Team {
        work: work_of_team,
        state: AtomicUsize::new(0),
        caller: thread::current(),
        panic: Mutex::new(None),
    });
    let wait = WaitOnDrop(&team);
    for _ in 0..helpers {
        let team = Arc::clone(&team);
        rayon::spawn(move || team.help());
    }
    work();
    drop(wait);
    let panic = team.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}
