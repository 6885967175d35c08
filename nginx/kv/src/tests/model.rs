//! The store against a `BTreeMap` that does the same, in memory so small that it gets full.

use std::collections::BTreeMap;

use proptest::prelude::*;

use super::{Region, TINY, TestLock};
use crate::{Cas, Refusal, Write, apply};

type Model = BTreeMap<Vec<u8>, Vec<u8>>;

/// (key, value length or none for delete)
type Change = Vec<(u8, Option<usize>)>;

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![3 => (0..300_usize).prop_map(Some), 1 => (300..2000_usize).prop_map(Some), 2 => Just(None)];
    prop::collection::vec((0..24_u8, value), 1..4)
}

fn key(name: u8) -> Vec<u8> {
    vec![name; usize::from(name) * 3 + 1]
}

fn in_model(model: &mut Model, writes: &[(Vec<u8>, Option<Vec<u8>>)]) {
    for (key, value) in writes {
        match value {
            Some(value) => drop(model.insert(key.clone(), value.clone())),
            None => drop(model.remove(key)),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: super::rounds(300, 4) as u32, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_history_leaves_what_the_model_says(changes in prop::collection::vec(change(), 1..super::rounds(120, 12))) {
        let (region, lock) = (Region::new(TINY), TestLock::default());
        let store = region.create();
        let all_free = store.statistics().bytes_free;
        let mut model = Model::new();
        for (number, change) in changes.iter().enumerate() {
            let writes: Vec<_> = change
                .iter()
                .map(|(name, len)| (key(*name), len.map(|len| vec![number as u8; len])))
                .collect();
            let outcome = apply(&[(store, &lock)], &writes.iter().map(|(key, value)| {
                (0, Write { key, value: value.as_deref(), cas: Cas::Any })
            }).collect::<Vec<_>>());
            let distinct = writes.iter().map(|(key, _)| key).collect::<std::collections::BTreeSet<_>>().len();
            match outcome {
                Ok(()) => in_model(&mut model, &writes),
                Err(error) if error.kind == Refusal::Duplicate => prop_assert!(distinct < writes.len()),
                Err(error) => {
                    prop_assert_eq!(error.kind, Refusal::Full);
                    prop_assert!(writes[error.index].1.is_some());
                }
            }
            for name in 0..24 {
                let found = store.get(&lock, &key(name)).map(|(value, _)| value);
                prop_assert_eq!(found.as_ref(), model.get(&key(name)));
            }
            prop_assert_eq!(store.statistics().keys, model.len() as u64);
            prop_assert_eq!(store.is_empty(), model.is_empty());
        }
        let (listed, end) = store.keys(&lock, b"", 0, usize::MAX);
        prop_assert_eq!(end, 0);
        prop_assert_eq!(listed.into_iter().collect::<std::collections::BTreeSet<_>>(), model.keys().cloned().collect());
        for key in model.keys() {
            store.set(&lock, key, None, Cas::Any).unwrap();
        }
        prop_assert_eq!(store.statistics().bytes_free, all_free);
        prop_assert_eq!(store.statistics().recoveries, 0);
    }
}

#[test]
#[cfg_attr(miri, ignore = "takes too long")]
fn churn_of_all_sizes_leaves_most_of_the_memory_usable() {
    let (region, lock) = (Region::new(4 << 20), TestLock::default());
    let store = region.create();
    let all_free = store.statistics().bytes_free;
    let mut random = 1_u64;
    let mut next = |below: u64| {
        random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (random >> 33) % below
    };
    // A working set of some 60 %: 6,000 keys of 16 to 800 bytes, rewritten at random 200,000 times.
    for _ in 0..200_000 {
        let (key, len) = (next(6000).to_le_bytes(), 16 + next(784) as usize);
        store.set(&lock, &key, Some(&vec![0; len]), Cas::Any).expect("room is left");
    }
    assert!(store.statistics().bytes_used > all_free / 2, "{:?}", store.statistics());
    for key in 0..6000_u64 {
        store.set(&lock, &key.to_le_bytes(), None, Cas::Any).unwrap();
    }
    assert_eq!(store.statistics().bytes_free, all_free);
}
