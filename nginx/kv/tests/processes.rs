//! Real processes on shared memory: writers are killed with SIGKILL at random moments while readers go on.
//!
//! Nobody may ever see a value that was not written, a version that stood still across a change, or a byte lost.

mod support;

use std::hint::spin_loop;
use std::time::{Duration, Instant};

use support::{OwnerLock, kill, random, shared, spawn};
use wick_kv::{Cas, Store, Write, apply};

const BYTES: usize = 256 << 10;
const KEYS: u64 = 40;
const KILLS: u64 = 150;
const MAX_WAIT: Duration = Duration::from_secs(300);

fn shared_store() -> (Store, OwnerLock) {
    let (base, lock) = shared(BYTES);
    // SAFETY: the mapping is long enough, never unmapped, and all use its lock.
    let store = unsafe { Store::create(base, BYTES) }.expect("large enough");
    (store, lock)
}

/// A value that proves itself: its key's number, then one byte again and again.
fn value(key: u64, seed: u64) -> Vec<u8> {
    let mut value = key.to_le_bytes().to_vec();
    value.resize(8 + (seed % 1500) as usize, (seed % 251) as u8);
    value
}

fn check(key: u64, value: &[u8]) {
    let (number, fill) = value.split_at(8);
    assert_eq!(number, key.to_le_bytes());
    assert!(fill.iter().all(|byte| *byte == fill[0]), "a torn value of key {key}");
}

/// Two or three writes at once: sets of random sizes and deletes.
fn write_something(store: &Store, lock: &OwnerLock, seed: u64) {
    let keys =
        [seed % KEYS, (seed + 7) % KEYS, (seed + 13) % KEYS].map(|key| (key, key.to_le_bytes()));
    let values = keys.map(|(key, _)| value(key, random(seed ^ key)));
    let writes = [0, 1, 2].map(|i| {
        let value =
            if random(seed + i as u64).is_multiple_of(4) { None } else { Some(&values[i][..]) };
        (0, Write { key: &keys[i].1, value, cas: Cas::Any })
    });
    apply(&[(*store, lock)], &writes).expect("room for three times forty values");
}

fn read_everything(store: &Store, lock: &OwnerLock) {
    for key in 0..KEYS {
        store.read(lock, &key.to_le_bytes(), |value, _| check(key, value));
    }
}

#[test]
fn killed_writers_harm_nobody() {
    let (store, lock) = shared_store();
    let all_free = store.statistics().bytes_free;
    let reader = spawn(|_| read_everything(&store, &lock));
    let mut died_holding = 0;
    for round in 0..KILLS {
        let writer = spawn(|i| write_something(&store, &lock, random(round << 32 | i)));
        let version = store.version();
        let start = Instant::now();
        while store.version() == version {
            assert!(start.elapsed() < MAX_WAIT, "the writer of round {round} does not get on");
            spin_loop();
        }
        let until = Instant::now() + Duration::from_nanos(random(round) % 300_000);
        while Instant::now() < until {
            spin_loop();
        }
        assert!(kill(writer), "the writer ended by itself");
        died_holding += u32::from(lock.bury(writer));
        read_everything(&store, &lock);
    }
    assert!(kill(reader), "the reader found something wrong");
    lock.bury(reader);
    let recoveries = store.statistics().recoveries;
    println!("{KILLS} kills, {died_holding} with the lock, {recoveries} repairs");
    assert!(died_holding > 0 && recoveries > 0, "the test met no critical moment");
    for key in 0..KEYS {
        store.set(&lock, &key.to_le_bytes(), None, Cas::Any).expect("deleting needs no room");
    }
    let statistics = store.statistics();
    assert_eq!((statistics.bytes_free, statistics.keys, statistics.resets), (all_free, 0, 0));
}

/// What routing relies on: whoever sees a version and then reads has the value of that version or a later one.
#[test]
fn a_version_never_stands_still_across_a_change() {
    let (store, lock) = shared_store();
    let writer = spawn(|round| {
        store.set(&lock, b"count", Some(&round.to_le_bytes()), Cas::Any).expect("room");
    });
    let read = || {
        store.read(&lock, b"count", |value, _| {
            u64::from_le_bytes(value.try_into().expect("8 bytes"))
        })
    };
    for _ in 0..200 {
        let deadline = Instant::now() + MAX_WAIT;
        let (version, key_version) = (store.version(), store.key_version(b"count"));
        let first = read();
        while read() == first {
            assert!(Instant::now() < deadline, "nothing changes");
        }
        assert_ne!(store.version(), version);
        assert_ne!(store.key_version(b"count"), key_version);
    }
    assert!(kill(writer));
}
