//! The allocator: segregated free lists with boundary tags, good fit, neighbours joined at once.
//!
//! A block is a tag word, then its bytes. The tag is the block's length (a multiple of 16, tag included) and two bits. A free
//! block keeps its list's links behind the tag and its length once more in its last word, so that the block behind it
//! finds its start. Behind the last block stands an end mark: the tag of a block of length 0.
//! All of it can be rebuilt from the extents of the blocks in use (`recover`), so nothing here need be crash-safe.

use crate::layout::{BINS, GRANULE, Layout, header};
use crate::memory::Memory;

/// Tag, two links and the length at the end.
pub(crate) const MIN_BLOCK: u64 = 32;
pub(crate) const TAG_BYTES: u64 = 8;

const FREE: u64 = 1;
const PREVIOUS_FREE: u64 = 2;
const FLAGS: u64 = GRANULE - 1;
const NEXT: u64 = 8;
const PREVIOUS: u64 = 16;

/// Blocks of the request's own bin that are tried before a larger one is split.
const QUICK_TRIES: usize = 8;

#[derive(Clone, Copy)]
pub(crate) struct Heap {
    pub memory: Memory,
    pub layout: Layout,
}

impl Heap {
    /// Length of a block that has room for `bytes`.
    pub fn block_len(bytes: u64) -> u64 {
        (TAG_BYTES + bytes).next_multiple_of(GRANULE).max(MIN_BLOCK)
    }

    /// Length of the block at `at`, as its tag says.
    pub fn len(&self, at: u64) -> u64 {
        self.memory.load(at) & !FLAGS
    }

    /// Takes a block with room for `bytes`. `None`: no free block is large enough.
    pub fn allocate(&self, bytes: u64) -> Option<u64> {
        let wanted = Self::block_len(bytes);
        let at = self.find(wanted)?;
        self.unlist(at);
        let len = self.len(at);
        self.add_free_bytes(len.wrapping_neg());
        if len - wanted >= MIN_BLOCK {
            self.memory.store(at, wanted);
            self.insert(at + wanted, len - wanted);
        } else {
            self.memory.store(at, len);
            self.mark_previous(at + len, false);
        }
        Some(at)
    }

    /// Gives a block back and joins it with its free neighbours.
    pub fn free(&self, at: u64) {
        let (mut at, mut len) = (at, self.len(at));
        let tag = self.memory.load(at);
        let next = at + len;
        if self.memory.load(next) & FREE != 0 {
            len += self.take_out(next);
        }
        if tag & PREVIOUS_FREE != 0 {
            let previous = at - self.memory.load(at - 8);
            len += self.take_out(previous);
            at = previous;
        }
        self.insert(at, len);
    }

    /// Forgets everything and makes the gaps between `used` blocks free. `used`: (offset, length), ascending and disjoint.
    pub fn rebuild(&self, used: &[(u64, u64)]) {
        for word in 0..BINS / 64 {
            self.memory.store(header::BIN_MAP + word * 8, 0);
        }
        for bin in 0..BINS {
            self.memory.store(header::BINS + bin * 8, 0);
        }
        self.memory.store(header::BYTES_FREE, 0);
        self.memory.store(self.layout.heap_end, 0);
        for &(at, len) in used {
            self.memory.store(at, len);
        }
        let mut end = self.layout.heap;
        for &(at, len) in used.iter().chain([&(self.layout.heap_end, 0)]) {
            if at > end {
                self.insert(end, at - end);
            }
            end = at + len;
        }
    }

    /// Makes a block free and lists it; its neighbours are in use.
    fn insert(&self, at: u64, len: u64) {
        let bin = bin_of(len);
        let link = header::BINS + bin * 8;
        let first = self.memory.load(link);
        self.memory.store(at, len | FREE);
        self.memory.store(at + len - 8, len);
        self.memory.store(at + NEXT, first);
        self.memory.store(at + PREVIOUS, 0);
        if first != 0 {
            self.memory.store(first + PREVIOUS, at);
        }
        self.memory.store(link, at);
        let map = header::BIN_MAP + bin / 64 * 8;
        self.memory.store(map, self.memory.load(map) | 1 << (bin % 64));
        self.mark_previous(at + len, true);
        self.add_free_bytes(len);
    }

