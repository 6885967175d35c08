//! Shared memory, a lock and processes that can be killed.

use std::hint::spin_loop;
use std::io::Error;
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicU32, Ordering};

use wick_kv::Lock;

const LOCK_BYTES: usize = 4096;

/// A spin lock that holds its owner's process id, so that whoever buries a process can free it: what nginx does.
#[derive(Clone, Copy)]
pub struct OwnerLock(&'static AtomicU32);

impl OwnerLock {
    /// Frees the lock if the process `pid`, which is dead, held it.
    pub fn bury(&self, pid: libc::pid_t) -> bool {
        self.0.compare_exchange(pid as u32, 0, Ordering::SeqCst, Ordering::Relaxed).is_ok()
    }
}

impl Lock for OwnerLock {
    fn lock(&self) {
        let me = std::process::id();
        while self.0.compare_exchange(0, me, Ordering::Acquire, Ordering::Relaxed).is_err() {
            spin_loop();
            // SAFETY: no preconditions.
            unsafe { libc::sched_yield() };
        }
    }

    fn unlock(&self) {
        self.0.store(0, Ordering::Release);
    }
}

/// A fresh mapping of `len` bytes, all zero, and a lock for it; never unmapped.
pub fn shared(len: usize) -> (NonNull<u8>, OwnerLock) {
    let (protection, flags) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a fresh mapping.
    let base = unsafe { libc::mmap(null_mut(), LOCK_BYTES + len, protection, flags, -1, 0) };
    assert_ne!(base, libc::MAP_FAILED, "{}", Error::last_os_error());
    let base = NonNull::new(base.cast::<u8>()).expect("a mapping");
    // SAFETY: the first word of a mapping that is never unmapped, and what is behind its page.
    unsafe { (base.add(LOCK_BYTES), OwnerLock(base.cast().as_ref())) }
}

/// Forks a process that runs `work` for ever.
pub fn spawn(work: impl Fn(u64)) -> libc::pid_t {
    // SAFETY: the child only touches the mapping and its own stack and heap (the allocator survives a fork).
    match unsafe { libc::fork() } {
        0 => {
            // A test that is killed must not leave a process behind that runs for ever.
            // SAFETY: sets a property of this process.
            unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) };
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
pub fn kill(pid: libc::pid_t) -> bool {
    let mut status = 0;
    // SAFETY: our own child, which nobody else waits for.
    let waited = unsafe {
        libc::kill(pid, libc::SIGKILL);
        libc::waitpid(pid, &mut status, 0)
    };
    waited == pid && libc::WIFSIGNALED(status) && libc::WTERMSIG(status) == libc::SIGKILL
}

pub fn random(state: u64) -> u64 {
    let mixed = (state ^ state >> 31).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 16
}
