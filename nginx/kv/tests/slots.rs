//! Slots under load: threads write without a lock while others open and release. No sample is lost, none gets into a slot that
//! it was not meant for. And real processes that are killed while they do all of that.

mod support;

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use support::{OwnerLock, kill, random, shared, spawn};
use wick_kv::{Capacity, Cas, OpenError, Row, Slots, Store, SwapError};

const COUNT: u32 = 48;
const CAPACITY: Capacity = Capacity { slots: COUNT, processes: 256 };
const STAYING: u64 = 8;
const CHANGING: u64 = 8;
const STORE_BYTES: usize = 64 << 10;

fn world() -> (Store, Slots, OwnerLock) {
    let (base, lock) = shared(STORE_BYTES + Slots::bytes(CAPACITY));
    // SAFETY: the mapping is long enough, fresh, never unmapped, and all use its lock.
    unsafe {
        let store = Store::create(base, STORE_BYTES).expect("large enough");
        let slots = Slots::create(base.add(STORE_BYTES), Slots::bytes(CAPACITY), CAPACITY);
        let slots = slots.expect("large enough");
        (store.with_slots(slots), slots, lock)
    }
}

fn put(store: &Store, lock: &OwnerLock, key: &[u8]) {
    store.set(lock, key, Some(b"record"), Cas::Any).expect("room");
}

/// Opens as someone does who has read the latest value; again if that was overtaken. `None`: the key is gone.
fn open(store: &Store, lock: &OwnerLock, key: &[u8], ids: &[u64]) -> Option<Vec<u64>> {
    loop {
        let version = store.key_version(key);
        store.read(lock, key, |_, _| ())?;
        let mut numbers = ids.to_vec();
        match store.open_slots(lock, key, version, &mut numbers) {
            Ok(()) => return Some(numbers),
            Err(OpenError::Outdated | OpenError::Full) => std::thread::yield_now(),
            Err(OpenError::NoKey) => return None,
            Err(error) => panic!("{error}"),
        }
    }
}

/// Numbers as threads pass them on: what they find here may have been released long ago.
type Published = Vec<AtomicU64>;

/// Adds to cell 0 and counts up cell 1 of whatever is published; returns what it did, by number of the slot.
fn write(
    row: &Row,
    slots: &Slots,
    published: &Published,
    stop: &AtomicBool,
) -> HashMap<u64, [u64; 2]> {
    let mut done: HashMap<u64, [u64; 2]> = HashMap::new();
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let what = random(round);
        let number = published[what as usize % published.len()].load(Ordering::Relaxed);
        if row.add(number, 0, what).is_some() {
            let sum = &mut done.entry(number).or_default()[0];
            *sum = sum.wrapping_add(what);
        }
        if count_up(row, slots, number) {
            done.entry(number).or_default()[1] += 1;
        }
    }
    done
}

fn count_up(row: &Row, slots: &Slots, number: u64) -> bool {
    let mut expected = slots.get(number, 1);
    loop {
        match row.swap(number, 1, expected, expected + 1) {
            Ok(()) => return true,
            Err(SwapError::Mismatch(found)) => expected = found,
            Err(SwapError::Released) => return false,
        }
    }
}

/// Opens other slots again and again, half of them by deleting the key.
fn change(store: &Store, lock: &OwnerLock, key: &[u8], published: &[AtomicU64], stop: &AtomicBool) {
    for round in 0.. {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        if round % 2 == 0 {
            store.set(lock, key, None, Cas::Any).expect("deleting needs no room");
            put(store, lock, key);
        }
        let ids: Vec<u64> = (0..CHANGING).map(|i| round % 5 + i).collect();
        let numbers = open(store, lock, key, &ids).expect("nobody else deletes it");
        published
            .iter()
            .zip(numbers)
            .for_each(|(place, number)| place.store(number, Ordering::Relaxed));
    }
}

