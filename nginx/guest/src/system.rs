//! What the system gives: a clock and random bytes.

use std::time::{SystemTime, UNIX_EPOCH};

/// Nanoseconds since 1970.
pub(crate) fn now_ns() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_nanos() as u64)
}

/// The kernel gives so many random bytes as a whole.
pub(crate) const RANDOM_AT_ONCE: usize = 256;

/// Fills at most [`RANDOM_AT_ONCE`] bytes; with the clock's if the kernel should not give any.
pub(crate) fn fill_random(to: &mut [u8]) {
    // SAFETY: writes at most the bytes of `to`.
    let n = unsafe { libc::getrandom(to.as_mut_ptr().cast(), to.len(), 0) };
    if usize::try_from(n) != Ok(to.len()) {
        let now = now_ns().to_le_bytes();
        to.chunks_mut(8).for_each(|word| word.copy_from_slice(&now[..word.len()]));
    }
}
