//! Answers that are kept: a table of fixed size over words that all processes map.
//!
//! Answers lie one behind the other in a ring, the oldest of which are written over; an index says under which key which lies
//! where. A key is a keyed digest of 128 bits, and what has been written over is known by its place, a number that only grows.
//!
//! Header: 0 magic · 1 key of the digest, two words · 3 end of the ring: how many words were ever written. Index: sets of four
//! ways of three words: digest, and place (high 48 bits) and length in words of the answer. Ring: an answer is the moment until which it
//! may be used, ms, its length in bytes, and its bytes.
//!
//! One caller at a time. A caller that is killed leaves at worst an answer that is found by nobody: the end moves before anything is
//! written, and a way gets its place last.

use std::hash::Hasher;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use siphasher::sip128::{Hasher128, SipHasher13};

const MAGIC: u64 = u64::from_le_bytes(*b"wickans1");
/// Words of the header.
const HEADER: usize = 4;
const SET: usize = 4;
/// Words of a way.
const WAY: usize = 3;
/// Words of the table for each way of the index: an answer takes some twenty, a large token more.
const WORDS_PER_WAY: usize = 32;
/// Bits of the length in a way's last word.
const LENGTH_BITS: u32 = 16;
/// Words before the bytes of an answer.
const HEAD: usize = 2;

/// Under which an answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Key(pub u64, pub u64);

impl Key {
    pub fn bytes(self) -> [u8; 16] {
        let mut bytes = [0; 16];
        bytes[..8].copy_from_slice(&self.0.to_le_bytes());
        bytes[8..].copy_from_slice(&self.1.to_le_bytes());
        bytes
    }
}

#[derive(Clone, Copy)]
pub struct Answers<'m> {
    words: &'m [AtomicU64],
    sets: usize,
}

impl<'m> Answers<'m> {
    /// What was created in these words; `None`: nothing yet. There are at least 4096.
    pub fn attach(words: &'m [AtomicU64]) -> Option<Answers<'m>> {
        let answers = Answers { words, sets: words.len() / WORDS_PER_WAY / SET };
        (answers.get(0) == MAGIC).then_some(answers)
    }

    /// An empty table. `secret` is known to nobody else.
    pub fn create(words: &'m [AtomicU64], secret: [u64; 2]) -> Answers<'m> {
        let answers = Answers { words, sets: words.len() / WORDS_PER_WAY / SET };
        (0..HEADER + answers.sets * SET * WAY).for_each(|at| answers.set(at, 0));
        answers.set(1, secret[0]);
        answers.set(2, secret[1]);
        answers.set(0, MAGIC);
        answers
    }

    /// A key that no other parts have: their lengths count, too.
    pub fn key<'p>(&self, parts: impl IntoIterator<Item = &'p [u8]>) -> Key {
        let mut hasher = SipHasher13::new_with_keys(self.get(1), self.get(2));
        for part in parts {
            hasher.write(&(part.len() as u64).to_le_bytes());
            hasher.write(part);
        }
        let (high, low) = hasher.finish128().as_u64();
        Key(high, low)
    }

    /// Copies the answer that is kept under `key` to the end of `to`; false: there is none that may be used at `now_ms`.
    pub fn find(&self, key: Key, now_ms: u64, to: &mut Vec<u8>) -> bool {
        let Some((place, len)) = self.ways(key).find_map(|way| self.found(way, key)) else {
            return false;
        };
        let bytes = self.ring(place + 1) as usize;
        if self.ring(place) <= now_ms || HEAD + bytes.div_ceil(8) != len {
            return false;
        }
        let start = to.len();
        to.reserve(8 * (len - HEAD));
        (HEAD..len).for_each(|at| to.extend(self.ring(place + at as u64).to_le_bytes()));
        to.truncate(start + bytes);
        true
    }

    /// Keeps an answer until a moment, in the place of an older one under that key. One that is too large is not kept.
    pub fn keep(&self, key: Key, until_ms: u64, answer: &[u8]) {
        let len = HEAD + answer.len().div_ceil(8);
        if len > self.ring_words() / 8 || len >= 1 << LENGTH_BITS {
            return;
        }
        let way = self.way_for(key);
        self.set(way + 2, 0);
        let place = self.end() + 1;
        // From here on nobody finds what is about to be written over.
        self.set(3, place - 1 + len as u64);
        self.set_ring(place, until_ms);
        self.set_ring(place + 1, answer.len() as u64);
        for (at, piece) in answer.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..piece.len()].copy_from_slice(piece);
            self.set_ring(place + (HEAD + at) as u64, u64::from_le_bytes(word));
        }
        self.set(way, key.0);
        self.set(way + 1, key.1);
        self.set(way + 2, place << LENGTH_BITS | len as u64);
    }

    /// Place and length, if the way has this key and nothing was written over it.
    fn found(&self, way: usize, key: Key) -> Option<(u64, usize)> {
        let is_it = self.get(way) == key.0 && self.get(way + 1) == key.1;
        is_it.then(|| self.living(way)).flatten()
    }

    fn living(&self, way: usize) -> Option<(u64, usize)> {
        let word = self.get(way + 2);
        let (place, len) = (word >> LENGTH_BITS, word as usize & ((1 << LENGTH_BITS) - 1));
        let is_living = place > 0 && place + self.ring_words() as u64 > self.end();
        (is_living && len >= HEAD).then_some((place, len))
    }

    /// That of the key, or one of nothing, or that of the oldest answer.
    fn way_for(&self, key: Key) -> usize {
        let own = self.ways(key).find(|way| self.found(*way, key).is_some());
        let age = |way: &usize| self.living(*way).map_or(0, |(place, _)| place);
        own.or_else(|| self.ways(key).min_by_key(age)).unwrap_or(HEADER)
    }

    fn ways(&self, key: Key) -> impl Iterator<Item = usize> {
        let first = HEADER + (key.0 % self.sets as u64) as usize * SET * WAY;
        (0..SET).map(move |nth| first + nth * WAY)
    }

    fn end(&self) -> u64 {
        self.get(3)
    }

    fn ring_words(&self) -> usize {
        self.words.len() - HEADER - self.sets * SET * WAY
    }

    fn ring_index(&self, place: u64) -> usize {
        HEADER + self.sets * SET * WAY + (place % self.ring_words() as u64) as usize
    }

    fn ring(&self, place: u64) -> u64 {
        self.get(self.ring_index(place))
    }

    fn set_ring(&self, place: u64, word: u64) {
        self.set(self.ring_index(place), word);
    }

    fn get(&self, at: usize) -> u64 {
        self.words[at].load(Relaxed)
    }

    fn set(&self, at: usize, word: u64) {
        self.words[at].store(word, Relaxed);
    }
}
