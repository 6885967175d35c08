use super::{Region, TINY, TestLock};
use crate::entries::Key;
use crate::layout::Layout;
use crate::{Cas, LayoutError, MAX_KEY_BYTES, MAX_VALUE_BYTES, Refusal};

#[test]
fn a_value_comes_back_with_its_cas_number() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    assert_eq!(store.get(&lock, b"a"), None);
    store.set(&lock, b"a", Some(b"one"), Cas::Any).unwrap();
    let (value, cas) = store.get(&lock, b"a").unwrap();
    assert_eq!(value, b"one");
    assert!(cas != 0 && cas != u32::MAX);
    store.set(&lock, b"a", Some(b""), Cas::Is(cas)).unwrap();
    let (value, next) = store.get(&lock, b"a").unwrap();
    assert_eq!(value, b"");
    assert_ne!(next, cas);
}

#[test]
fn a_wrong_cas_number_changes_nothing() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"a", Some(b"one"), Cas::Absent).unwrap();
    let (_, cas) = store.get(&lock, b"a").unwrap();
    let version = store.version();
    for (key, wrong) in [(b"a", Cas::Is(cas + 1)), (b"a", Cas::Absent), (b"b", Cas::Is(cas))] {
        let error = store.set(&lock, key, Some(b"two"), wrong).unwrap_err();
        assert_eq!(error.kind, Refusal::CasMismatch);
    }
    assert_eq!(store.get(&lock, b"a"), Some((b"one".to_vec(), cas)));
    assert_eq!(store.version(), version);
}

#[test]
fn a_recreated_key_does_not_match_an_old_cas_number() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"a", Some(b"one"), Cas::Any).unwrap();
    let (_, old) = store.get(&lock, b"a").unwrap();
    store.set(&lock, b"a", None, Cas::Any).unwrap();
    store.set(&lock, b"a", Some(b"one"), Cas::Any).unwrap();
    assert!(store.set(&lock, b"a", Some(b"two"), Cas::Is(old)).is_err());
}

#[test]
fn cas_numbers_never_become_0_or_all_ones() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.memory.store(crate::layout::header::CAS, u64::from(u32::MAX) - 2);
    for expected in [u32::MAX - 1, 1, 2] {
        store.set(&lock, b"a", Some(b"x"), Cas::Any).unwrap();
        assert_eq!(store.get(&lock, b"a").unwrap().1, expected);
    }
}

#[test]
fn versions_move_with_writes_and_deletes_and_stand_still_otherwise() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let versions = || (store.version(), store.key_version(b"a"));
    let mut last = versions();
    assert_ne!(last.0, 0);
    for value in [Some(&b"one"[..]), Some(b"one"), None] {
        store.set(&lock, b"a", value, Cas::Any).unwrap();
        let now = versions();
        assert!(now.0 != last.0 && now.1 != last.1, "{value:?}");
        last = now;
    }
    store.get(&lock, b"a");
    store.set(&lock, b"a", None, Cas::Any).unwrap();
    assert_eq!(versions(), last, "reading and deleting what is absent move nothing");
}

#[test]
fn another_handle_finds_the_data() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    region.create().set(&lock, b"a", Some(b"one"), Cas::Any).unwrap();
    let again = region.attach().unwrap();
    assert_eq!(again.get(&lock, b"a").unwrap().0, b"one");
    assert_ne!(again.key_version(b"a"), 0);
}

#[test]
fn sizes_have_limits() {
    let (region, lock) = (Region::new(8 << 20), TestLock::default());
    let store = region.create();
    let (key, value) = (vec![b'k'; MAX_KEY_BYTES], vec![b'v'; MAX_VALUE_BYTES]);
    store.set(&lock, &key, Some(&value), Cas::Any).unwrap();
    assert_eq!(store.get(&lock, &key).unwrap().0, value);
    let (long_key, long_value) = (vec![0; MAX_KEY_BYTES + 1], vec![0; MAX_VALUE_BYTES + 1]);
    for (key, value) in [(&long_key[..], &b""[..]), (b"k", &long_value)] {
        let error = store.set(&lock, key, Some(value), Cas::Any).unwrap_err();
        assert_eq!(error.kind, Refusal::TooLarge);
    }
}

