//! Prints what slots cost: `cargo bench -p wick-kv --bench slots`. The median of 21 runs of each; four processes have rows.

use std::alloc::{Layout, alloc_zeroed};
use std::cell::Cell;
use std::hint::black_box;
use std::ptr::NonNull;
use std::time::Instant;

use wick_kv::{Capacity, Cas, Lock, Row, Slots, Store};

const STORE_BYTES: usize = 1 << 20;
const COUNT: u32 = 65536;
const CAPACITY: Capacity = Capacity { slots: COUNT, processes: 256 };
const RUNS: usize = 21;
const OF_ONE_KEY: [u64; 3] = [10, 1_000, 10_000];

struct NoLock;

impl Lock for NoLock {
    fn lock(&self) {}

    fn unlock(&self) {}
}

fn memory(len: usize) -> NonNull<u8> {
    let layout = Layout::from_size_align(len, 4096).expect("a valid layout");
    // SAFETY: the size is not 0.
    NonNull::new(unsafe { alloc_zeroed(layout) }).expect("memory")
}

fn store() -> (Store, Slots) {
    let len = Slots::bytes(CAPACITY);
    // SAFETY: never freed, and used by one thread.
    unsafe {
        let store = Store::create(memory(STORE_BYTES), STORE_BYTES).expect("large enough");
        let slots = Slots::create(memory(len), len, CAPACITY).expect("large enough");
        (store.with_slots(slots), slots)
    }
}

/// Prints the median time of `operation`, divided by `parts`.
fn measure(name: &str, parts: usize, mut operation: impl FnMut()) {
    let mut ns: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            operation();
            start.elapsed().as_nanos() as f64 / parts as f64
        })
        .collect();
    ns.sort_by(f64::total_cmp);
    println!("{name:<52} {:>10.1} ns", ns[RUNS / 2]);
}

fn open(store: &Store, ids: &[u64]) -> Vec<u64> {
    let mut numbers = ids.to_vec();
    store.open_slots(&NoLock, b"key", store.key_version(b"key"), &mut numbers).expect("room");
    numbers
}

fn main() {
    let (store, slots) = store();
    store.set(&NoLock, b"key", Some(b"record"), Cas::Any).expect("room");
    let rows: Vec<Row> = (1..=4).map(|pid| slots.register(pid, |_| true).expect("a row")).collect();
    for n in OF_ONE_KEY {
        let ids: Vec<u64> = (0..n).map(|i| i << 32 | 0x50).collect();
        measure(&format!("open, {n} ids, none of them open"), 1, || {
            open(&store, &[]);
            open(&store, &ids);
        });
        measure(&format!("open, {n} ids, nothing changed"), 1, || drop(open(&store, &ids)));
        let (mut changed, turn) = (ids.clone(), Cell::new(0));
        measure(&format!("open, {n} ids, one changed"), 1, || {
            turn.set(turn.get() + 1);
            changed[(turn.get() * 7919 % n) as usize] = turn.get();
            open(&store, &changed);
        });
        let numbers = open(&store, &ids);
        let each = |f: &dyn Fn(u64)| numbers.iter().for_each(|number| f(*number));
        let per_slot = numbers.len();
        measure("get, each of them", per_slot, || each(&|slot| _ = black_box(slots.get(slot, 0))));
        let live = slots.live();
        measure("gauge, each of them", per_slot, || {
            each(&|slot| _ = black_box(slots.gauge(slot, &live)))
        });
        measure("add, each of them", per_slot, || {
            each(&|slot| _ = black_box(rows[0].add(slot, 0, 1)));
        });
        measure("swap, each of them", per_slot, || {
            each(&|slot| _ = black_box(rows[0].swap(slot, 1, 0, 0)));
        });
        measure("add to gauge, each of them", per_slot, || {
            each(&|slot| _ = black_box(rows[0].add_to_gauge(slot, 1)));
        });
    }
    measure("release of 10,000 with their key", 1, || {
        open(&store, &(0..10_000).collect::<Vec<_>>());
        store.set(&NoLock, b"key", None, Cas::Any).expect("room");
        store.set(&NoLock, b"key", Some(b"record"), Cas::Any).expect("room");
    });
}
