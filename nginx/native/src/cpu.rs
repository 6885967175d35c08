//! What the worker has worked so far.

use std::time::Duration;

/// CPU time of this thread, which does not pass while others have the processor. A system call.
pub fn time() -> Duration {
    // SAFETY: plain C data, for which zero is valid; the clock exists on every Linux.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: as above.
    unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time) };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
