//! Log lines that a client can cause at will: one per while, with the number of those held back.

use std::cell::Cell;
use std::fmt;

use ngx::ffi::{NGX_LOG_ERR, ngx_current_msec, ngx_log_t};
use wick_native::log;
use wick_native::request::Request;

const EVERY_MS: usize = 10_000;

/// Lets one error through every ten seconds.
#[derive(Default)]
pub struct LimitedLog {
    next_ms: Cell<usize>,
    held_back: Cell<u32>,
}

/// Prints nothing, or how many lines were held back since the last one.
struct HeldBack(u32);

impl LimitedLog {
    /// Says why a request gets an error.
    #[cold]
    pub fn cannot_serve(&self, r: Request, why: fmt::Arguments<'_>) {
        let (host, path) = (shown(r.host()), shown(r.uri()));
        self.error(r.log(), format_args!("Cannot serve host \"{host}\", path \"{path}\": {why}"));
    }

    #[cold]
    pub fn error(&self, log: *mut ngx_log_t, line: fmt::Arguments<'_>) {
        if let Some(held_back) = self.admit() {
            log::write(log, NGX_LOG_ERR as usize, format_args!("{line}{held_back}"));
        }
    }

    /// `None`: hold this line back.
    fn admit(&self) -> Option<HeldBack> {
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

/// A text for a line, cut where it would leave no room for the rest of the line.
pub fn shown(text: &[u8]) -> impl fmt::Display {
    const MAX_BYTES: usize = 256;
    text[..text.len().min(MAX_BYTES)].escape_ascii()
}
