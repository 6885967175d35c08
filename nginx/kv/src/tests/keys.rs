use std::collections::BTreeSet;

use super::{Region, TestLock, rounds};
use crate::{Cas, Store};

const LEN: usize = 1 << 20;

fn put(store: &Store, lock: &TestLock, key: &str) {
    store.set(lock, key.as_bytes(), Some(b"x"), Cas::Any).unwrap();
}

/// Walks all keys in steps of `max`; calls `between` after each step.
fn walk(
    store: &Store,
    lock: &TestLock,
    prefix: &str,
    max: usize,
    mut between: impl FnMut(usize),
) -> Vec<String> {
    let (mut all, mut cursor) = (Vec::new(), 0);
    for step in 0..10_000 {
        let (keys, next) = store.keys(lock, prefix.as_bytes(), cursor, max);
        assert!(keys.len() <= max.max(1));
        all.extend(keys.into_iter().map(|key| String::from_utf8(key).unwrap()));
        if next == 0 {
            return all;
        }
        between(step);
        cursor = next;
    }
    panic!("the walk does not end");
}

#[test]
fn every_key_is_listed_once_whatever_the_step() {
    let (region, lock) = (Region::new(LEN), TestLock::default());
    let store = region.create();
    let keys: BTreeSet<String> = (0..rounds(1500, 60)).map(|i| format!("backends/{i}")).collect();
    keys.iter().for_each(|key| put(&store, &lock, key));
    put(&store, &lock, "routes/main/a.test");
    for max in [0, 1, 7, 256, 1500, usize::MAX] {
        let listed = walk(&store, &lock, "backends/", max, |_| {});
        assert_eq!(listed.len(), keys.len(), "in steps of {max}");
        assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), keys);
    }
    assert_eq!(walk(&store, &lock, "routes/", 10, |_| {}), ["routes/main/a.test"]);
    assert_eq!(walk(&store, &lock, "nothing/", 10, |_| {}), [""; 0]);
}

#[test]
#[cfg_attr(miri, ignore = "takes too long")]
fn a_call_ends_before_it_has_looked_at_all_of_a_large_store() {
    let (region, lock) = (Region::new(32 << 20), TestLock::default());
    let store = region.create();
    put(&store, &lock, "rare/one");
    (0..100).for_each(|i| put(&store, &lock, &format!("common/{i}")));
    let mut steps = 0;
    assert_eq!(walk(&store, &lock, "rare/", 10, |_| steps += 1), ["rare/one"]);
    assert!((3..10).contains(&steps), "{steps} steps");
    assert_eq!(walk(&store, &lock, "common/", 10, |_| {}).len(), 100);
}

#[test]
fn keys_that_stay_are_listed_once_while_others_come_and_go() {
    let (region, lock) = (Region::new(LEN), TestLock::default());
    let store = region.create();
    let staying: BTreeSet<String> = (0..rounds(500, 30)).map(|i| format!("stay/{i}")).collect();
    for key in &staying {
        put(&store, &lock, key);
        put(&store, &lock, &format!("go/{key}"));
    }
    let listed = walk(&store, &lock, "", 10, |step| {
        // A rewritten key moves to another place of its chain's memory, a new one to a chain's head.
        put(&store, &lock, &format!("stay/{}", step * 7 % rounds(500, 30)));
        put(&store, &lock, &format!("new/{step}"));
        store.set(&lock, format!("go/stay/{step}").as_bytes(), None, Cas::Any).unwrap();
    });
    let stayed: Vec<_> = listed.iter().filter(|key| staying.contains(*key)).collect();
    assert_eq!(stayed.len(), staying.len());
    assert_eq!(stayed.into_iter().cloned().collect::<BTreeSet<_>>(), staying);
}
