//! The policies of a worker and the backends that use them. A backend has a handle, which the filter keeps.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use wick_abi::Status;
use wick_abi::attempt::{Chosen, Info, NO_TAG};
use wick_native::cpu;
use wick_native::request::Request;
use wick_policy::instance::Question;
use wick_policy::kept::Digest;
use wick_policy::{Code, Fault, Opened};

use super::asking::Asking;
use super::backend::{Backend, Life, Registration};
use super::counters::add;
use super::running::{Running, Table, Unavailable};
use crate::clock::now_ms;
use crate::conf::PolicyConf;
use crate::environment::zone_slots::AllSlots;

/// One pick of so many is timed.
const SAMPLE_EVERY: u64 = 64;
/// So many deadlines of processor time are too many, whatever the engine has counted.
const SLACK: u64 = 5;

pub struct Policies {
    conf: &'static PolicyConf,
    code: &'static Code,
    running: RefCell<Vec<Option<Rc<Running>>>>,
    backends: RefCell<Vec<Option<Rc<Backend>>>>,
    /// Handles, by module of the filter and its id of the backend.
    handles: RefCell<HashMap<(usize, u64), u32>>,
    picks: Cell<u64>,
}

/// What became of a pick.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picked {
    Chosen(Chosen),
    /// It declined, failed, or may not be asked now.
    None,
}

impl Policies {
    pub fn new(conf: &'static PolicyConf, code: &'static Code) -> Policies {
        Policies {
            conf,
            code,
            running: RefCell::default(),
            backends: RefCell::default(),
            handles: RefCell::default(),
            picks: Cell::new(0),
        }
    }

    /// A backend of the filter `module` has taken a record that names a policy, or its endpoints or their slots have changed.
    /// # Errors
    /// BAD_ARGUMENT: what names the policy is no name and digest.
    pub fn set(
        &'static self,
        slots: &AllSlots,
        module: usize,
        said: &Registration<'_>,
    ) -> Result<u32, Status> {
        let (name, digest) = version(said.version).ok_or(Status::BadArgument)?;
        let key = (module, said.id);
        let known = self.handles.borrow().get(&key).copied();
        let before = known.and_then(|handle| self.backend(handle));
        let stays = before.filter(|before| {
            before.policy.digest == digest
                && before.policy.name == name
                && *before.config == *said.config
        });
        let (policy, life) = match stays {
            Some(before) => (before.policy.clone(), before.life.go_on()),
            None => {
                if let Some(handle) = known {
                    self.close(slots, handle);
                }
                (self.policy(name, digest), Life::default())
            }
        };
        let handle = known.unwrap_or_else(|| self.free_handle());
        let backend = Backend {
            policy,
            root: handle as i32 + 1,
            config: said.config.into(),
            key_template: said.key_template.into(),
            endpoints: said.endpoints(),
            slots: said.slots(),
            life,
        };
        self.backends.borrow_mut()[handle as usize] = Some(Rc::new(backend));
        self.handles.borrow_mut().insert(key, handle);
        self.sweep();
        Ok(handle)
    }

    /// The filter has no such backend any more.
    pub fn drop(&'static self, slots: &AllSlots, module: usize, handle: u32) {
        let mut handles = self.handles.borrow_mut();
        let is_its = handles.iter().find(|((of, _), known)| *of == module && **known == handle);
        let Some(key) = is_its.map(|(key, _)| *key) else { return };
        handles.remove(&key);
        drop(handles);
        self.close(slots, handle);
        self.sweep();
    }

    /// An instance of the filter `module` is gone with all its handles.
    pub fn forget(&'static self, slots: &AllSlots, module: usize) {
        let handles: Vec<u32> = self
            .handles
            .borrow()
            .iter()
            .filter(|((of, _), _)| *of == module)
            .map(|(_, handle)| *handle)
            .collect();
        handles.into_iter().for_each(|handle| self.drop(slots, module, handle));
    }

    #[inline]
    pub fn backend(&self, handle: u32) -> Option<Rc<Backend>> {
        self.backends.borrow().get(handle as usize)?.clone()
    }

