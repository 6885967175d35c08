//! Real processes on shared memory: writers are killed with SIGKILL at random moments while readers go on.
//!
//! Nobody may ever see a value that was not written, a version that stood still across a change, or a byte lost.

use std::hint::spin_loop;
use std::io::Error;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use wick_kv::{Cas, Lock, Store, Write, apply};

const BYTES: usize = 256 << 10;
const LOCK_BYTES: usize = 4096;
const KEYS: u64 = 40;
const KILLS: u64 = 150;
const AT_MOST: Duration = Duration::from_secs(30);

/// A spin lock that holds its owner's process id, so that whoever buries a process can free it: what nginx does.
#[derive(Clone, Copy)]
struct OwnerLock(NonNull<AtomicU32>);

impl OwnerLock {
    fn word(&self) -> &AtomicU32 {
        // SAFETY: the first word of a mapping that is never unmapped.
        unsafe { self.0.as_ref() }
    }

    /// Frees the lock if the process `pid`, which is dead, held it.
    fn bury(&self, pid: libc::pid_t) -> bool {
        self.word().compare_exchange(pid as u32, 0, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}

impl Lock for OwnerLock {
    fn lock(&self) {
        let me = std::process::id();
        while self.word().compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spin_loop();
            // SAFETY: no preconditions.
            unsafe { libc::sched_yield() };
        }
    }

    fn unlock(&self) {
        self.word().store(0, Ordering::Release);
    }
}

fn shared_store() -> (Store, OwnerLock) {
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping.
    let base = unsafe { libc::mmap(null_mut(), LOCK_BYTES + BYTES, protection, flags, -1, 0) };
    assert_ne!(base, libc::MAP_FAILED, "{}", Error::last_os_error());
    let base = NonNull::new(base.cast::<u8>()).expect("a mapping");
    // SAFETY: the mapping is long enough, never unmapped, and all use the lock in its first word.
    let store = unsafe { Store::create(base.add(LOCK_BYTES), BYTES) }.expect("large enough");
    (store, OwnerLock(base.cast()))
}

/// Forks a process that runs `work` for ever.
fn spawn(work: impl Fn(u64)) -> libc::pid_t {
    // SAFETY: the child only touches the mapping and its own stack and heap (the allocator survives a fork).
    match unsafe { libc::fork() } {
        0 => {
            for round in 0.. {
                work(round);
            }
            unreachable!()
        }
        pid => {
            assert!(pid > 0, "{}", Error::last_os_error());
            pid
        }
    }
}

/// Kills a process and waits until it is dead; tells whether it was killed (it must not have ended otherwise).
fn kill(pid: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: our own child, which nobody else waits for.
    let waited = unsafe {
        libc::kill(pid, libc::SIGKILL);
        libc::waitpid(pid, &mut status, 0)
    };
    waited == pid && libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL
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

fn random(state: u64) -> u64 {
    let mixed = (state ^ state >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
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
    let start = Instant::now();
    let reader = spawn(|_| read_everything(&store, &lock));
    let mut died_holding = 0;
    for round in 0..KILLS {
        let writer = spawn(|i| write_something(&store, &lock, random(round << 32 | i)));
        let version = store.version();
        while store.version() == version {
            assert!(start.elapsed() < AT_MOST, "the writer of round {round} does not get on");
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
    let deadline = Instant::now() + AT_MOST;
    for _ in 0..200 {
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
