//! Log lines that a client can cause at will: one per while, with the number of those held back.

use std::cell::Cell;
use std::fmt;

use ngx::ffi::ngx_current_msec;

const EVERY_MS: usize = 10_000;

#[derive(Default)]
pub struct Throttle {
    next_ms: Cell<usize>,
    held_back: Cell<u32>,
}

/// Prints nothing, or how many lines were held back since the last one.
pub struct HeldBack(u32);

impl Throttle {
    /// `None`: hold this line back.
    pub fn admit(&self) -> Option<HeldBack> {
        // SAFETY: a word that nginx updates in this very thread.
        let now = unsafe { ngx_current_msec };
        if now < self.next_ms.get() {
            self.held_back.set(self.held_back.get().saturating_add(1));
            return None;
        }
        self.next_ms.set(now + EVERY_MS);
        Some(HeldBack(self.held_back.take()))
    }
}

impl fmt::Display for HeldBack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => Ok(()),
            n => write!(f, " ({n} such lines were held back)"),
        }
    }
}
