//! Prints what the store's operations cost, in ns: `cargo bench -p wick-kv`. The median of 21 runs of each.
//!
//! 10,000 backends of 300 bytes in 64 MiB, visited in a random order, so that most reads miss the caches as they do in
//! a worker; the lock is one atomic exchange, as nginx's is when nobody else holds it.

use std::alloc::{Layout, alloc_zeroed};
use std::hint::black_box;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use wick_kv::{Cas, Lock, Store, Write, apply};

const BYTES: usize = 64 << 20;
const BACKENDS: usize = 10_000;
const RUNS: usize = 21;

#[derive(Default)]
struct Spin(AtomicBool);

impl Lock for Spin {
    fn lock(&self) {
        while self.0.compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed).is_err() {
            std::hint::spin_loop();
        }
    }

    fn unlock(&self) {
        // As nginx does it: with a locked instruction, not with a plain store.
        let _ = self.0.compare_exchange(true, false, Ordering::Release, Ordering::Relaxed);
    }
}

fn store() -> Store {
    let layout = Layout::from_size_align(BYTES, 4096).expect("a valid layout");
    // SAFETY: the size is not 0.
    let base = NonNull::new(unsafe { alloc_zeroed(layout) }).expect("64 MiB");
    // SAFETY: never freed, and used with one lock.
    unsafe { Store::create(base, BYTES) }.expect("large enough")
}

/// Times `operation` on every key; prints the median over the runs.
fn measure(name: &str, keys: &[Vec<u8>], mut operation: impl FnMut(&[u8])) {
    let mut ns: Vec<f64> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            keys.iter().for_each(|key| operation(key));
            start.elapsed().as_nanos() as f64 / keys.len() as f64
        })
        .collect();
    ns.sort_by(f64::total_cmp);
    println!("{name:<44} {:>8.1} ns", ns[RUNS / 2]);
}

fn main() {
    let (store, lock) = (store(), Spin::default());
    let mut keys: Vec<Vec<u8>> = (0..BACKENDS)
        .map(|i| format!("backends/namespace-{}-service-{i}-8080", i % 100).into_bytes())
        .collect();
    let value = [7; 300];
    for key in &keys {
        store.set(&lock, key, Some(&value), Cas::Any).expect("room");
    }
    keys.sort_by_key(|key| {
        key.iter().fold(1_u64, |h, b| (h ^ u64::from(*b)).wrapping_mul(0x100_0000_01b3))
    });

    let mut copy = [0; 300];
    measure("version", &keys, |_| _ = black_box(store.version()));
    measure("key_version", &keys, |key| _ = black_box(store.key_version(key)));
    measure("read, 300 bytes copied, random key", &keys, |key| {
        store.read(&lock, key, |value, _| black_box(&mut copy).copy_from_slice(value));
    });
    let one = vec![keys[0].clone(); BACKENDS];
    measure("read, 300 bytes copied, same key", &one, |key| {
        store.read(&lock, key, |value, _| black_box(&mut copy).copy_from_slice(value));
    });
    measure("read, absent key", &keys, |key| drop(store.get(&lock, &key[1..])));
    measure("set, 300 bytes over 300 bytes", &keys, |key| {
        store.set(&lock, key, Some(&value), Cas::Any).expect("room");
    });
    measure("delete and set anew", &keys, |key| {
        store.set(&lock, key, None, Cas::Any).expect("room");
        store.set(&lock, key, Some(&value), Cas::Any).expect("room");
    });
    let chunks: Vec<Vec<u8>> = vec![vec![]; 10];
    let writes: Vec<_> = keys
        .iter()
        .take(1000)
        .map(|key| (0, Write { key, value: Some(&value[..]), cas: Cas::Any }))
        .collect();
    measure("apply of 1,000 writes", &chunks, |_| apply(&[(store, &lock)], &writes).expect("room"));
    measure("keys, a walk of all in parts of 1,000", &chunks, |_| walk(&store, &lock));
    println!("{:?}", store.statistics());
}

fn walk(store: &Store, lock: &Spin) {
    let mut cursor = 0;
    loop {
        let (keys, next) = store.keys(lock, b"backends/", cursor, 1000);
        black_box(keys);
        if next == 0 {
            return;
        }
        cursor = next;
    }
}
