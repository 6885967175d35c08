//! The clock of attempts.

use ngx::ffi::ngx_current_msec;

const NS_PER_MS: u64 = 1_000_000;

/// Nanoseconds by nginx's clock: monotonic, the same in all processes, read once per turn of the event loop.
#[inline]
pub fn now() -> u64 {
    // SAFETY: this thread's copy of the time, a word.
    unsafe { ngx_current_msec as u64 * NS_PER_MS }
}
