//! Deadlines of calls without a thread: a POSIX timer on the process's own CPU time counts the engines'
//! epoch up. It is silent while the process sleeps.

use std::panic::catch_unwind;
use std::ptr::{null_mut, without_provenance_mut};
use std::sync::atomic::{AtomicPtr, Ordering};

use wasmtime::Engine;

/// A call is stopped when it sees this many ticks: after more than one and at most one and a half deadlines.
pub const TICKS: u64 = 3;

const SIGNAL_OFFSET: i32 = 7; // SIGRTMIN + 7: nginx uses no real-time signal but SIGRTMIN (rtsig), long gone

static ENGINES: AtomicPtr<Vec<Engine>> = AtomicPtr::new(null_mut());

/// Ticks twice per deadline while it lives.
pub struct Ticker {
    timer: Option<libc::timer_t>,
    engines: *mut Vec<Engine>,
}

impl Ticker {
    /// Starts ticking for the calling thread. `None` when the system refuses; errno says why.
    pub fn start(engines: Vec<Engine>, deadline_ms: u64) -> Option<Ticker> {
        let engines = Box::into_raw(Box::new(engines));
        ENGINES.store(engines, Ordering::Release);
        let timer = if handle_signal() { create() } else { None };
        let ticker = Ticker { timer, engines };
        timer.is_some_and(|timer| arm(timer, deadline_ms)).then_some(ticker)
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        ENGINES
            .compare_exchange(self.engines, null_mut(), Ordering::AcqRel, Ordering::Relaxed)
            .ok();
        // SAFETY: our timer; the handler runs on this very thread, so none is under way with the engine.
        unsafe {
            if let Some(timer) = self.timer {
                libc::timer_delete(timer);
            }
            drop(Box::from_raw(self.engines));
        }
    }
}

fn signal() -> i32 {
    libc::SIGRTMIN() + SIGNAL_OFFSET
}

fn handle_signal() -> bool {
    // SAFETY: the handler only does what signal handlers may: it adds to an atomic.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = tick as extern "C" fn(i32) as usize;
        action.sa_flags = libc::SA_RESTART;
        libc::sigemptyset(&mut action.sa_mask);
        libc::sigaction(signal(), &action, null_mut()) == 0
    }
}

extern "C" fn tick(_: i32) {
    // A panic must not cross into C.
    let _ = catch_unwind(|| {
        // SAFETY: null, or the engines of a live Ticker of this thread; counting the epoch is signal-safe.
        if let Some(engines) = unsafe { ENGINES.load(Ordering::Acquire).as_ref() } {
            engines.iter().for_each(Engine::increment_epoch);
        }
    });
}

fn create() -> Option<libc::timer_t> {
    // SAFETY: plain C data; SIGEV_THREAD_ID makes the signal come to this thread.
    unsafe {
        let mut event: libc::sigevent = std::mem::zeroed();
        event.sigev_notify = libc::SIGEV_THREAD_ID;
        event.sigev_signo = signal();
        event.sigev_notify_thread_id = libc::syscall(libc::SYS_gettid) as i32;
        event.sigev_value.sival_ptr = without_provenance_mut(0);
        let mut timer = null_mut();
        let made = libc::timer_create(libc::CLOCK_THREAD_CPUTIME_ID, &mut event, &mut timer) == 0;
        made.then_some(timer)
    }
}

fn arm(timer: libc::timer_t, deadline_ms: u64) -> bool {
    let ns = (deadline_ms * 500_000).max(1_000_000);
    let period = libc::timespec {
        tv_sec: (ns / 1_000_000_000) as libc::time_t,
        tv_nsec: (ns % 1_000_000_000) as libc::c_long,
    };
    let every = libc::itimerspec { it_interval: period, it_value: period };
    // SAFETY: a timer that was just created.
    unsafe { libc::timer_settime(timer, 0, &every, null_mut()) == 0 }
}
