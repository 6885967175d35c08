//! A store with its slots, while strangers write into its memory: whatever is found there, nothing outside is touched, no call
//! goes on for ever, and a panic unlocks. As long as nobody wrote, it holds what a map would hold.
#![no_main]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::NonNull;

use libfuzzer_sys::fuzz_target;
use wick_kv::{Capacity, Cas, Lock, Row, Slots, Store, Write, apply};

const STORE_BYTES: usize = 16 << 10;
const SLOTS: Capacity = Capacity { slots: 4, processes: 64 };

fuzz_target!(init: {
    // libFuzzer's own would end the process: a panic is what a store that was written into may answer with.
    std::panic::set_hook(Box::new(|_| {}));
}, |bytes: &[u8]| {
    let mut world = World::new();
    for step in bytes.chunks(4).take(200) {
        let step: [u8; 4] = std::array::from_fn(|i| step.get(i).copied().unwrap_or_default());
        let outcome = catch_unwind(AssertUnwindSafe(|| world.step(step)));
        assert_or_abort(outcome.is_ok() || world.is_written_into, "a panic of a sound store");
        assert_or_abort(!world.lock.0.get(), "the lock is free");
    }
});

/// For libFuzzer a finding is a process that ends.
fn assert_or_abort(holds: bool, what: &str) {
    if !holds {
        eprintln!("finding: not so: {what}");
        std::process::abort();
    }
}

/// Aligned memory, at whose ends AddressSanitizer looks.
struct Region(NonNull<u8>, Layout);

impl Region {
    fn new(bytes: usize) -> Region {
        let layout = Layout::from_size_align(bytes, 64).expect("a layout");
        // SAFETY: the layout is not empty.
        Region(NonNull::new(unsafe { alloc_zeroed(layout) }).expect("memory"), layout)
    }

    fn write(&self, at: usize, byte: u8) {
        // SAFETY: inside.
        unsafe { self.0.add(at % self.1.size()).write(byte) };
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: as it was allocated.
        unsafe { dealloc(self.0.as_ptr(), self.1) };
    }
}

#[derive(Default)]
struct Held(Cell<bool>);

impl Lock for Held {
    fn lock(&self) {
        assert_or_abort(!self.0.replace(true), "locked once");
    }

    fn unlock(&self) {
        assert_or_abort(self.0.replace(false), "unlocked by its holder");
    }
}

struct World {
    // Before the memory, which its drop writes to.
    row: Option<Row>,
    store: Store,
    slots: Slots,
    lock: Held,
    model: BTreeMap<Vec<u8>, Vec<u8>>,
    numbers: Vec<u64>,
    is_written_into: bool,
    regions: [Region; 2],
}

impl World {
    fn new() -> World {
        let regions = [Region::new(STORE_BYTES), Region::new(Slots::bytes(SLOTS))];
        // SAFETY: both regions are zeroed and outlive the handles, which are dropped before.
        let (store, slots) = unsafe {
            (
                Store::create(regions[0].0, STORE_BYTES).expect("room"),
                Slots::create(regions[1].0, Slots::bytes(SLOTS), SLOTS).expect("room"),
            )
        };
        World {
            row: slots.register(1, |_| true),
            store: store.with_slots(slots),
            slots,
            lock: Held::default(),
            model: BTreeMap::new(),
            numbers: vec![1 << 32],
            is_written_into: false,
            regions,
        }
    }

    fn step(&mut self, [what, a, b, c]: [u8; 4]) {
        match what % 12 {
            0..=2 => self.set(a, Some(usize::from(b) + 256 * usize::from(c % 8))),
            3 => self.set(a, None),
            4 | 5 => self.look(a),
            6 => self.list(a),
            7 => self.open(a, b, c),
            8 | 9 => self.count(a, b, c),
            10 => {
                let row = self.slots.register(u32::from(a) + 2, |pid| pid % 2 == 0);
                self.slots.reap(1, |pid| pid % 3 != 0);
                drop(row);
            }
            _ => {
                self.is_written_into = true;
                let region = &self.regions[usize::from(what >= 128)];
                region.write(usize::from(a) * 256 + usize::from(b), c);
            }
        }
    }

    fn set(&mut self, name: u8, len: Option<usize>) {
        let key = key(name);
        let value = len.map(|len| vec![name; len]);
        let write = Write { key: &key, value: value.as_deref(), cas: Cas::Any };
        let written = apply(&[(self.store, &self.lock)], &[(0, write)]);
        if written.is_ok() && !self.is_written_into {
            match value {
                Some(value) => drop(self.model.insert(key, value)),
                None => drop(self.model.remove(&key)),
            }
        }
    }

    fn look(&mut self, name: u8) {
        let found = self.store.get(&self.lock, &key(name)).map(|(value, _)| value);
        let is_known = found.as_ref() == self.model.get(&key(name));
        assert_or_abort(is_known || self.is_written_into, "what was written is read");
        self.store.statistics();
        self.store.key_version(&key(name));
    }

    fn list(&mut self, max: u8) {
        let (mut cursor, mut count) = (0, 0);
        for _ in 0..200 {
            let (keys, next) = self.store.keys(&self.lock, b"", cursor, usize::from(max) + 1);
            count += keys.len();
            cursor = next;
            if next == 0 {
                break;
            }
        }
        let is_all = cursor == 0 && count == self.model.len();
        assert_or_abort(is_all || self.is_written_into, "every key is listed once");
    }

    fn open(&mut self, name: u8, first: u8, count: u8) {
        let key = key(name);
        let mut ids: Vec<u64> = (0..count % 6).map(|i| u64::from(first) + u64::from(i)).collect();
        let version = self.store.key_version(&key);
        if self.store.open_slots(&self.lock, &key, version, &mut ids).is_ok() {
            self.numbers.extend(ids);
        }
    }

    fn count(&mut self, nth: u8, cell: u8, what: u8) {
        let number = self.numbers[usize::from(nth) % self.numbers.len()];
        self.slots.get(number, u32::from(cell % 4));
        self.slots.gauge(number, &self.slots.live());
        let Some(row) = &self.row else { return };
        row.add(number, u32::from(cell % 4), what.into());
        row.add_to_gauge(number, i64::from(what) - 100);
        let _ = row.swap(number, u32::from(cell % 4), 0, what.into());
    }
}

fn key(name: u8) -> Vec<u8> {
    vec![b'k', name % 24]
}
