//! A writer killed after any of its stores: every key has its old or its new value, in the order of the writes, nothing
//! is lost, every version moved, and the store goes on.

use super::kill::at_every_store;
use super::{Region, TINY, TestLock};
use crate::layout::header;
use crate::{Cas, Store, Write, apply};

const KEYS: [&[u8]; 6] = [b"stays", b"replaced", b"deleted", b"grown", b"new", b"also new"];

/// Keys that nobody writes; with this many, most chains have several nodes.
fn bystanders() -> impl Iterator<Item = [u8; 2]> {
    (0..60).map(|i| [b'b', i])
}

fn before(store: &Store, lock: &TestLock) {
    for key in bystanders() {
        store.set(lock, &key, Some(&key), Cas::Any).unwrap();
    }
    for (key, value) in [("stays", "s"), ("replaced", "old"), ("deleted", "d"), ("grown", "g")] {
        store.set(lock, key.as_bytes(), Some(value.as_bytes()), Cas::Any).unwrap();
    }
}

fn writes() -> Vec<(usize, Write<'static>)> {
    let write = |key, value| (0, Write { key, value, cas: Cas::Any });
    vec![
        write(b"replaced", Some(b"new")),
        write(b"new", Some(b"n")),
        write(b"deleted", None),
        write(b"grown", Some(&[b'G'; 700])),
        write(b"also new", Some(b"")),
    ]
}

fn values(store: &Store, lock: &TestLock) -> Vec<Option<Vec<u8>>> {
    for key in bystanders() {
        store.read(lock, &key, |value, _| assert_eq!(value, key)).expect("a bystander");
    }
    KEYS.iter().map(|key| store.get(lock, key).map(|(value, _)| value)).collect()
}

/// What readers may find: the first 0, 1, … of the writes in force.
fn allowed() -> Vec<Vec<Option<Vec<u8>>>> {
    (0..=writes().len())
        .map(|count| {
            let (region, lock) = (Region::new(TINY), TestLock::default());
            let store = region.create();
            before(&store, &lock);
            apply(&[(store, &lock)], &writes()[..count]).unwrap();
            values(&store, &lock)
        })
        .collect()
}

/// Bytes that are free once every key is deleted.
fn emptied(store: &Store, lock: &TestLock) -> u64 {
    let delete = |key: &[u8]| store.set(lock, key, None, Cas::Any).unwrap();
    KEYS.into_iter().for_each(delete);
    bystanders().for_each(|key| delete(&key));
    assert_eq!(store.statistics().keys, 0);
    store.statistics().bytes_free
}

#[test]
fn a_kill_at_any_store_leaves_a_prefix_of_the_writes() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let all_free = store.statistics().bytes_free;
    before(&store, &lock);
    let versions =
        |store: &Store| [store.version(), store.key_version(b"new"), store.key_version(b"deleted")];
    let old = versions(&store);
    let moments = at_every_store(&[&region], || apply(&[(store, &lock)], &writes()).unwrap());
    assert!(moments.len() > super::rounds(60, 2), "{}", moments.len());
    let allowed = allowed();
    let mut last = 0;
    for moment in moments {
        let store = moment[0].attach().unwrap();
        let found = values(&store, &lock);
        let prefix =
            allowed.iter().position(|values| *values == found).expect("a prefix of the writes");
        assert!(prefix >= last, "writes come into force in order");
        last = prefix;
        assert_eq!(store.statistics().resets, 0);
        if prefix > 0 {
            assert!(versions(&store).iter().zip(old).all(|(new, old)| *new != old));
        }
        // It goes on, and no byte is lost.
        apply(&[(store, &lock)], &writes()).unwrap();
        assert_eq!(values(&store, &lock), *allowed.last().unwrap());
        assert_eq!(emptied(&store, &lock), all_free);
    }
    assert_eq!(last, writes().len());
}

#[test]
fn a_kill_during_a_refused_write_changes_nothing() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    before(&store, &lock);
    let (values_before, free) = (values(&store, &lock), store.statistics().bytes_free);
    let too_much = [0; TINY];
    let mut writes = writes();
    writes.push((0, Write { key: b"full", value: Some(&too_much), cas: Cas::Any }));
    let refused = || assert_eq!(apply(&[(store, &lock)], &writes).unwrap_err().index, 5);
    for moment in at_every_store(&[&region], refused) {
        let store = moment[0].attach().unwrap();
        assert_eq!(values(&store, &lock), values_before);
        assert_eq!(store.statistics().bytes_free, free);
    }
}

#[test]
fn a_kill_during_repair_is_repaired() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    before(&store, &lock);
    let (values_before, free) = (values(&store, &lock), store.statistics().bytes_free);
    store.memory.store(header::DIRTY, 1);
    // One of the stripes' thousand moves is as good as another: every 25th moment.
    for moment in at_every_store(&[&region], || drop(store.get(&lock, b"stays")))
        .iter()
        .step_by(super::rounds(25, 5))
    {
        let store = moment[0].attach().unwrap();
        assert_eq!(values(&store, &lock), values_before);
        assert_eq!(store.statistics().bytes_free, free);
    }
}

