//! Threads that help the caller, who only waits for helpers that have started.
//!
//! A thread of `rayon` that waits for a scope runs other tasks meanwhile. If the caller holds a
//! lock, a task that wants the lock would deadlock on the same thread. So the caller runs no tasks while
//! it waits, and when its own work is done, it withdraws the tasks that no thread has started: it never
//! waits for a thread that is busy or does not exist.

use core::any::Any;
use core::hint::spin_loop;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often the caller polls the helpers before it sleeps.
const SPINS: usize = 2000;

/// How long a helper polls for more work before it sleeps: the operations of a model follow each other
/// faster than a sleeping thread wakes up. Benchmark `inference`, two threads: one sentence of MiniLM takes 0.9 of
/// the minimum time.
const POLLING: Duration = Duration::from_micros(100);

/// After this time a helper returns to `rayon`, which may have tasks of the user for its thread.
const SERVICE: Duration = Duration::from_millis(5);

/// How often a helper polls before it reads the clock.
const POLLS: usize = 64;

/// The number of helpers without a team: each of them polls, or will once `rayon` starts it. No more are
/// spawned while these are enough, so that they do not pile up in a pool that is busy.
pub(super) static FREE: AtomicUsize = AtomicUsize::new(0);

/// Teams that wait for free helpers.
static OFFERS: Offers = Offers { len: AtomicUsize::new(0), teams: Mutex::new(Vec::new()) };

/// The bit for "no more helpers may enter"; the other bits are the number of active helpers.
const CLOSED: usize = 1 << (usize::BITS - 1);

/// The number of threads for an operation of this thread; 1 if no thread can be started.
///
/// A forked process has none of the threads of its parent and runs on one thread.
pub(super) fn num_threads() -> usize {
    static HAS_GLOBAL_POOL: OnceLock<bool> = OnceLock::new();

    if is_forked() {
        return 1;
    }
    let is_in_pool = rayon::current_thread_index().is_some();
    if !is_in_pool && !*HAS_GLOBAL_POOL.get_or_init(start_global_pool) {
        return 1;
    }
    rayon::current_num_threads()
}

/// Whether this process was forked from one that has called this function.
#[cfg(unix)]
fn is_forked() -> bool {
    static PROCESS: OnceLock<u32> = OnceLock::new();

    let process = std::process::id();
    *PROCESS.get_or_init(|| process) != process
}

/// Other systems do not fork; on WebAssembly, a process has no id, and asking for it panics.
#[cfg(not(unix))]
fn is_forked() -> bool {
    false
}

/// Starts the global pool, if the user has not; `false` if its threads cannot be started.
///
/// `rayon` would start it itself, and panic if it cannot.
fn start_global_pool() -> bool {
    if thread::Builder::new().spawn(|| {}).is_err() {
        return false;
    }
    match rayon::ThreadPoolBuilder::new().build_global() {
        Ok(()) => true,
        // Without a source, the error means that the pool already existed.
        Err(error) => error.source().is_none(),
    }
}

/// The work of the caller, shared with helpers.
///
/// Invariant: `work` may be called by a helper from the time that [`Team::enter`] has counted it in until
/// it is counted out, and by the caller. The caller keeps `work` alive until the team is closed and nobody is
/// counted.
struct Team {
    work: *const (dyn Fn() + Sync),
    state: AtomicUsize,
    caller: Thread,
    /// The panic payload of the first helper that panicked.
    panic: Mutex<Option<Box<dyn Any + Send>>>,
}

// SAFETY: `work` points to something `Sync`, and is only read according to the invariant.
unsafe impl Send for Team {}
// SAFETY: as above.
unsafe impl Sync for Team {}

impl Team {
    /// Counts a helper in; `false` if the team is closed.
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

    /// Runs the work as a helper, and calls `before_leaving` before the caller can go on.
    fn help(&self, before_leaving: impl FnOnce()) {
        if !self.enter() {
            return before_leaving();
        }
        // SAFETY: this helper is counted in, so the caller keeps the work alive.
        let work = unsafe { &*self.work };
        // A panic in a task of `rayon` would abort the process; it is resumed in the caller.
        if let Err(panic) = catch_unwind(AssertUnwindSafe(work)) {
            self.panic.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(panic);
        }
        before_leaving();
        self.leave();
    }
}

