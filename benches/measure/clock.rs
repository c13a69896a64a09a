//! What time is measured with.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static OF_ALL_THREADS: AtomicBool = AtomicBool::new(false);

/// From now on the time counts that passes, as it must where more threads than this one work.
pub fn count_all_threads() {
    OF_ALL_THREADS.store(true, Ordering::Relaxed);
}

/// The time that the threads of this process have had a processor; the time that has passed, where the system cannot
/// say, or where [other threads count](count_all_threads).
pub fn now() -> Duration {
    #[cfg(unix)]
    if !OF_ALL_THREADS.load(Ordering::Relaxed) {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        return Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
    }
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

/// The time since [`now`] was `start`.
pub fn since(start: Duration) -> Duration {
    now().saturating_sub(start)
}