#[test]
fn a_kill_between_two_stores_leaves_both_usable() {
    let (regions, locks) =
        ([Region::new(TINY), Region::new(TINY)], [TestLock::default(), TestLock::default()]);
    let stores = [regions[0].create(), regions[1].create()];
    let write = |key, value| Write { key, value: Some(value), cas: Cas::Any };
    let writes = [(0, write(b"a", b"1")), (1, write(b"b", b"2"))];
    let pairs = [(stores[0], &locks[0]), (stores[1], &locks[1])];
    let moments = at_every_store(&[&regions[0], &regions[1]], || apply(&pairs, &writes).unwrap());
    for moment in moments {
        let stores = [moment[0].attach().unwrap(), moment[1].attach().unwrap()];
        let (a, b) = (stores[0].get(&locks[0], b"a"), stores[1].get(&locks[1], b"b"));
        assert!(a.is_some() || b.is_none(), "in the order given");
        apply(&[(stores[0], &locks[0]), (stores[1], &locks[1])], &writes).unwrap();
    }
}

/// Any single byte of the memory overwritten, before a repair: values may be wrong, but nothing faults, loops or stays locked.
#[test]
fn a_foreign_write_is_survived() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    before(&store, &lock);
    let heap = store.layout.heap as usize;
    let used = store.statistics().bytes_used as usize;
    let buckets = header::BUCKETS as usize..heap;
    for at in buckets.chain(heap..heap + used).step_by(super::rounds(1, 1999)) {
        for byte in [0x00, 0x01, 0x40, 0xff] {
            let broken = Region::copy_of(&region.bytes());
            broken.overwrite(at, byte);
            let store = broken.attach().unwrap();
            store.memory.store(header::DIRTY, 1);
            KEYS.iter().for_each(|key| drop(store.get(&lock, key)));
            store.set(&lock, b"new", Some(b"n"), Cas::Any).unwrap();
            assert_eq!(store.get(&lock, b"new").unwrap().0, b"n");
        }
    }
}

#[test]
fn a_ring_or_a_wild_link_is_found_without_a_mark() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    before(&store, &lock);
    let at = store.heap().place(&store.key(b"stays")).entry.unwrap().at;
    for link in [at, 8, u64::MAX - 7, store.layout.heap_end] {
        let broken = Region::copy_of(&region.bytes());
        let store = broken.attach().unwrap();
        store.memory.store(at + 8, link);
        // Any key of the same bucket that is not there walks the whole chain.
        let bucket = store.layout.bucket(store.key(b"stays").hash);
        let neighbour = (0_u64..)
            .map(|i| i.to_le_bytes())
            .find(|key| store.layout.bucket(store.key(key).hash) == bucket)
            .unwrap();
        let read = std::panic::AssertUnwindSafe(|| store.get(&lock, &neighbour));
        assert!(std::panic::catch_unwind(read).is_err());
        assert_eq!(store.get(&lock, b"stays"), None);
        assert_eq!(store.statistics().resets, 1);
        store.set(&lock, b"stays", Some(b"again"), Cas::Any).unwrap();
    }
}

/// No writer goes on for ever with the lock, whatever somebody else has written into the free lists.
#[test]
fn a_ring_of_free_blocks_is_found_without_a_mark() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"stays", Some(b"s"), Cas::Any).unwrap();
    let heap = store.heap();
    let blocks: Vec<u64> = std::iter::from_fn(|| heap.allocate(248)).collect();
    // More than is kept for small values.
    for at in [5, 3, 1] {
        heap.free(blocks[at]);
    }
    heap.memory.store(blocks[1] + 8, blocks[1]);
    // Of the free block's bin, and larger.
    let mut set = || store.set(&lock, b"new", Some(&[0; 220]), Cas::Any);
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(&mut set)).is_err());
    set().unwrap();
    assert_eq!(store.get(&lock, b"stays").unwrap().0, b"s");
}

/// A link into another node's value, where something lies that looks like a node of this bucket.
#[test]
fn nodes_that_overlap_are_found() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"outer", Some(&[0; 200]), Cas::Any).unwrap();
    let memory = store.memory;
    let outer = store.heap().place(&store.key(b"outer")).entry.unwrap().at;
    let inner = outer + 64;
    let words = [(0, 48), (8, 0), (16, store.key(b"outer").hash), (24, 0), (32, 0)];
    words.iter().for_each(|(at, word)| memory.store(inner + at, *word));
    memory.store(outer + 8, inner);
    memory.store(header::DIRTY, 1);
    assert_eq!(store.get(&lock, b"outer"), None);
    assert_eq!(store.statistics().resets, 1);
}

#[test]
fn a_node_in_a_foreign_bucket_is_found() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"a", Some(b"1"), Cas::Any).unwrap();
    let layout = store.layout;
    let place = store.heap().place(&store.key(b"a"));
    let (at, own) = (place.entry.unwrap().at, layout.bucket(store.key(b"a").hash));
    store.memory.store(layout.bucket_link(own), 0);
    store.memory.store(layout.bucket_link((own + 1) % layout.buckets), at);
    store.memory.store(header::DIRTY, 1);
    assert_eq!(store.get(&lock, b"a"), None);
    assert_eq!((store.statistics().resets, store.statistics().keys), (1, 0));
}
