//! One policy in this worker: its code, its instance, and what follows a fault.

use std::cell::{Cell, OnceCell, RefCell};
use std::path::Path;
use std::pin::Pin;

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_WARN};
use wick_native::log;
use wick_native::timer::Timer;
use wick_policy::instance::{Limits, Linked};
use wick_policy::kept::{self, Digest};
use wick_policy::{Code, Fault, Instance};

use super::counters::{Tally, add};
use crate::clock::now_ms;
use crate::conf::PolicyConf;
use crate::fault::{Backoff, RateLimit};

const LOG_EVERY_MS: u64 = 1000;
const ADD_UP_AFTER_MS: u64 = 100;

/// Where policies have their places.
pub trait Table {
    fn conf(&self) -> &'static PolicyConf;
    fn code(&self) -> &'static Code;
    /// For timers: the policy at `place` shall have an instance.
    fn build(&'static self, place: usize);
    /// For timers: what was counted shall be in all workers' sum.
    fn add_up(&self, place: usize);
}

/// A policy's place in its table, for timers.
type Place = (&'static dyn Table, usize);

pub struct Running {
    pub name: String,
    pub digest: Digest,
    linked: OnceCell<Linked>,
    instance: RefCell<Option<Instance>>,
    /// Counts the instances: that of the present one.
    pub generation: Cell<u64>,
    pub tally: Tally,
    adds_up: Cell<bool>,
    add_up: Pin<Box<Timer<Place>>>,
    /// Of instances that do not start.
    backoff: RefCell<Backoff>,
    lines: RefCell<RateLimit>,
    logged_ms: Cell<Option<u64>>,
    rebuild: Pin<Box<Timer<Place>>>,
    /// Its place in the table.
    pub place: usize,
}

impl Running {
    pub fn new(name: String, digest: Digest, place: usize) -> Running {
        Running {
            name,
            digest,
            linked: OnceCell::new(),
            instance: RefCell::default(),
            generation: Cell::new(0),
            tally: Tally::default(),
            adds_up: Cell::new(false),
            add_up: Timer::new(),
            backoff: RefCell::default(),
            lines: RefCell::default(),
            logged_ms: Cell::new(None),
            rebuild: Timer::new(),
            place,
        }
    }

    /// Loads what was compiled, the first time, and builds an instance.
    pub fn build(&self, policies: &'static dyn Table) {
        let built = self.load(policies).and_then(|linked| {
            let conf = policies.conf();
            let limits = Limits { memory_bytes: conf.memory_bytes, deadline_ms: conf.deadline_ms };
            Instance::start(policies.code(), linked, limits)
        });
        match built {
            Ok(instance) => {
                *self.instance.borrow_mut() = Some(instance);
                self.generation.set(self.generation.get() + 1);
                add(&self.tally.instances, 1);
                self.count(policies);
            }
            Err(fault) => {
                let wait_ms = self.backoff.borrow_mut().fault(now_ms());
                self.note(policies, "start", &fault, wait_ms);
                // At once would be within the request.
                self.build_in(policies, wait_ms.max(100));
            }
        }
    }

    fn load(&self, policies: &dyn Table) -> Result<&Linked, Fault> {
        if let Some(linked) = self.linked.get() {
            return Ok(linked);
        }
        let linked =
            read(policies.code(), &policies.conf().directory, policies.conf().owner, &self.digest)
                .map_err(Fault)?;
        Ok(self.linked.get_or_init(|| linked))
    }

    /// Calls the instance, if there is one. After a fault another is built as soon as the event at hand is done.
    #[inline]
    pub fn call<R>(
        &self,
        policies: &'static dyn Table,
        step: &str,
        call: impl FnOnce(&mut Instance) -> Result<R, Fault>,
    ) -> Result<R, Unavailable> {
        let mut place = self.instance.try_borrow_mut().map_err(|_| Unavailable::Down)?;
        let instance = place.as_mut().ok_or(Unavailable::Down)?;
        match call(instance) {
            Ok(value) => Ok(value),
            Err(fault) => {
                drop(place);
                self.fail(policies, step, &fault);
                Err(Unavailable::Faulted)
            }
        }
    }

    /// The instance is of no use any more: its memory may be half changed.
    #[cold]
    pub fn fail(&self, policies: &'static dyn Table, step: &str, fault: &Fault) {
        *self.instance.borrow_mut() = None;
        self.note(policies, step, fault, 0);
        self.build_in(policies, 0);
    }

    fn build_in(&self, policies: &'static dyn Table, ms: u64) {
        let again = |(policies, place): (&'static dyn Table, usize)| policies.build(place);
        self.rebuild.as_ref().set(ms, again, (policies, self.place));
    }

    /// Counts a fault, and tells of it now and then.
    #[cold]
    fn note(&self, policies: &'static dyn Table, step: &str, Fault(why): &Fault, wait_ms: u64) {
        add(&self.tally.faults, 1);
        self.count(policies);
        let Some(more) = self.lines.borrow_mut().pass(now_ms()) else { return };
        let what = format_args!("policy \"{}\" failed in {step}: {why}", self.name);
        let then = format_args!(
            "next instance in {wait_ms} ms, {more} more faults since the last such line"
        );
        log::write(log::of_cycle(), NGX_LOG_ERR as usize, format_args!("[wasm] {what}; {then}"));
    }

    pub fn warn(&self, what: &str) {
        if self.may_log() {
            let line = format_args!("[wasm] policy \"{}\" {what}", self.name);
            log::write(log::of_cycle(), NGX_LOG_WARN as usize, line);
        }
    }

    /// Whether a line of it may go to the log.
    pub fn may_log(&self) -> bool {
        let now = now_ms();
        let may = self.logged_ms.get().is_none_or(|last| now.saturating_sub(last) >= LOG_EVERY_MS);
        if may {
            self.logged_ms.set(Some(now));
        }
        may
    }

    /// Something was counted: all workers' sum has it soon.
    #[inline]
    pub fn count(&self, policies: &'static dyn Table) {
        if !self.adds_up.replace(true) {
            self.begin_adding_up(policies);
        }
    }

    fn begin_adding_up(&self, policies: &'static dyn Table) {
        let later = |(policies, place): (&'static dyn Table, usize)| policies.add_up(place);
        self.add_up.as_ref().set(ADD_UP_AFTER_MS, later, (policies, self.place));
    }

    pub fn add_up(&self, policies: &dyn Table) {
        self.adds_up.set(false);
        if let Some(counters) = policies.conf().counters {
            counters.add(&self.name, &self.digest, &self.tally);
        }
    }
}

/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unavailable {
    /// There is no instance now.
    Down,
    /// It failed just now.
    Faulted,
}

fn read(code: &Code, directory: &Path, owner: u32, digest: &Digest) -> Result<Linked, String> {
    let name: String = digest.iter().map(|byte| format!("{byte:02x}")).collect();
    let path = directory.join(format!("{name}.cwasm"));
    let kept = kept::read_policy(&path, owner, digest)
        .map_err(|why| format!("Cannot load \"{}\": {why}", path.display()))?;
    // SAFETY: `wick-policy` has written it; nobody but its owner, whom the configuration trusts, can have changed it, and it is
    // whole.
    unsafe { code.load(kept.code()) }
        .map_err(|error| format!("Cannot load \"{}\": {error:#}", path.display()))
}
