//! The rule sets of a worker: asked for by requests, compiled in a thread.
//!
//! nginx has no place where a thread of ours could wake its event loop beside the threads of its own, so that a timer looks whether sets are
//! finished, as long as any are ordered.

use std::cell::RefCell;
use std::pin::Pin;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use ngx::ffi::{NGX_LOG_ERR, ngx_current_msec, ngx_cycle_t};
use wick_native::log;
use wick_native::timer::Timer;
use wick_native::wake::Wake;
use wick_routes::Waf;
use wick_waf::{Asked, Compiled, Shelf, Workshop};

use super::conf::Places;

const LOOK_MS: u64 = 5;
const SWEEP_MS: u64 = 60_000;

pub enum Set {
    Ready(Arc<Compiled>),
    /// The request that asks is woken when it is worth asking again.
    Wait,
    Failed(Rc<str>),
}

struct Worker {
    shelf: Shelf<Compiled>,
    workshop: Workshop,
    /// Sets that were ordered and are not finished.
    ordered: usize,
    waiting: Vec<Weak<Wake>>,
    /// While there are any, so that a worker that is asked to exit stays for those who wait.
    look: Pin<Box<Timer<()>>>,
    sweep: Pin<Box<Timer<()>>>,
}

thread_local! {
    /// Made when the first request asks.
    static WORKER: RefCell<Option<Worker>> = const { RefCell::new(None) };
}

/// The set that a route names, or the one that its owner had before.
pub fn ask(places: &Places, waf: &Waf) -> Set {
    WORKER.with_borrow_mut(|worker| {
        let worker = match worker {
            Some(worker) => worker,
            none => match Worker::start(places) {
                Ok(started) => none.insert(started),
                Err(why) => return Set::Failed(why.into()),
            },
        };
        worker.ask(waf)
    })
}

/// Has a request that waits go on when a set is finished, or when it has waited too long.
pub fn wait(wake: &Rc<Wake>) {
    WORKER.with_borrow_mut(|worker| {
        if let Some(worker) = worker {
            worker.waiting.push(Rc::downgrade(wake));
        }
    });
}

/// Before the process ends: the thread uses what that takes down.
///
/// # Safety
/// None; it is called as a hook of nginx's.
pub unsafe fn end(_: *mut ngx_cycle_t) {
    WORKER.take();
}

/// Of nginx's clock, which does not go back.
pub fn now_ms() -> u64 {
    // SAFETY: only this thread, the event loop's, changes it.
    unsafe { ngx_current_msec as u64 }
}

impl Worker {
    fn start(places: &Places) -> Result<Worker, String> {
        let Places { directory, library } = places.clone();
        let workshop = Workshop::start(directory, library)
            .map_err(|error| format!("no thread to compile rules: {error}"))?;
        let (look, sweep) = (Timer::that_holds(), Timer::new());
        let (shelf, waiting) = (Shelf::default(), Vec::new());
        let worker = Worker { shelf, workshop, ordered: 0, waiting, look, sweep };
        worker.sweep.as_ref().set(SWEEP_MS, tidy, ());
        Ok(worker)
    }

    fn ask(&mut self, waf: &Waf) -> Set {
        match self.shelf.ask(&waf.owner, &waf.rules, now_ms()) {
            Asked::Set(set) => Set::Ready(set),
            Asked::Wait => Set::Wait,
            Asked::Failed(why) => Set::Failed(why),
            Asked::Order(former) => {
                self.workshop.order(waf.rules);
                self.ordered += 1;
                self.look.as_ref().set(LOOK_MS, |()| look(), ());
                former.map_or(Set::Wait, Set::Ready)
            }
        }
    }

    /// Who is to go on: those who wait for a set, all of them, because they know best for which.
    fn take_in(&mut self) -> Vec<Weak<Wake>> {
        let finished: Vec<_> = self.workshop.finished().collect();
        self.ordered = self.ordered.saturating_sub(finished.len());
        for done in &finished {
            let result = done.result.as_ref().map(Arc::clone).map_err(|fault| {
                let rules = String::from_utf8_lossy(&done.digest);
                let why = format!("rules {rules} cannot be used: {}", fault.error);
                log::write(log::of_cycle(), NGX_LOG_ERR as usize, format_args!("{why}"));
                why
            });
            self.shelf.finish(&done.digest, result, now_ms());
        }
        if self.ordered > 0 {
            self.look.as_ref().set(LOOK_MS, |()| look(), ());
        }
        std::mem::take(&mut self.waiting)
    }
}

fn look() {
    let waiting = WORKER.with_borrow_mut(|worker| worker.as_mut().map(Worker::take_in));
    waiting.iter().flatten().filter_map(Weak::upgrade).for_each(|wake| wake.soon());
}

fn tidy((): ()) {
    WORKER.with_borrow_mut(|worker| {
        if let Some(worker) = worker {
            worker.shelf.sweep(now_ms());
            worker.sweep.as_ref().set(SWEEP_MS, tidy, ());
        }
    });
}
