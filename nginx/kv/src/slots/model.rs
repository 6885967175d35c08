//! The rows of processes under loom: every order in which two processes can go, with all that their processors may reorder.
//! `build/loom.sh` runs it; the atomics are loom's then (`memory`), and there are few rows.

use std::alloc::{Layout, alloc, dealloc};
use std::ptr::NonNull;

use loom::sync::atomic::AtomicU64;
use loom::sync::{Arc, Mutex};
use loom::thread;

use super::{Capacity, Slots};

const CAPACITY: Capacity = Capacity { slots: 2, processes: 2 };
const OWNER: u64 = 1;
const SUCCESSOR: u64 = 2;

/// Slots in memory whose words are loom's, and the store's lock.
struct World {
    slots: Slots,
    lock: Mutex<()>,
    words: (NonNull<AtomicU64>, usize, Layout),
}

// SAFETY: the words are atomics, and the memory goes with the last reference.
unsafe impl Send for World {}
// SAFETY: as above.
unsafe impl Sync for World {}

impl World {
    fn new() -> Arc<World> {
        let count = Slots::bytes(CAPACITY) / 8;
        let layout = Layout::array::<AtomicU64>(count).unwrap().align_to(64).unwrap();
        // SAFETY: not empty; all words are made before anybody looks.
        let base = unsafe {
            let base = NonNull::new(alloc(layout).cast::<AtomicU64>()).unwrap();
            (0..count).for_each(|word| base.add(word).write(AtomicU64::new(0)));
            base
        };
        // SAFETY: as many words as that, zero, and nobody else's.
        let slots =
            unsafe { Slots::create(base.cast(), Slots::bytes(CAPACITY), CAPACITY) }.unwrap();
        Arc::new(World { slots, lock: Mutex::new(()), words: (base, count, layout) })
    }

    /// As `open` does it under the store's lock: a slot for `owner`, zeroed, that nobody writes to.
    fn take(&self, owner: u64) -> Option<u64> {
        let _held = self.lock.lock().unwrap();
        let written = self.slots.being_written();
        (self.slots.spare(&written) > 0)
            .then(|| self.slots.join_one(self.slots.take(&written), owner, 7))
    }

    fn release(&self, owner: u64) {
        let _held = self.lock.lock().unwrap();
        self.slots.release(owner, |_| true);
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let (base, count, layout) = self.words;
        // SAFETY: made in `new`.
        unsafe {
            (0..count).for_each(|word| base.add(word).drop_in_place());
            dealloc(base.as_ptr().cast(), layout);
        }
    }
}

/// What a process adds to a slot never lands in the slot's next owner, whenever the slot changes hands.
#[test]
fn a_write_never_reaches_the_next_owner() {
    loom::model(|| {
        let world = World::new();
        let number = world.take(OWNER).unwrap();
        world.take(OWNER).unwrap(); // so that no other slot is free
        let row = world.slots.register(1, |_| true).unwrap();
        let other = world.clone();
        let taker = thread::spawn(move || {
            other.release(OWNER);
            let next = other.take(SUCCESSOR)?;
            Some((next, other.slots.get(next, 0)))
        });
        row.add(number, 0, 5);
        if let Some((next, seen)) = taker.join().unwrap() {
            assert_eq!(seen, 0);
            assert_eq!(world.slots.get(next, 0), 0);
        }
        drop(row);
    });
}

/// Who reads a slot that changes hands gets what its owner wrote, or nothing.
#[test]
fn a_read_never_shows_the_next_owners_number() {
    loom::model(|| {
        let world = World::new();
        let number = world.take(OWNER).unwrap();
        world.take(OWNER).unwrap();
        let row = world.slots.register(1, |_| true).unwrap();
        row.add(number, 0, 5);
        let other = world.clone();
        let reader = thread::spawn(move || other.slots.get(number, 0));
        world.release(OWNER);
        if let Some(next) = world.take(SUCCESSOR) {
            row.add(next, 0, 9);
        }
        let seen = reader.join().unwrap();
        assert!(seen == 5 || seen == 0, "{seen}");
        drop(row);
    });
}

/// Two processes that come at once, after one that died, get a row each, and both count.
#[test]
fn a_row_has_one_owner() {
    loom::model(|| {
        let world = World::new();
        let number = world.take(OWNER).unwrap();
        let dead = world.slots.register(9, |_| true).unwrap();
        dead.add_to_gauge(number, 100);
        std::mem::forget(dead);
        let other = world.clone();
        let come = move |world: &World, pid: u32| {
            let row = world.slots.register(pid, |pid| pid != 9).unwrap();
            row.add_to_gauge(number, 1);
            row
        };
        let second = thread::spawn(move || std::mem::forget(come(&other, 2)));
        std::mem::forget(come(&world, 1));
        second.join().unwrap();
        assert_eq!(world.slots.gauge(number, &world.slots.live()), 2);
    });
}