#[test]
fn every_sample_is_in_its_slot_and_in_no_other() {
    let (store, slots, lock) = world();
    let keys: [&[u8]; 3] = [b"stays", b"one", b"other"];
    keys.iter().for_each(|key| put(&store, &lock, key));
    let ids: Vec<u64> = (0..STAYING).collect();
    let staying = open(&store, &lock, keys[0], &ids).expect("it exists");
    let published: Published = staying
        .iter()
        .copied()
        .map(AtomicU64::new)
        .chain((0..2 * CHANGING).map(|_| AtomicU64::new(0)))
        .collect();
    let mut sums: HashMap<u64, [u64; 2]> = HashMap::new();
    for round in 0..60 {
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let writers = [1, 2, 3].map(|pid| {
                let (published, stop) = (&published, &stop);
                scope.spawn(move || {
                    let row = slots.register(round * 3 + pid, |_| true).expect("a row");
                    write(&row, &slots, published, stop)
                })
            });
            for (key, from) in [(keys[1], STAYING), (keys[2], STAYING + CHANGING)] {
                let places = &published[from as usize..(from + CHANGING) as usize];
                let (store, lock, stop) = (&store, &lock, &stop);
                scope.spawn(move || change(store, lock, key, places, stop));
            }
            std::thread::sleep(Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
            for writer in writers {
                for (number, done) in writer.join().expect("no panic") {
                    let sum = sums.entry(number).or_default();
                    *sum = [sum[0].wrapping_add(done[0]), sum[1] + done[1]];
                }
            }
        });
        for number in published.iter().map(|place| place.load(Ordering::Relaxed)) {
            let sum = sums.get(&number).copied().unwrap_or_default();
            assert_eq!(
                [slots.get(number, 0), slots.get(number, 1)],
                sum,
                "round {round}, {number:x}"
            );
        }
    }
    assert_eq!(open(&store, &lock, keys[0], &ids), Some(staying));
    assert_eq!(store.statistics().recoveries, 0);
}

/// What a process does for ever: writes to all slots, opens others, deletes keys.
fn live(store: &Store, slots: &Slots, lock: &OwnerLock) {
    let pid = std::process::id();
    let row = slots.register(pid, |_| true).expect("a row");
    let own = [b'k', (pid % 3) as u8];
    for round in 0.. {
        put(store, lock, &own);
        let ids: Vec<u64> = (0..random(round) % 10).collect();
        let staying = open(store, lock, b"stays", &(0..STAYING).collect::<Vec<_>>());
        let changing = open(store, lock, &own, &ids).unwrap_or_default();
        for slot in staying.expect("nobody deletes it").into_iter().chain(changing) {
            row.add(slot, 0, 1);
            row.add_to_gauge(slot, 1);
        }
        if round % 3 == 0 {
            store.set(lock, &own, None, Cas::Any).expect("deleting needs no room");
        }
    }
}

#[test]
fn killed_processes_leave_no_slot_lost_and_nothing_in_a_gauge() {
    const KILLS: u64 = 150;
    let (store, slots, lock) = world();
    put(&store, &lock, b"stays");
    let ids: Vec<u64> = (0..STAYING).collect();
    let staying = open(&store, &lock, b"stays", &ids).expect("it exists");
    let mut died_holding = 0;
    for round in 0..KILLS {
        let processes = [(); 2].map(|()| spawn(|_| live(&store, &slots, &lock)));
        let before = slots.get(staying[0], 0);
        let deadline = Instant::now() + Duration::from_secs(20);
        while slots.get(staying[0], 0) < before + 20 {
            assert!(Instant::now() < deadline, "nobody gets on in round {round}");
            std::thread::yield_now();
        }
        std::thread::sleep(Duration::from_nanos(random(round) % 300_000));
        for pid in processes {
            assert!(kill(pid), "the process ended by itself");
            died_holding += u32::from(lock.bury(pid));
        }
        assert_eq!(open(&store, &lock, b"stays", &ids), Some(staying.clone()));
        slots.reap(1, |_| false);
        assert!(staying.iter().all(|slot| slots.gauge(*slot, &slots.live()) == 0));
    }
    let recoveries = store.statistics().recoveries;
    println!("{KILLS} rounds, {died_holding} died with the lock, {recoveries} repairs");
    assert!(died_holding > 0 && recoveries > 0, "the test met no critical moment");
    for key in 0..3 {
        store.set(&lock, &[b'k', key], None, Cas::Any).expect("deleting needs no room");
    }
    let all: Vec<u64> = (0..u64::from(COUNT)).collect();
    assert!(open(&store, &lock, b"stays", &all).is_some(), "no slot is lost");
    assert_eq!(store.statistics().resets, 0);
}