#[test]
fn a_full_store_refuses_and_keeps_what_it_has() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    let mut written = 0_u32;
    while store.set(&lock, &written.to_le_bytes(), Some(&[7; 100]), Cas::Any).is_ok() {
        written += 1;
    }
    assert!(written > 10);
    let before = (store.statistics(), store.version());
    let error = store.set(&lock, b"big", Some(&[7; 100]), Cas::Any).unwrap_err();
    assert_eq!((error.index, error.kind), (0, Refusal::Full));
    assert_eq!((store.statistics(), store.version()), before);
    assert_eq!(store.statistics().keys, u64::from(written));
    for key in 0..written {
        assert_eq!(store.get(&lock, &key.to_le_bytes()).unwrap().0, [7; 100]);
    }
}

#[test]
fn foreign_memory_is_refused() {
    let region = Region::new(TINY);
    assert_eq!(region.attach().err(), Some(LayoutError::Magic));
    region.create();
    region.overwrite(crate::layout::header::LAYOUT as usize, 9);
    assert_eq!(region.attach().err(), Some(LayoutError::Version(9)));
    region.create();
    let longer = Region::copy_of(&[region.bytes(), vec![0; 4096]].concat());
    assert_eq!(longer.attach().err(), Some(LayoutError::Length(TINY as u64)));
}

#[test]
fn too_little_or_crooked_memory_is_refused() {
    let region = Region::new(TINY);
    // SAFETY: the region is longer than what is tried here.
    let (small, crooked) = unsafe {
        (
            crate::Store::create(region.base, 4096),
            crate::Store::create(region.base.add(8), TINY - 64),
        )
    };
    assert_eq!(small.err(), Some(LayoutError::TooSmall));
    assert_eq!(crooked.err(), Some(LayoutError::Misaligned));
}

#[test]
#[cfg_attr(miri, ignore = "takes too long")]
fn a_zone_of_64_mib_holds_a_hundred_thousand_backends() {
    let (region, lock) = (Region::new(64 << 20), TestLock::default());
    let store = region.create();
    for i in 0..100_000 {
        let key = format!("backends/namespace-{i}-service-{i}-8080");
        store.set(&lock, key.as_bytes(), Some(&[1; 300]), Cas::Any).unwrap();
    }
    let statistics = store.statistics();
    assert_eq!(statistics.keys, 100_000);
    assert!(statistics.bytes_free > 16 << 20, "{statistics:?}");
}

#[test]
fn a_panic_while_reading_unlocks_and_loses_nothing() {
    let (region, lock) = (Region::new(TINY), TestLock::default());
    let store = region.create();
    store.set(&lock, b"a", Some(b"one"), Cas::Any).unwrap();
    let read =
        std::panic::AssertUnwindSafe(|| store.read(&lock, b"a", |_, _| panic!("on purpose")));
    assert!(std::panic::catch_unwind(read).is_err());
    assert_eq!(store.get(&lock, b"a").unwrap().0, b"one");
    assert_eq!(store.statistics().recoveries, 1);
}

#[test]
fn keys_of_one_hash_are_told_apart_by_their_bytes() {
    let region = Region::new(TINY);
    let heap = region.create().heap();
    for (bytes, value) in [(b"a", b"1"), (b"b", b"2")] {
        let key = Key { bytes, hash: 7 };
        let node = heap.write(&key, value, 1).unwrap();
        heap.link(&heap.place(&key), node);
    }
    let value =
        |bytes| heap.place(&Key { bytes, hash: 7 }).entry.map(|entry| heap.value(&entry).to_vec());
    assert_eq!(
        [b"a", b"b", b"c"].map(|key| value(key)),
        [Some(vec![b'1']), Some(vec![b'2']), None]
    );
}

#[test]
fn buckets_cut_the_hashes_into_ranges() {
    for len in [TINY, 100_000, 64 << 20] {
        let layout = Layout::of(len).unwrap();
        assert_eq!((layout.bucket(0), layout.bucket(u64::MAX)), (0, layout.buckets - 1));
        for bucket in 1..layout.buckets {
            let first = layout.first_hash(bucket);
            assert_eq!((layout.bucket(first - 1), layout.bucket(first)), (bucket - 1, bucket));
        }
    }
}

/// Who can choose keys must not be able to choose their chain.
#[test]
fn every_store_hashes_differently() {
    let regions = [Region::new(TINY), Region::new(TINY)];
    let [one, other] = regions.each_ref().map(|region| region.create().key(b"a").hash);
    assert_ne!(one, other);
    assert_eq!(regions[0].attach().unwrap().key(b"a").hash, one);
}
