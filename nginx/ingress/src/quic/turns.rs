//! Which process reads a socket of QUIC: one at a time.

use ngx::ffi::ngx_listening_t;
use wick_native::event;
use wick_native::udp::{Turn, end_turn, first_byte, take_turn};

/// How long until a worker asks again. The socket keeps what comes meanwhile.
pub const AGAIN_MS: u64 = 10;

/// More datagrams than a socket holds by default.
const MAX_QUEUED: usize = 1_000;

/// The listeners of this process.
pub struct Turns {
    /// Somebody else reads them.
    waiting: Vec<*mut ngx_listening_t>,
    own: Vec<*mut ngx_listening_t>,
}

impl Turns {
    /// None of them is read from here on.
    ///
    /// # Panics
    /// If nginx keeps watching one: it would be read by two processes.
    pub fn of(listeners: &[*mut ngx_listening_t]) -> Turns {
        for ls in listeners {
            // SAFETY: live listeners of this process, which nginx watches.
            let is_unwatched = unsafe { event::unwatch((*(**ls).connection).read) };
            assert!(is_unwatched, "a socket of QUIC is watched still");
        }
        Turns { waiting: listeners.to_vec(), own: Vec::new() }
    }

    /// Reads those that nobody else does. @returns whether there are others
    pub fn take(&mut self) -> bool {
        let all = std::mem::take(&mut self.waiting);
        let (free, waiting): (Vec<_>, Vec<_>) = all.into_iter().partition(|ls| {
            // SAFETY: a live listener with an open descriptor.
            unsafe { take_turn((**ls).fd) != Turn::OfAnother }
        });
        for ls in &free {
            // SAFETY: live listeners, which are not watched so far.
            let is_watched = unsafe { event::watch((*(**ls).connection).read) };
            assert!(is_watched, "a socket of QUIC is not watched");
        }
        self.own.extend(free);
        self.waiting = waiting;
        !self.waiting.is_empty()
    }

    /// The next process may read. What has come so far is for connections of this one.
    pub fn end(&mut self) {
        self.waiting.clear();
        for ls in self.own.drain(..) {
            // SAFETY: live listeners, which this process watches.
            unsafe {
                read_all(ls);
                if event::unwatch((*(*ls).connection).read) {
                    end_turn((*ls).fd);
                }
            }
        }
    }
}

/// # Safety
/// A live listener of this process.
unsafe fn read_all(ls: *mut ngx_listening_t) {
    // SAFETY: the caller's promise; its handler reads one datagram at least.
    unsafe {
        let read = (*(*ls).connection).read;
        let Some(handler) = (*read).handler else { return };
        for _ in 0..MAX_QUEUED {
            if first_byte((*ls).fd).is_none() {
                return;
            }
            handler(read);
        }
    }
}