    /// Asks the policy of a backend which endpoint serves an attempt.
    pub fn pick(&'static self, asking: &Asking<'_>, question: &Question<'_>) -> Picked {
        let backend = asking.backend;
        let policy = &*backend.policy;
        if backend.life.rests_until.get() > now_ms() {
            return Picked::None;
        }
        let number = self.picks.get() + 1;
        self.picks.set(number);
        let picked = match number.is_multiple_of(SAMPLE_EVERY) {
            true => self.ask_timed(asking, question),
            false => self.ask(asking, question),
        };
        policy.count(self);
        match picked {
            Ok(said) if said.tag == NO_TAG => {
                add(&policy.tally.declines, 1);
                Picked::None
            }
            Ok(said) => {
                add(&policy.tally.picks, 1);
                Picked::Chosen(said)
            }
            Err(Unavailable::Down) => Picked::None,
            Err(Unavailable::Faulted) => {
                let wait_ms = backend.life.backoff.borrow_mut().fault(now_ms());
                backend.life.rests_until.set(now_ms() + wait_ms);
                Picked::None
            }
        }
    }

    /// The same with a look at the processor time. So one that has the engine move much memory, which that counts as little work,
    /// does not go on for ever.
    #[cold]
    fn ask_timed(
        &'static self,
        asking: &Asking<'_>,
        question: &Question<'_>,
    ) -> Result<Chosen, Unavailable> {
        let (policy, life) = (&asking.backend.policy, &asking.backend.life);
        // What comes once per change may take longer.
        let is_ready = life.told.get() == policy.generation.get();
        let started = cpu::time();
        let picked = self.ask(asking, question);
        let took = cpu::time().saturating_sub(started);
        add(&policy.tally.samples, 1);
        add(&policy.tally.nanoseconds, took.as_nanos() as u64);
        if is_ready && picked.is_ok() && took > Duration::from_millis(SLACK * self.conf.deadline_ms)
        {
            let why = format!("it took {} ms of processor time", took.as_millis());
            policy.fail(self, "proxy_on_upstream_select", &Fault(why));
            return Err(Unavailable::Faulted);
        }
        picked
    }

    fn ask(
        &'static self,
        asking: &Asking<'_>,
        question: &Question<'_>,
    ) -> Result<Chosen, Unavailable> {
        let backend = asking.backend;
        let life = &backend.life;
        let generation = backend.policy.generation.get();
        if life.told.get() != generation {
            self.prepare(asking, generation)?;
        }
        if life.refused_by.get() == generation {
            return Ok(Chosen::UNSAID);
        }
        backend.policy.call(self, "proxy_on_upstream_select", |instance| {
            let said = instance.select(backend.root, question, asking)?;
            match said.tag == NO_TAG || (said.tag as usize) < backend.endpoints.len() {
                true => Ok(said),
                false => {
                    let (place, count) = (said.tag, backend.endpoints.len());
                    Err(Fault(format!("it chose endpoint {place} of {count}")))
                }
            }
        })
    }

    /// The instance knows nothing of the backend yet, or not its endpoints.
    #[cold]
    fn prepare(&'static self, asking: &Asking<'_>, generation: u64) -> Result<(), Unavailable> {
        let backend = asking.backend;
        let (policy, life) = (&backend.policy, &backend.life);
        if generation == 0 {
            return Err(Unavailable::Down);
        }
        if life.opened.get() != generation {
            let opened = policy
                .call(self, "proxy_on_configure", |instance| instance.open(backend.root, asking))?;
            life.opened.set(generation);
            if opened == Opened::Refused {
                life.refused_by.set(generation);
                policy.warn(
                    "does not take the configuration of a backend, which is served by round robin",
                );
            }
        }
        if life.refused_by.get() != generation {
            policy.call(self, "proxy_on_shared_data_changed", |instance| {
                instance.tell_change(backend.root, asking)
            })?;
        }
        life.told.set(generation);
        Ok(())
    }

