//! How often nonces were used: a table of fixed size over words that all processes map. A nonce is in it from its first good answer
//! to its end, so nobody fills it who has no password, and nothing that was sent once is good again.
//!
//! A nonce has a cell of four words in one of eight places, a set: 0 id · 1 when it was made, ms · 2 the largest count so far (high half),
//! and which of the 32 before it were used (a bit each, the largest itself the lowest) · 3 whose it is: realm (high half) and client. The
//! word of the counts is one, so that a process which is killed leaves no half of it.
//!
//! In a full set the realm that has most nonces of it gives one back, of the client who has most of those the oldest. Behind the cells
//! lies a word for each set: nonces made until then, and not in the set, may have been used. Their clients are given another one, which
//! they use without asking anybody; so it is never the others who cannot log in.
//!
//! One caller at a time.

use std::cmp::Reverse;
use std::hash::Hasher;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use siphasher::sip::SipHasher13;

use crate::nonce::{Key, LIFE_MS, Nonce};

const HEAD: usize = 8;
const SET: usize = 8;
const CELL: usize = 4;
/// With the word behind.
const SET_WORDS: usize = SET * CELL + 1;
const MAGIC: u64 = u64::from_le_bytes(*b"wickdig2");

mod head {
    pub const MAGIC: usize = 0;
    pub const KEY: usize = 1;
    /// Id of the latest nonce.
    pub const LATEST: usize = 3;
    pub const SHORTAGES: usize = 4;
}

mod cell {
    pub const ID: usize = 0;
    pub const MADE_MS: usize = 1;
    pub const COUNTS: usize = 2;
    pub const WHOSE: usize = 3;
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
    /// Nobody knows whether it was used before.
    Forgotten,
}

/// Who has a nonce, as far as that is told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Whose(u64);

impl Whose {
    fn realm(self) -> u64 {
        self.0 >> 32
    }
}

impl<'m> Uses<'m> {
    /// Words for so many nonces at a time.
    pub const fn words(nonces: usize) -> usize {
        HEAD + nonces.div_ceil(SET) * SET_WORDS
    }

    /// The table in these words; of words that are all zero it makes one with this key.
    ///
    /// # Panics: when there are too few for one set.
    pub fn open(words: &'m [AtomicU64], new_key: impl FnOnce() -> Option<Key>) -> Option<Uses<'m>> {
        assert!(words.len() >= HEAD + SET_WORDS, "room for a set");
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

    /// How many nonces had to be given back before their time.
    pub fn shortages(&self) -> u64 {
        self.load(head::SHORTAGES)
    }

    /// A nonce that nobody had before.
    pub fn next_nonce(&self, now_ms: u64) -> Nonce {
        let id = self.load(head::LATEST).wrapping_add(1).max(1);
        self.store(head::LATEST, id);
        Nonce { made_ms: now_ms, id }
    }

    /// What a nonce counts for: its scope, and a number of its client.
    pub fn whose(&self, scope: &[&[u8]], client: u128) -> Whose {
        let realm = self.tag(|hasher| {
            for part in scope {
                hasher.write(&(part.len() as u64).to_le_bytes());
                hasher.write(part);
            }
        });
        let client = self.tag(|hasher| hasher.write(&client.to_le_bytes()));
        Whose(realm << 32 | client)
    }

    /// Nobody outside can make two alike.
    fn tag(&self, write: impl FnOnce(&mut SipHasher13)) -> u64 {
        let Key(key) = self.key();
        let mut hasher = SipHasher13::new_with_keys(key as u64, (key >> 64) as u64);
        write(&mut hasher);
        hasher.finish() & 0xffff_ffff
    }

    /// Counts a use of a nonce that is fresh, after the answer was found right.
    pub fn count(&self, nonce: Nonce, whose: Whose, count: u32, now_ms: u64) -> Counted {
        let (first, forgotten) = self.set_of(nonce.id);
        let cells = || (0..SET).map(|nth| first + nth * CELL);
        if let Some(cell) = cells().find(|cell| self.load(cell + cell::ID) == nonce.id) {
            return self.count_in(cell, count);
        }
        if nonce.made_ms < self.load(forgotten) {
            return Counted::Forgotten;
        }
        let ends_ms = |cell: &usize| self.load(cell + cell::MADE_MS).saturating_add(LIFE_MS);
        let is_free = |cell: &usize| self.load(cell + cell::ID) == 0 || ends_ms(cell) <= now_ms;
        let cell =
            cells().find(is_free).unwrap_or_else(|| self.given_back(first, forgotten, whose));
        // Nobody's until the last word is written.
        self.store(cell + cell::ID, 0);
        self.store(cell + cell::MADE_MS, nonce.made_ms);
        self.store(cell + cell::COUNTS, u64::from(count) << 32 | 1);
        self.store(cell + cell::WHOSE, whose.0);
        self.store(cell + cell::ID, nonce.id);
        Counted::Once
    }

    /// Whose nonces those are who have most of a full set, and of these the oldest one.
    #[cold]
    fn given_back(&self, first: usize, forgotten: usize, whose: Whose) -> usize {
        self.store(head::SHORTAGES, self.shortages() + 1);
        let cells = || (0..SET).map(|nth| first + nth * CELL);
        let of = |cell: usize| Whose(self.load(cell + cell::WHOSE));
        let of_realm = |realm| cells().filter(|cell| of(*cell).realm() == realm).count();
        let of_client = |whose| cells().filter(|cell| of(*cell) == whose).count();
        let made_ms = |cell: usize| self.load(cell + cell::MADE_MS);
        // Who has as many as the largest gives one back itself.
        let key = |cell: &usize| {
            let has = of(*cell);
            let is_own = (has.realm() == whose.realm(), has == whose);
            let (realm, client) = (of_realm(has.realm()), of_client(has));
            (realm, is_own.0, has.realm(), client, is_own.1, has.0, Reverse(made_ms(*cell)))
        };
        let oldest = cells().max_by_key(key).unwrap_or(first);
        let until = made_ms(oldest).saturating_add(1).max(self.load(forgotten));
        self.store(forgotten, until);
        oldest
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

    /// Where its cells begin, and its word. Ids are given one after the other: neighbours are in different sets.
    fn set_of(&self, id: u64) -> (usize, usize) {
        let sets = (self.0.len() - HEAD) / SET_WORDS;
        let nth = (id % sets as u64) as usize;
        (HEAD + nth * SET * CELL, HEAD + sets * SET * CELL + nth)
    }

    fn load(&self, at: usize) -> u64 {
        self.0[at].load(Relaxed)
    }

    // One after the other, as far as a process that is killed in between can tell.
    fn store(&self, at: usize, value: u64) {
        self.0[at].store(value, Release);
    }
}
