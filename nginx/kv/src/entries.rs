//! Nodes and the chains they hang in. A node never changes once it is linked, and one store of one link
//! brings it in, puts it in another's place or takes it out: a killed writer leaves the old chain or the new one.
//!
//! A node is a block: 0 tag · 8 link to the next node · 16 hash · 24 cas (low half), key length (high half) ·
//! 32 value length · 40 key · value.

use crate::heap::{Heap, MIN_BLOCK, TAG_BYTES};
use crate::layout::{GRANULE, Layout, MAX_KEY_BYTES, MAX_VALUE_BYTES};

const LINK: u64 = 8;
const HASH: u64 = 16;
const CAS_AND_KEY_LEN: u64 = 24;
const VALUE_LEN: u64 = 32;
const KEY: u64 = 40;

/// A key with its hash: computed once, used for bucket, stripe and comparison.
#[derive(Clone, Copy)]
pub(crate) struct Key<'a> {
    pub bytes: &'a [u8],
    pub hash: u64,
}

/// A node in use, its numbers read and checked against the limits.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    pub at: u64,
    pub hash: u64,
    pub cas: u32,
    key_len: usize,
    value_len: usize,
}

/// Where a key hangs, or would: the word that links to it.
pub(crate) struct Place {
    pub link: u64,
    pub entry: Option<Entry>,
}

impl Heap {
    /// Reads the node at `at`. `None`: it lies outside of the heap or breaks a limit, so this is no node.
    pub fn entry(&self, at: u64) -> Option<Entry> {
        let end = self.end_of_region(at)?;
        if !at.is_multiple_of(GRANULE) || end - at < KEY {
            return None;
        }
        let word = self.memory.load(at + CAS_AND_KEY_LEN);
        let (cas, key_len) = (word as u32, (word >> 32) as usize);
        let value_len = self.memory.load(at + VALUE_LEN);
        if key_len > MAX_KEY_BYTES || value_len > MAX_VALUE_BYTES as u64 {
            return None;
        }
        let value_len = value_len as usize;
        if end - at < KEY + (key_len + value_len) as u64 {
            return None;
        }
        Some(Entry { at, hash: self.memory.load(at + HASH), cas, key_len, value_len })
    }

    /// Where the heap ends, or the spare place. `None`: `at` is in neither.
    fn end_of_region(&self, at: u64) -> Option<u64> {
        let Layout { heap, heap_end, spare, .. } = self.layout;
        if at == spare {
            return Some(spare + self.layout.spare_bytes());
        }
        (heap..heap_end).contains(&at).then_some(heap_end)
    }

    pub fn key(&self, entry: &Entry) -> &[u8] {
        self.memory.bytes(entry.at + KEY, entry.key_len)
    }

    pub fn value(&self, entry: &Entry) -> &[u8] {
        self.memory.bytes(entry.at + KEY + entry.key_len as u64, entry.value_len)
    }

    /// The link word of `entry`, and the first link of a chain: what `chain` starts from.
    pub fn link_of(&self, entry: &Entry) -> u64 {
        entry.at + LINK
    }

    /// The nodes of a chain with the words that link to them. Ends, with a panic, even if the chain is a ring.
    pub fn chain(&self, link: u64) -> impl Iterator<Item = (u64, Entry)> + '_ {
        let max = self.layout.len / KEY;
        self.linked(link, LINK, max)
            .map(|(link, at)| (link, self.entry(at).expect("link to no node")))
    }

    /// Finds a key by hash, then by all of its bytes.
    pub fn place(&self, key: &Key) -> Place {
        let first = self.layout.bucket_link(self.layout.bucket(key.hash));
        self.chain(first)
            .find(|(_, entry)| entry.hash == key.hash && self.key(entry) == key.bytes)
            .map_or(Place { link: first, entry: None }, |(link, entry)| Place {
                link,
                entry: Some(entry),
            })
    }

    /// Whether there is a key of this hash.
    pub fn has_hash(&self, hash: u64) -> bool {
        let first = self.layout.bucket_link(self.layout.bucket(hash));
        self.chain(first).any(|(_, entry)| entry.hash == hash)
    }

    /// Writes a node that nothing links to yet. `None`: no free block is large enough.
    pub fn write(&self, key: &Key, value: &[u8], cas: u32) -> Option<u64> {
        let at = self.allocate(node_bytes(key.bytes.len(), value.len()))?;
        self.fill(at, key, value, cas);
        Some(at)
    }

    /// Writes a node into the spare place, which nothing links to; returns where that is.
    pub fn write_spare(&self, key: &Key, value: &[u8], cas: u32) -> u64 {
        assert!(
            self.node_len(key, value) <= self.layout.spare_bytes(),
            "a node for the spare place"
        );
        self.fill(self.layout.spare, key, value, cas);
        self.layout.spare
    }

    fn fill(&self, at: u64, key: &Key, value: &[u8], cas: u32) {
        self.memory.store(at + HASH, key.hash);
        self.memory.store(at + CAS_AND_KEY_LEN, u64::from(cas) | (key.bytes.len() as u64) << 32);
        self.memory.store(at + VALUE_LEN, value.len() as u64);
        self.memory.copy_in(at + KEY, key.bytes);
        self.memory.copy_in(at + KEY + key.bytes.len() as u64, value);
    }

    /// Length of the block that a node takes.
    pub fn node_len(&self, key: &Key, value: &[u8]) -> u64 {
        Heap::block_len(node_bytes(key.bytes.len(), value.len()))
    }

    /// Puts the node `new` (0: none) in `place`; returns the offset of the one that was there (0: none).
    pub fn link(&self, place: &Place, new: u64) -> u64 {
        let old = place.entry.map_or(0, |entry| entry.at);
        let next =
            if old != 0 { self.memory.load(old + LINK) } else { self.memory.load(place.link) };
        if new == 0 {
            if old != 0 {
                self.memory.store(place.link, next);
            }
        } else {
            self.memory.store(new + LINK, next);
            self.memory.store(place.link, new);
        }
        old
    }

    /// Whether the block that the node names is as long as its content needs, give or take what could not be split off.
    pub fn plausible(&self, entry: &Entry) -> bool {
        if entry.at == self.layout.spare {
            return true; // it is no block, and `entry` has checked its bounds
        }
        let needed = Heap::block_len(node_bytes(entry.key_len, entry.value_len));
        let len = self.len(entry.at);
        len >= needed && len < needed + MIN_BLOCK && len <= self.layout.heap_end - entry.at
    }
}

/// Bytes behind the tag.
fn node_bytes(key_len: usize, value_len: usize) -> u64 {
    KEY - TAG_BYTES + (key_len + value_len) as u64
}
