//! Repair after a holder of the lock was killed: the chains are the truth, everything else is rebuilt from them.
//!
//! What the writer had not linked yet, or had unlinked and not freed, is free again. Its versions may not have moved,
//! so all move. Should a chain itself be broken (a foreign write: no kill does that) nothing can be trusted and the
//! store is emptied; its users see every key gone and every version moved. Being killed in here is harmless: the
//! store stays marked, and the chains are only read, or emptied one by one.

use crate::entries::Entry;
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
    heap.rebuild(&used);
    heap.memory.store(header::KEYS, used.len() as u64);
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

/// Extents of all linked nodes, ascending. `None`: a link, a node or two of them cannot be right.
fn nodes_in_use(heap: &Heap) -> Option<Vec<(u64, u64)>> {
    let max = (heap.layout.heap_end - heap.layout.heap) / MIN_BLOCK;
    let mut used = Vec::new();
    for bucket in 0..heap.layout.buckets {
        let mut at = heap.memory.load(heap.layout.bucket_link(bucket));
        while at != 0 {
            let entry = sound_entry(heap, at, bucket)?;
            used.push((at, heap.len(at)));
            if used.len() as u64 > max {
                return None;
            }
            at = heap.memory.load(heap.link_of(&entry));
        }
    }
    used.sort_unstable();
    used.windows(2).all(|pair| pair[0].0 + pair[0].1 <= pair[1].0).then_some(used)
}

fn sound_entry(heap: &Heap, at: u64, bucket: u64) -> Option<Entry> {
    heap.entry(at).filter(|entry| heap.layout.bucket(entry.hash) == bucket && heap.plausible(entry))
}

fn empty(heap: &Heap) {
    for bucket in 0..heap.layout.buckets {
        heap.memory.store(heap.layout.bucket_link(bucket), 0);
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
