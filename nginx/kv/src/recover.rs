//! Repair after a holder of the lock was killed: the chains are the truth, everything else is rebuilt from them.
//!
//! What the writer had not linked yet, or had unlinked and not freed, is free again. A node in the spare place goes into the heap.
//! Its versions may not have moved, so all move. Should a chain itself be broken (a foreign write: no kill does that) nothing can be trusted and the
//! store is emptied; its users see every key gone and every version moved. Being killed in here is harmless: the
//! store stays marked, and the chains are only read, or emptied one by one.

use crate::entries::{Entry, Key};
use crate::heap::{Heap, MIN_BLOCK};
use crate::layout::{STRIPES, header};
use crate::store::Store;

/// Repairs the store and clears its mark; the lock is held.
#[cold]
pub(crate) fn recover(store: &Store) {
    let heap = store.heap();
    let used = nodes_in_use(&heap).unwrap_or_else(|| {
        empty(&heap);
        count(&heap, header::RESETS);
        Vec::new()
    });
    let (blocks, spare) = without_spare(&heap, &used);
    heap.rebuild(&blocks);
    heap.memory.store(header::KEYS, used.len() as u64);
    if let Some(entry) = spare {
        leave_spare(store, &entry);
    }
    count(&heap, header::RECOVERIES);
    move_all_versions(&heap);
    if let Some(slots) = store.slots {
        slots.rebuild(store);
    }
    store.mark(0);
}

/// Repairs the slots alone: their holder was killed in the middle of a change, the store's was not.
#[cold]
pub(crate) fn recover_slots(store: &Store) {
    if let Some(slots) = store.slots {
        slots.rebuild(store);
        count(&store.heap(), header::RECOVERIES);
        slots.mark(0);
    }
}

/// The blocks among the nodes, and the node that is in the spare place.
fn without_spare(heap: &Heap, used: &[(u64, u64)]) -> (Vec<(u64, u64)>, Option<Entry>) {
    let (spare, blocks): (Vec<_>, Vec<_>) =
        used.iter().partition(|(at, _)| *at == heap.layout.spare);
    (blocks, spare.first().and_then(|(at, _)| heap.entry(*at)))
}

/// Extents of all linked nodes, ascending; that in the spare place has no length. `None`: a link, a node or two of them cannot be right.
fn nodes_in_use(heap: &Heap) -> Option<Vec<(u64, u64)>> {
    let max = (heap.layout.heap_end - heap.layout.heap) / MIN_BLOCK;
    let mut used = Vec::new();
    for bucket in 0..heap.layout.buckets {
        let mut at = heap.memory.load(heap.layout.bucket_link(bucket));
        while at != 0 {
            let entry = sound_entry(heap, at, bucket)?;
            used.push((at, if at == heap.layout.spare { 0 } else { heap.len(at) }));
            if used.len() as u64 > max {
                return None;
            }
            at = heap.memory.load(heap.link_of(&entry));
        }
    }
    used.sort_unstable();
    let is_disjoint =
        |pair: &[(u64, u64)]| pair[0].0 != pair[1].0 && pair[0].0 + pair[0].1 <= pair[1].0;
    used.windows(2).all(is_disjoint).then_some(used)
}

fn sound_entry(heap: &Heap, at: u64, bucket: u64) -> Option<Entry> {
    heap.entry(at).filter(|entry| heap.layout.bucket(entry.hash) == bucket && heap.plausible(entry))
}

fn empty(heap: &Heap) {
    for bucket in 0..heap.layout.buckets {
        heap.memory.store(heap.layout.bucket_link(bucket), 0);
    }
}

/// Copies the node in the spare place into the heap, which has the room of the one that it replaced. `entry` is linked.
fn leave_spare(store: &Store, entry: &Entry) {
    let heap = store.heap();
    let (bytes, value) = (heap.key(entry).to_vec(), heap.value(entry).to_vec());
    let key = Key { bytes: &bytes, hash: entry.hash };
    // Only a foreign write leaves no room: then the key goes, as nothing may stay in the spare place.
    let node = heap.write(&key, &value, entry.cas).unwrap_or(0);
    heap.link(&heap.place(&key), node);
    if node == 0 {
        heap.memory.store(header::KEYS, heap.memory.load(header::KEYS).saturating_sub(1));
    }
}

fn move_all_versions(heap: &Heap) {
    for stripe in 0..STRIPES {
        heap.memory.publish(header::STRIPES + stripe * 8);
    }
    heap.memory.publish(header::VERSION);
}

fn count(heap: &Heap, counter: u64) {
    heap.memory.store(counter, heap.memory.load(counter) + 1);
}
