//! Listing keys in parts. The order is that of the hashes, which no change of other keys moves: so a key that
//! exists during the whole walk appears exactly once, whatever is written meanwhile.

use crate::entries::Entry;
use crate::heap::Heap;
use crate::lock::{Held, Lock};
use crate::store::Store;

/// Buckets looked at while the lock is held once; some 30 µs when all of them hold something.
const BUCKETS_AT_ONCE: u64 = 256;
/// How often that is done before the caller is asked whether to go on: a large store may have few keys with the prefix.
const MAX_PARTS: usize = 64;

impl Store {
    /// The next keys that start with `prefix`, from `cursor` on (0: from the start), and the cursor to go on with (0: that
    /// was all). At most `max` keys (at least 1), and further ones only if their 64-bit hashes are equal. Fewer, even none,
    /// are not the end: a call looks at 16,384 buckets at most.
    pub fn keys(
        &self,
        lock: &(impl Lock + ?Sized),
        prefix: &[u8],
        cursor: u64,
        max: usize,
    ) -> (Vec<Vec<u8>>, u64) {
        let mut found = Vec::new();
        let mut from = cursor;
        for _ in 0..MAX_PARTS {
            let held = Held::new(*self, lock);
            from = self.walk(prefix, from, max.max(1), &mut found);
            drop(held);
            if from == 0 || found.len() >= max.max(1) {
                break;
            }
        }
        (found, from)
    }

    /// Walks one part of the buckets; returns the hash to go on with.
    fn walk(&self, prefix: &[u8], from: u64, max: usize, found: &mut Vec<Vec<u8>>) -> u64 {
        let heap = self.heap();
        let first = self.layout.bucket(from);
        let end = self.layout.buckets.min(first + BUCKETS_AT_ONCE);
        for bucket in first..end {
            let entries = sorted_entries(&heap, bucket, prefix, from);
            for (i, entry) in entries.iter().enumerate() {
                let follows_equal = i > 0 && entries[i - 1].hash == entry.hash;
                if found.len() >= max && !follows_equal {
                    return entry.hash;
                }
                found.push(heap.key(entry).to_vec());
            }
        }
        if end == self.layout.buckets { 0 } else { self.layout.first_hash(end) }
    }
}

/// The matching entries of one bucket with hashes from `from` on, in the order of their hashes.
fn sorted_entries(heap: &Heap, bucket: u64, prefix: &[u8], from: u64) -> Vec<Entry> {
    let mut entries: Vec<Entry> = heap
        .chain(heap.layout.bucket_link(bucket))
        .map(|(_, entry)| entry)
        .filter(|entry| entry.hash >= from && heap.key(entry).starts_with(prefix))
        .collect();
    entries.sort_unstable_by_key(|entry| entry.hash);
    entries
}
