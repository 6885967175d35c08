//! A full store: what takes no more than it replaces, and what is small, is never refused.

use super::kill::at_every_store;
use super::{Region, TINY, TestLock};
use crate::layout::header;
use crate::{Cas, Refusal, SMALL_VALUE_BYTES, Store, Write, apply};

fn name(n: u32) -> Vec<u8> {
    format!("key-{n}").into_bytes()
}

/// Fills the store until nothing larger than a small value goes in; returns how many keys there are.
fn fill(store: &Store, lock: &TestLock, len: usize) -> u32 {
    let is_in = |n: &u32| store.set(lock, &name(*n), Some(&vec![1; len]), Cas::Any).is_ok();
    (0..).take_while(is_in).count() as u32
}

fn write<'a>(key: &'a [u8], value: Option<&'a [u8]>) -> (usize, Write<'a>) {
    (0, Write { key, value, cas: Cas::Any })
}

#[test]
fn in_a_full_store_a_value_is_replaced_by_one_that_is_not_larger() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let keys = fill(&store, &lock, 100);
    // Even the last of the room is taken.
    while store
        .set(&lock, &name(10_000 + store.statistics().keys as u32), Some(b"x"), Cas::Any)
        .is_ok()
    {}
    let before = store.statistics();
    for n in 0..keys {
        for len in [100, 90, 8, 0] {
            let version = store.version();
            store.set(&lock, &name(n), Some(&vec![2; len]), Cas::Any).unwrap();
            assert_eq!(store.get(&lock, &name(n)).unwrap().0, vec![2; len]);
            assert_eq!(store.version(), version + 1);
        }
    }
    assert_eq!(store.statistics().keys, before.keys);
    assert!(store.statistics().bytes_free > before.bytes_free);
}

#[test]
fn several_at_once_are_applied_together_with_deletions() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let keys = fill(&store, &lock, 100);
    assert!(keys > 8);
    let names: Vec<_> = (0..keys).map(name).collect();
    let value = [3; 100];
    let writes: Vec<_> = names
        .iter()
        .enumerate()
        .map(|(n, name)| write(name, (n % 3 != 0).then_some(&value[..])))
        .collect();
    apply(&[(store, &lock)], &writes).unwrap();
    for (n, name) in names.iter().enumerate() {
        let found = store.get(&lock, name).map(|(value, _)| value);
        assert_eq!(found, (n % 3 != 0).then(|| value.to_vec()));
    }
    assert_eq!(store.statistics().keys, u64::from(keys - keys.div_ceil(3)));
}

#[test]
fn one_that_is_larger_refuses_all_of_them() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    fill(&store, &lock, 100);
    let state = |store: &Store| (store.version(), store.statistics());
    let before = state(&store);
    let (key, other) = (name(0), name(1));
    let writes = [write(&key, Some(&[4; 100])), write(&other, Some(&[4; 200]))];
    assert_eq!(apply(&[(store, &lock)], &writes).unwrap_err().kind, Refusal::Full);
    assert_eq!(state(&store), before);
    assert_eq!(store.get(&lock, &key).unwrap().0, [1; 100]);
}

#[test]
fn the_last_of_the_room_is_for_small_values() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    fill(&store, &lock, 20);
    let reserve = store.layout.reserve();
    let free = store.statistics().bytes_free;
    assert!((reserve..reserve + 80).contains(&free), "{free}");
    assert!(store.set(&lock, b"new", Some(&[0; SMALL_VALUE_BYTES + 1]), Cas::Any).is_err());
    store.set(&lock, b"closed", Some(&[0; SMALL_VALUE_BYTES]), Cas::Any).unwrap();
    store.set(&lock, b"closed too", Some(&[0; 8]), Cas::Any).unwrap();
}

/// A kill at any moment leaves each key its old or its new value, and all of the room comes back.
#[test]
fn a_kill_at_any_store_loses_no_key() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let all_free = store.statistics().bytes_free;
    let keys = fill(&store, &lock, 100);
    let names: Vec<_> = (0..keys).map(name).collect();
    let value = [3; 96];
    let writes: Vec<_> = names[..4]
        .iter()
        .map(|name| write(name, Some(&value)))
        .chain([write(&names[4], None)])
        .collect();
    let mut last = 0;
    for moment in at_every_store(&[&region], || apply(&[(store, &lock)], &writes).unwrap()) {
        let store = moment[0].attach().unwrap();
        let is_new =
            |n: usize| store.get(&lock, &names[n]).map(|(value, _)| value) == Some(value.to_vec());
        let new = (0..4).take_while(|n| is_new(*n)).count();
        assert!(new >= last && (new..4).all(|n| !is_new(n)), "in order");
        last = new;
        assert!((0..4).all(|n| store.get(&lock, &names[n]).is_some()), "a key is lost");
        assert!(store.get(&lock, &names[4]).is_some() || new == 4);
        assert_eq!((store.statistics().resets, store.memory.load(header::DIRTY)), (0, 0));
        apply(&[(store, &lock)], &writes).unwrap();
        assert_eq!(store.statistics().keys, u64::from(keys) - 1);
        names.iter().for_each(|name| store.set(&lock, name, None, Cas::Any).unwrap());
        assert_eq!(store.statistics().bytes_free, all_free);
    }
    assert_eq!(last, 4);
}
