//! A store takes over what another one has.

use std::collections::BTreeMap;

use super::{Region, TINY, TestLock};
use crate::{Cas, Refusal, Store};

/// Key → value and cas number.
fn all(store: &Store, lock: &TestLock) -> BTreeMap<Vec<u8>, (Vec<u8>, u32)> {
    let (keys, end) = store.keys(lock, b"", 0, usize::MAX);
    assert_eq!(end, 0);
    keys.into_iter().map(|key| (key.clone(), store.get(lock, &key).unwrap())).collect()
}

fn filled(region: &Region, lock: &TestLock, keys: u32) -> Store {
    let store = region.create();
    for n in 0..keys {
        let value = vec![n as u8; (n % 97) as usize];
        store.set(lock, &n.to_le_bytes(), Some(&value), Cas::Any).unwrap();
    }
    store.set(lock, &0u32.to_le_bytes(), None, Cas::Any).unwrap();
    store
}

#[test]
fn everything_is_there_in_larger_and_in_smaller_memory() {
    for (from, to) in [(TINY, 4 * TINY), (4 * TINY, TINY), (TINY, TINY)] {
        let (old_region, new_region) = (Region::new(from), Region::new(to));
        let lock = TestLock::default();
        let (old, new) = (filled(&old_region, &lock, 20), new_region.create());
        new.copy_from(&old, &lock).unwrap();
        assert_eq!(all(&new, &lock), all(&old, &lock));
        assert_eq!(new.statistics().keys, 19);
        assert_eq!(new.get(&lock, &1u32.to_le_bytes()), old.get(&lock, &1u32.to_le_bytes()));
        // A cas number that was read in the old one is still one.
        let (_, cas) = old.get(&lock, &5u32.to_le_bytes()).unwrap();
        new.set(&lock, &5u32.to_le_bytes(), Some(b"new"), Cas::Is(cas)).unwrap();
        let (_, next) = new.get(&lock, &5u32.to_le_bytes()).unwrap();
        assert!(all(&old, &lock).values().all(|(_, before)| next > *before));
        for key in all(&new, &lock).keys() {
            new.set(&lock, key, None, Cas::Any).unwrap();
        }
        assert_eq!(
            new.statistics().bytes_used,
            new_region.attach().unwrap().statistics().bytes_used
        );
        assert_eq!(all(&new, &lock), BTreeMap::new());
    }
}

#[test]
fn what_does_not_fit_is_refused_and_the_old_store_stays() {
    let (old_region, new_region) = (Region::new(4 * TINY), Region::new(TINY));
    let lock = TestLock::default();
    let old = filled(&old_region, &lock, 400);
    let before = all(&old, &lock);
    assert_eq!(new_region.create().copy_from(&old, &lock), Err(Refusal::Full));
    assert_eq!(all(&old, &lock), before);
    old.set(&lock, b"more", Some(b"value"), Cas::Any).unwrap();
}
