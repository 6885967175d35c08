//! Matching the patterns of routes and scripts, and what their groups matched.

use std::cell::RefCell;

use wick_native::pattern::{GaveUp, Matcher, Pattern};

/// What a worker needs to match patterns, made when the first one is matched.
#[derive(Default)]
pub struct Matching(RefCell<Option<Matcher>>);

impl Matching {
    pub fn is_match(&self, pattern: &Pattern, subject: &[u8]) -> Result<bool, GaveUp> {
        let mut matcher = self.0.borrow_mut();
        if matcher.is_none() {
            *matcher = Matcher::new();
        }
        matcher.as_mut().ok_or(GaveUp)?.is_match(pattern, subject)
    }

    /// Hands over where the groups of the latest pattern begin and end.
    pub fn with_offsets<T>(&self, f: impl FnOnce(&[[usize; 2]]) -> T) -> T {
        f(self.0.borrow().as_ref().map_or(&[], Matcher::offsets))
    }

    /// What group `n` of the latest pattern matched in `subject`, which it was asked about.
    pub fn group<'s>(&self, n: u8, subject: &'s [u8]) -> Option<&'s [u8]> {
        self.0.borrow().as_ref()?.group(n, subject)
    }
}