/// A list of teams. Most threads only read its length.
struct Offers {
    len: AtomicUsize,
    teams: Mutex<Vec<Arc<Team>>>,
}

impl Offers {
    /// Changes the list under its lock.
    fn change<R>(&self, change: impl FnOnce(&mut Vec<Arc<Team>>) -> R) -> R {
        let mut teams = self.teams.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut teams);
        self.len.store(teams.len(), Ordering::Relaxed);
        result
    }

    /// Offers the team to `helpers` helpers.
    fn offer(&self, team: &Arc<Team>, helpers: usize) {
        self.change(|teams| teams.extend((0..helpers).map(|_| Arc::clone(team))));
    }

    /// Takes an offered team.
    fn take(&self) -> Option<Arc<Team>> {
        if self.len.load(Ordering::Relaxed) == 0 { None } else { self.change(Vec::pop) }
    }

    /// Withdraws what no helper has taken.
    fn withdraw(&self, team: &Team) {
        if self.len.load(Ordering::Relaxed) > 0 {
            self.change(|teams| teams.retain(|offered| !core::ptr::eq(&raw const **offered, team)));
        }
    }
}

/// Whether helpers poll for work of this thread, or will soon.
///
/// Only threads of the global pool poll, for callers outside of any pool: a pool that the user has made
/// has other tasks.
#[inline(never)]
pub(super) fn are_polling() -> bool {
    FREE.load(Ordering::Relaxed) > 0 && rayon::current_thread_index().is_none()
}

/// Helps teams until none has been offered for some time. The helper is counted in [`FREE`].
fn serve() {
    let start = Instant::now();
    while let Some(team) = poll() {
        FREE.fetch_sub(1, Ordering::Relaxed);
        // Before the caller goes on to its next operation, which this helper can help as well.
        team.help(|| _ = FREE.fetch_add(1, Ordering::Relaxed));
        if start.elapsed() >= SERVICE {
            break;
        }
    }
    FREE.fetch_sub(1, Ordering::Relaxed);
}

/// Waits for an offer, and lets other threads of the machine run meanwhile.
fn poll() -> Option<Arc<Team>> {
    let start = Instant::now();
    while start.elapsed() < POLLING {
        for _ in 0..POLLS {
            if let Some(team) = OFFERS.take() {
                return Some(team);
            }
            spin_loop();
        }
        thread::yield_now();
    }
    None
}

/// Closes the team and waits for the active helpers on drop, also when the caller panics.
struct WaitOnDrop<'a>(&'a Team);

impl Drop for WaitOnDrop<'_> {
    fn drop(&mut self) {
        let Self(team) = self;
        team.state.fetch_or(CLOSED, Ordering::Relaxed);
        OFFERS.withdraw(team);
        let mut spins = 0;
        // Pairs with the release of the leaving helper: the caller sees what it wrote.
        while team.state.load(Ordering::Acquire) != CLOSED {
            if spins < SPINS {
                spins += 1;
                spin_loop();
            } else {
                thread::park();
            }
        }
    }
}

/// Calls `work` on this thread and on up to `helpers` others, and returns when all calls have ended.
///
/// `work` has to complete everything even if it is called only once.
///
/// # Panics
///
/// If a call panics: with what it panicked with, as soon as the others have ended.
pub(super) fn run_with_helpers(helpers: usize, work: &(dyn Fn() + Sync)) {
    // SAFETY: only the type loses the lifetime of the work: nobody calls it after the drop of
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
    if rayon::current_thread_index().is_some() {
        for _ in 0..helpers {
            let team = Arc::clone(&team);
            rayon::spawn(move || team.help(|| ()));
        }
    } else {
        OFFERS.offer(&team, helpers);
        for _ in FREE.load(Ordering::Relaxed)..helpers {
            FREE.fetch_add(1, Ordering::Relaxed);
            rayon::spawn(serve);
        }
    }
    work();
    drop(wait);
    let panic = team.panic.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(panic) = panic {
        resume_unwind(panic);
    }
}
