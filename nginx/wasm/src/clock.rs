//! What time it is, and how long attempts take.

use std::cell::Cell;

use ngx::ffi::ngx_current_msec;
use wick_abi::attempt::NO_TIME;

pub const NS_PER_MS: u64 = 1_000_000;
const NS_PER_S: u64 = 1_000_000_000;

/// Milliseconds by nginx's clock: monotonic, the same in all processes, read once per turn of the event loop.
#[inline]
pub fn now_ms() -> u64 {
    // SAFETY: this thread's copy of the time, a word.
    unsafe { ngx_current_msec as u64 }
}

/// The same in nanoseconds.
#[inline]
pub fn now() -> u64 {
    now_ms() * NS_PER_MS
}

/// Measures one attempt after the other, each from its choice to its response's head, by a clock of its own:
/// nginx's is too coarse to tell fast endpoints apart.
#[derive(Default)]
pub struct Stopwatch {
    /// When the attempt at hand was chosen; 0: it is not measured.
    started: Cell<u64>,
    /// When its head came; 0: it did not yet.
    head: Cell<u64>,
}

impl Stopwatch {
    pub fn start(&self) {
        self.started.set(monotonic());
        self.head.set(0);
    }

    pub fn stop(&self) {
        self.started.set(0);
    }

    /// A response head passes; that of an error page, after the attempt, does not count.
    pub fn head(&self) {
        if self.started.get() != 0 && self.head.get() == 0 {
            self.head.set(monotonic());
        }
    }

    pub fn saw_head(&self) -> bool {
        self.head.get() != 0
    }

    /// Nanoseconds from the choice to the head, without one until now; [`NO_TIME`] if nothing was measured.
    pub fn read(&self) -> u64 {
        match (self.started.get(), self.head.get()) {
            (0, _) => NO_TIME,
            (started, 0) => monotonic() - started,
            (started, head) => head - started,
        }
    }
}

/// Nanoseconds, by a call that needs no switch to the kernel.
fn monotonic() -> u64 {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: writes the structure; this clock exists on every Linux.
    unsafe { libc::clock_gettime(libc::CLOCK_MONOTONIC, &mut time) };
    time.tv_sec as u64 * NS_PER_S + time.tv_nsec as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stopwatch_stands_still_from_the_head_on() {
        let watch = Stopwatch::default();
        watch.head();
        assert_eq!((watch.read(), watch.saw_head()), (NO_TIME, false));
        watch.start();
        let (first, second) = (watch.read(), watch.read());
        assert!(first <= second && second < NS_PER_S);
        watch.head();
        let head = watch.read();
        watch.head();
        assert_eq!((watch.read(), watch.saw_head()), (head, true));
        watch.start();
        assert!(!watch.saw_head());
        watch.stop();
        assert_eq!(watch.read(), NO_TIME);
    }
}
