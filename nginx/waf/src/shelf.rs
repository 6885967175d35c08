//! Which set of rules serves whom: equal sets once, the former one until the new one is there, and none that nobody needs.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use crate::source::Digest;

/// A set that cannot be made is tried again after so long.
const RETRY_MS: u64 = 10_000;
/// What nobody has asked for so long is dropped.
const UNUSED_MS: u64 = 600_000;
/// The same of what serves nobody any more: its owner has another set.
const REPLACED_MS: u64 = 60_000;

/// `S`: a set of rules. Times are milliseconds of a clock that does not go back.
pub struct Shelf<S> {
    sets: HashMap<Digest, Entry<S>>,
    owners: HashMap<Box<[u8]>, Owner<S>>,
}

struct Entry<S> {
    state: State<S>,
    used_ms: u64,
}

enum State<S> {
    Compiling,
    Ready(Arc<S>),
    Failed { why: Rc<str>, at_ms: u64 },
}

/// What served it last.
struct Owner<S> {
    set: Arc<S>,
    used_ms: u64,
}

impl<S> Entry<S> {
    fn is_wanted(&self, now_ms: u64) -> bool {
        let patience_ms = match &self.state {
            State::Compiling => return true,
            // Owners have one of their own, and so have requests.
            State::Ready(set) if Arc::strong_count(set) > 1 => UNUSED_MS,
            State::Ready(_) | State::Failed { .. } => REPLACED_MS,
        };
        now_ms < self.used_ms + patience_ms
    }
}

/// What an owner gets.
pub enum Asked<S> {
    /// Its set, or the one that it had before.
    Set(Arc<S>),
    /// It is being compiled.
    Wait,
    /// The set is to be compiled: somebody has to order it, once.
    Order(Option<Arc<S>>),
    Failed(Rc<str>),
}

impl<S> Default for Shelf<S> {
    fn default() -> Self {
        Shelf { sets: HashMap::new(), owners: HashMap::new() }
    }
}

impl<S> Shelf<S> {
    pub fn ask(&mut self, owner: &[u8], digest: &Digest, now_ms: u64) -> Asked<S> {
        let Some(entry) = self.sets.get_mut(digest) else {
            self.sets.insert(*digest, Entry { state: State::Compiling, used_ms: now_ms });
            return Asked::Order(self.former(owner, now_ms));
        };
        entry.used_ms = now_ms;
        match &entry.state {
            State::Ready(set) => {
                let set = set.clone();
                self.serve(owner, &set, now_ms);
                Asked::Set(set)
            }
            State::Compiling => self.former(owner, now_ms).map_or(Asked::Wait, Asked::Set),
            State::Failed { why, at_ms } if now_ms < at_ms + RETRY_MS => Asked::Failed(why.clone()),
            State::Failed { .. } => {
                entry.state = State::Compiling;
                Asked::Order(self.former(owner, now_ms))
            }
        }
    }

    fn serve(&mut self, owner: &[u8], set: &Arc<S>, now_ms: u64) {
        match self.owners.get_mut(owner) {
            Some(known) => {
                known.used_ms = now_ms;
                if !Arc::ptr_eq(&known.set, set) {
                    known.set = set.clone();
                }
            }
            None => {
                self.owners.insert(owner.into(), Owner { set: set.clone(), used_ms: now_ms });
            }
        }
    }

    fn former(&mut self, owner: &[u8], now_ms: u64) -> Option<Arc<S>> {
        let known = self.owners.get_mut(owner)?;
        known.used_ms = now_ms;
        Some(known.set.clone())
    }

    /// A set that was ordered is there, or cannot be.
    pub fn finish(&mut self, digest: &Digest, result: Result<Arc<S>, String>, now_ms: u64) {
        let Some(entry) = self.sets.get_mut(digest) else { return };
        entry.state = match result {
            Ok(set) => State::Ready(set),
            Err(why) => State::Failed { why: why.into(), at_ms: now_ms },
        };
    }

    /// Drops what nobody has asked for lately. Requests that are inspected keep their sets.
    pub fn sweep(&mut self, now_ms: u64) {
        self.owners.retain(|_, owner| now_ms < owner.used_ms + UNUSED_MS);
        self.sets.retain(|_, entry| entry.is_wanted(now_ms));
    }

    /// How many sets there are.
    pub fn len(&self) -> usize {
        self.sets.len()
    }

    pub fn is_empty(&self) -> bool {
        self.sets.is_empty()
    }
}
