//! The words at the start of a table.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::capacity::Layout;

const MAGIC: u64 = u64::from_le_bytes(*b"wickmet1");

mod at {
    pub const MAGIC: usize = 0;
    pub const SERIES: usize = 1;
    pub const PLANES: usize = 2;
    pub const CELL_WORDS: usize = 3;
    pub const SEED: usize = 4;
    /// 1 while somebody changes rows: a process that finds it so repairs them first.
    pub const BUSY: usize = 5;
    /// Series that there are.
    pub const USED: usize = 6;
    /// Samples that went to a series of fewer labels, because there was no room for their own.
    pub const FOLDED: usize = 7;
    /// Moves when rows have become free.
    pub const FREED: usize = 8;
    /// Where the search for free blocks goes on.
    pub const ROVER: usize = 9;
    pub const NATIVE_WORDS: usize = 10;
}

#[derive(Clone, Copy)]
pub struct Header<'m>(pub &'m [AtomicU64]);

impl Header<'_> {
    pub fn write(self, layout: &Layout, seed: u64) {
        self.0[at::SERIES].store(layout.series as u64, Relaxed);
        self.0[at::PLANES].store(layout.planes as u64, Relaxed);
        self.0[at::CELL_WORDS].store(layout.cell_words as u64, Relaxed);
        self.0[at::NATIVE_WORDS].store(layout.native_words as u64, Relaxed);
        self.0[at::SEED].store(seed, Relaxed);
    }

    /// From now on it is a table.
    pub fn seal(self) {
        self.0[at::MAGIC].store(MAGIC, Release);
    }

    pub fn is_of(self, layout: &Layout) -> bool {
        let is = |at: usize, wanted: usize| self.0[at].load(Relaxed) == wanted as u64;
        self.0[at::MAGIC].load(Acquire) == MAGIC
            && is(at::SERIES, layout.series)
            && is(at::PLANES, layout.planes)
            && is(at::CELL_WORDS, layout.cell_words)
            && is(at::NATIVE_WORDS, layout.native_words)
    }

    pub fn seed(self) -> u64 {
        self.0[at::SEED].load(Relaxed)
    }

    pub fn is_busy(self) -> bool {
        self.0[at::BUSY].load(Relaxed) != 0
    }

    pub fn set_busy(self, is_busy: bool) {
        self.0[at::BUSY].store(is_busy.into(), Release);
    }

    pub fn used(self) -> u64 {
        self.0[at::USED].load(Relaxed)
    }

    pub fn set_used(self, used: u64) {
        self.0[at::USED].store(used, Relaxed);
    }

    pub fn folded(self) -> u64 {
        self.0[at::FOLDED].load(Relaxed)
    }

    pub fn count_folded(self) {
        self.0[at::FOLDED].fetch_add(1, Relaxed);
    }

    pub fn freed(self) -> u64 {
        self.0[at::FREED].load(Relaxed)
    }

    pub fn note_freed(self) {
        self.0[at::FREED].store(self.freed() + 1, Relaxed);
    }

    pub fn rover(self) -> usize {
        self.0[at::ROVER].load(Relaxed) as usize
    }

    pub fn set_rover(self, block: usize) {
        self.0[at::ROVER].store(block as u64, Relaxed);
    }
}