    /// Takes a free block out of its list, to be joined; returns its length.
    fn take_out(&self, at: u64) -> u64 {
        self.unlist(at);
        let len = self.len(at);
        self.add_free_bytes(len.wrapping_neg());
        len
    }

    fn unlist(&self, at: u64) {
        let bin = bin_of(self.len(at));
        let (next, previous) = (self.memory.load(at + NEXT), self.memory.load(at + PREVIOUS));
        if next != 0 {
            self.memory.store(next + PREVIOUS, previous);
        }
        let link = if previous != 0 { previous + NEXT } else { header::BINS + bin * 8 };
        self.memory.store(link, next);
        if previous == 0 && next == 0 {
            let map = header::BIN_MAP + bin / 64 * 8;
            self.memory.store(map, self.memory.load(map) & !(1 << (bin % 64)));
        }
    }

    fn find(&self, wanted: u64) -> Option<u64> {
        let bin = bin_of(wanted);
        let fits = |at: &u64| self.len(*at) >= wanted;
        self.listed(bin)
            .take(QUICK_TRIES)
            .find(fits)
            .or_else(|| self.first_listed(bin + 1))
            .or_else(|| self.listed(bin).find(fits))
    }

    /// The blocks of a bin.
    fn listed(&self, bin: u64) -> impl Iterator<Item = u64> + '_ {
        let max = self.layout.len / MIN_BLOCK;
        self.linked(header::BINS + bin * 8, NEXT, max).map(|(_, at)| at)
    }

    /// What hangs at `link`, each with the word that links to it; `next` is where that word is in each. Ends, with a panic, after `max`: even if
    /// it is a ring.
    pub fn linked(
        &self,
        mut link: u64,
        next: u64,
        max: u64,
    ) -> impl Iterator<Item = (u64, u64)> + '_ {
        let mut seen = 0;
        std::iter::from_fn(move || {
            let at = self.memory.load(link);
            if at == 0 {
                return None;
            }
            seen += 1;
            assert!(seen <= max, "chain without an end");
            Some((std::mem::replace(&mut link, at + next), at))
        })
    }

    /// Any block of the first bin from `bin` on that has one.
    fn first_listed(&self, bin: u64) -> Option<u64> {
        let (mut word, mut mask) = (bin / 64, u64::MAX << (bin % 64));
        while word < BINS / 64 {
            let bits = self.memory.load(header::BIN_MAP + word * 8) & mask;
            if bits != 0 {
                let bin = word * 64 + u64::from(bits.trailing_zeros());
                let first = self.memory.load(header::BINS + bin * 8);
                assert!(first != 0, "a bin that is said to have blocks");
                return Some(first);
            }
            (word, mask) = (word + 1, u64::MAX);
        }
        None
    }

    /// Notes in the block at `at` whether the one before it is free.
    fn mark_previous(&self, at: u64, free: bool) {
        let tag = self.memory.load(at) & !PREVIOUS_FREE;
        self.memory.store(at, tag | if free { PREVIOUS_FREE } else { 0 });
    }

    fn add_free_bytes(&self, bytes: u64) {
        let free = self.memory.load(header::BYTES_FREE);
        self.memory.store(header::BYTES_FREE, free.wrapping_add(bytes));
    }
}

/// The bin of blocks of `len` bytes: eight bins for each doubling, so blocks of one bin differ by an eighth at most.
fn bin_of(len: u64) -> u64 {
    let granules = len / GRANULE;
    if granules < 8 {
        return granules;
    }
    let doubling = u64::from(granules.ilog2());
    (doubling - 2) * 8 + (granules >> (doubling - 3) & 7)
}
