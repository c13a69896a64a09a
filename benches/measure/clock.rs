//! The clock of the measurements.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static ELAPSED: AtomicBool = AtomicBool::new(false);

/// From now on [`now`] is the time that passes, as it must be where several threads work at a time.
pub fn count_elapsed_time() {
    ELAPSED.store(true, Ordering::Relaxed);
}

/// The time that the threads of this process have had a processor, all together; the time that has passed, where the
/// system cannot say, or after [`count_elapsed_time`].
pub fn now() -> Duration {
    #[cfg(unix)]
    if !ELAPSED.load(Ordering::Relaxed) {
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
