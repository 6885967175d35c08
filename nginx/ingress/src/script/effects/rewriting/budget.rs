//! How much one response may ask for.

use wick_native::allowance::Allowance;

/// Of all texts that are put together for one response: there may be 256 replacements for each of its cookies.
const ROOM: usize = 256 << 10;

pub struct Budget {
    /// `None`: patterns have taken too long, and none is tried any more.
    pub patterns: Option<Allowance>,
    room: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Budget { patterns: Some(Allowance::default()), room: ROOM }
    }
}

impl Budget {
    /// False: there is no room for so many bytes more, nor for any after them.
    pub fn takes(&mut self, bytes: usize) -> bool {
        let left = self.room.checked_sub(bytes);
        self.room = left.unwrap_or(0);
        left.is_some()
    }
}
