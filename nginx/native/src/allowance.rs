//! What one request may spend on patterns: the steps of each have an end, but there may be many.

use std::time::Duration;

use crate::cpu;
use crate::pattern::{GaveUp, Pattern};

/// How many patterns become machine code for one request, which has to wait for it; the next requests see to the others.
const MAX_TRANSLATIONS: u32 = 32;

/// What all patterns and conditions together may take of one request's time; looked at each time that so many were tried.
pub const MAX_TIME: Duration = Duration::from_millis(50);
const UNWATCHED: u32 = 8;
/// The same of conditions, each of which looks through the headers at most.
const UNWATCHED_CONDITIONS: u32 = 256;

/// What one request has spent on patterns.
#[derive(Default)]
pub struct Allowance {
    tried: u32,
    translated: u32,
    looked: u32,
    /// CPU time when the first few had been tried; most requests never ask.
    start: Option<Duration>,
}

impl Allowance {
    /// # Errors: the request has spent enough.
    pub fn spend(&mut self, pattern: &Pattern) -> Result<(), GaveUp> {
        if self.translated < MAX_TRANSLATIONS && pattern.translate() {
            self.translated += 1;
        }
        self.tried += 1;
        let is_watched = self.tried.is_multiple_of(UNWATCHED);
        if is_watched && self.elapsed() > MAX_TIME { Err(GaveUp) } else { Ok(()) }
    }

    /// # Errors: as for `spend`.
    pub fn look(&mut self) -> Result<(), GaveUp> {
        self.looked += 1;
        let is_watched = self.looked.is_multiple_of(UNWATCHED_CONDITIONS);
        if is_watched && self.elapsed() > MAX_TIME { Err(GaveUp) } else { Ok(()) }
    }

    fn elapsed(&mut self) -> Duration {
        let now = cpu::time();
        now - *self.start.get_or_insert(now)
    }
}