    /// Tells a policy how an attempt ended.
    pub fn report(&'static self, asking: &Asking<'_>, info: &Info, has_failed: bool) {
        let backend = asking.backend;
        let generation = backend.policy.generation.get();
        // Another instance, or one that was not told of these endpoints yet, knows nothing of the attempt.
        if generation == 0
            || backend.life.told.get() != generation
            || backend.life.refused_by.get() == generation
        {
            return;
        }
        let told = backend.policy.call(self, "proxy_on_upstream_info", |instance| {
            instance.info(backend.root, info, has_failed, asking)
        });
        if told == Err(Unavailable::Faulted) {
            let wait_ms = backend.life.backoff.borrow_mut().fault(now_ms());
            backend.life.rests_until.set(now_ms() + wait_ms);
        }
    }

    /// Its policy has one backend less.
    fn close(&'static self, slots: &AllSlots, handle: u32) {
        let Some(backend) = self.backends.borrow_mut()[handle as usize].take() else { return };
        let generation = backend.policy.generation.get();
        if generation != 0 && backend.life.opened.get() == generation {
            let asking = self.asking(slots, &backend, None);
            let _ = backend
                .policy
                .call(self, "proxy_on_delete", |instance| instance.close(backend.root, &asking));
        }
    }

    pub fn asking<'a>(
        &self,
        slots: &'a AllSlots,
        backend: &'a Backend,
        request: Option<Request<'a>>,
    ) -> Asking<'a> {
        let live = OnceCell::new();
        Asking { slots, conf: self.conf, backend, request, has_response: false, avoided: &[], live }
    }

    fn policy(&'static self, name: String, digest: Digest) -> Rc<Running> {
        let mut running = self.running.borrow_mut();
        let is_it = |policy: &&Rc<Running>| policy.digest == digest && policy.name == name;
        if let Some(policy) = running.iter().flatten().find(is_it) {
            return policy.clone();
        }
        let place = running.iter().position(Option::is_none).unwrap_or_else(|| {
            running.push(None);
            running.len() - 1
        });
        let policy = Rc::new(Running::new(name, digest, place));
        running[place] = Some(policy.clone());
        drop(running);
        policy.build(self);
        policy
    }

    /// Drops policies that no backend uses.
    fn sweep(&self) {
        let mut gone = Vec::new();
        for place in self.running.borrow_mut().iter_mut() {
            if place.as_ref().is_some_and(|policy| Rc::strong_count(policy) == 1) {
                gone.extend(place.take());
            }
        }
        gone.iter().for_each(|policy| policy.add_up(self));
    }

    fn at(&self, place: usize) -> Option<Rc<Running>> {
        self.running.borrow().get(place)?.clone()
    }

    fn free_handle(&self) -> u32 {
        let mut backends = self.backends.borrow_mut();
        let free = backends.iter().position(Option::is_none);
        free.unwrap_or_else(|| {
            backends.push(None);
            backends.len() - 1
        }) as u32
    }
}

impl Table for Policies {
    fn conf(&self) -> &'static PolicyConf {
        self.conf
    }

    fn code(&self) -> &'static Code {
        self.code
    }

    fn build(&'static self, place: usize) {
        if let Some(policy) = self.at(place) {
            policy.build(self);
        }
    }

    fn add_up(&self, place: usize) {
        if let Some(policy) = self.at(place) {
            policy.add_up(self);
        }
    }
}

impl Drop for Policies {
    fn drop(&mut self) {
        self.running.borrow().iter().flatten().for_each(|policy| policy.add_up(self));
    }
}

/// `NAME@DIGEST`
fn version(text: &[u8]) -> Option<(String, Digest)> {
    let (name, digest) = std::str::from_utf8(text).ok()?.split_once('@')?;
    let is_label = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || name.len() > 63 || !name.bytes().all(is_label) || digest.len() != 64 {
        return None;
    }
    let mut bytes = Digest::default();
    for (byte, digits) in bytes.iter_mut().zip(digest.as_bytes().chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some((name.to_owned(), bytes))
}

impl std::fmt::Debug for Policies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Policies")
    }
}
