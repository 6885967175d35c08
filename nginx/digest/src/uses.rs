//! How often nonces were used: a table of fixed size over words that all processes map. A nonce is in it from its first good answer
//! to its end, so nobody fills it who has no password, and nothing that was sent once is good again.
//!
//! A nonce has a cell of four words in one of eight places, a set: 0 id · 1 when it ends, ms · 2 the largest count so far (high half),
//! and which of the 32 before it were used (a bit each, the largest itself the lowest). One word, so that a process which is killed
//! leaves no half of it. Full sets take no nonce until one of theirs ends: the client is given another one, of another set.
//!
//! One caller at a time.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use crate::nonce::{Key, LIFE_MS, Nonce};

const HEAD: usize = 8;
const SET: usize = 8;
const CELL: usize = 4;
const MAGIC: u64 = u64::from_le_bytes(*b"wickdig1");

mod head {
    pub const MAGIC: usize = 0;
    pub const KEY: usize = 1;
    /// Id of the latest nonce.
    pub const LATEST: usize = 3;
    pub const SHORTAGES: usize = 4;
}

mod cell {
    pub const ID: usize = 0;
    pub const ENDS_MS: usize = 1;
    pub const COUNTS: usize = 2;
}

/// Counts below the largest by more than this are as if used.
const WINDOW: u32 = 32;

/// A table in shared words.
#[derive(Clone, Copy)]
pub struct Uses<'m>(&'m [AtomicU64]);

/// What becomes of a use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counted {
    /// It is the first with this count.
    Once,
    /// The same was sent before, or something so much later that nobody knows.
    Again,
    /// There is no room for this nonce.
    NoRoom,
}

impl<'m> Uses<'m> {
    /// Words for so many nonces at a time.
    pub const fn words(nonces: usize) -> usize {
        HEAD + nonces.next_multiple_of(SET) * CELL
    }

    /// The table in these words; of words that are all zero it makes one with this key.
    ///
    /// # Panics: when there are too few for one set.
    pub fn open(words: &'m [AtomicU64], new_key: impl FnOnce() -> Option<Key>) -> Option<Uses<'m>> {
        assert!(words.len() >= HEAD + SET * CELL, "room for a set");
        let uses = Uses(words);
        if words[head::MAGIC].load(Acquire) != MAGIC {
            let Key(key) = new_key()?;
            uses.store(head::KEY, key as u64);
            uses.store(head::KEY + 1, (key >> 64) as u64);
            uses.store(head::MAGIC, MAGIC);
        }
        Some(uses)
    }

    pub fn key(&self) -> Key {
        Key(u128::from(self.load(head::KEY)) | u128::from(self.load(head::KEY + 1)) << 64)
    }

    /// How many nonces found no room.
    pub fn shortages(&self) -> u64 {
        self.load(head::SHORTAGES)
    }

    /// A nonce that nobody had before.
    pub fn next_nonce(&self, now_ms: u64) -> Nonce {
        let id = self.load(head::LATEST).wrapping_add(1).max(1);
        self.store(head::LATEST, id);
        Nonce { made_ms: now_ms, id }
    }

    /// Counts a use of a nonce that is fresh, after the answer was found right.
    pub fn count(&self, nonce: Nonce, count: u32, now_ms: u64) -> Counted {
        let first = self.set_of(nonce.id);
        let cells = || (0..SET).map(|nth| first + nth * CELL);
        if let Some(cell) = cells().find(|cell| self.load(cell + cell::ID) == nonce.id) {
            return self.count_in(cell, count);
        }
        let is_free = |cell: &usize| {
            self.load(cell + cell::ID) == 0 || self.load(cell + cell::ENDS_MS) <= now_ms
        };
        let Some(cell) = cells().find(is_free) else {
            self.store(head::SHORTAGES, self.shortages() + 1);
            return Counted::NoRoom;
        };
        // Nobody's until the last word is written.
        self.store(cell + cell::ID, 0);
        self.store(cell + cell::ENDS_MS, nonce.made_ms.saturating_add(LIFE_MS));
        self.store(cell + cell::COUNTS, u64::from(count) << 32 | 1);
        self.store(cell + cell::ID, nonce.id);
        Counted::Once
    }

    fn count_in(&self, cell: usize, count: u32) -> Counted {
        let word = self.load(cell + cell::COUNTS);
        let (largest, used) = ((word >> 32) as u32, word as u32);
        let (largest, used) = if count > largest {
            (count, used.checked_shl(count - largest).unwrap_or(0) | 1)
        } else {
            let back = largest - count;
            if back >= WINDOW || used & 1 << back != 0 {
                return Counted::Again;
            }
            (largest, used | 1 << back)
        };
        self.store(cell + cell::COUNTS, u64::from(largest) << 32 | u64::from(used));
        Counted::Once
    }

    /// Ids are given one after the other: neighbours are in different sets.
    fn set_of(&self, id: u64) -> usize {
        let sets = (self.0.len() - HEAD) / (SET * CELL);
        HEAD + (id % sets as u64) as usize * SET * CELL
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Relaxed)
    }

    // One after the other, as far as a process that is killed in between can tell.
    fn store(&self, at: usize, value: u64) {
        self.0[at].store(value, Release);
    }
}
