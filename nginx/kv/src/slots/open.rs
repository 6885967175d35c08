//! Giving slots to a key, finding those that it has, and taking from it those that it needs no longer. All of it under the store's lock.

use std::collections::HashMap;
use std::fmt;

use super::{CELLS, Slots, cell_at, header, slot};
use crate::lock::{Held, Lock};
use crate::store::{Store, stripe};

/// Why a key did not get its slots; nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpenError {
    /// The store has no slots at all.
    NoSlots,
    NoKey,
    /// The key was written since its version was read.
    Outdated,
    /// Fewer slots are free than the key needs beside those that it has, or the ids are more than all slots.
    Full,
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoSlots => "the store has no slots",
            Self::NoKey => "there is no such key",
            Self::Outdated => "the key has changed",
            Self::Full => "no slot is free",
        })
    }
}

impl std::error::Error for OpenError {}

impl Store {
    /// Sees to it that `key` has a slot for each of `ids`, and no others; the slots' numbers take the places of the ids.
    /// Slots that the key had for one of them keep number and content, new ones hold 0, one id has one slot.
    ///
    /// `version` is what [`Store::key_version`] said before the value was read from which the ids are: so a process that has
    /// not seen the latest value cannot take away the slots that belong to it.
    ///
    /// # Errors
    /// [`OpenError`]; `ids` are as before.
    pub fn open_slots<L: Lock + ?Sized>(
        &self,
        lock: &L,
        key: &[u8],
        version: u64,
        ids: &mut [u64],
    ) -> Result<(), OpenError> {
        let slots = self.slots.ok_or(OpenError::NoSlots)?;
        if ids.len() as u64 > slots.count {
            return Err(OpenError::Full);
        }
        let mut numbers = ids.iter().map(|id| (*id, NONE)).collect();
        let key = self.key(key);
        let held = Held::new(*self, lock);
        if self.heap().place(&key).entry.is_none() {
            return Err(OpenError::NoKey);
        }
        if self.memory.load(stripe(key.hash)) != version {
            return Err(OpenError::Outdated);
        }
        slots.open(self, key.hash, ids, &mut numbers)?;
        drop(held);
        ids.iter_mut().for_each(|id| *id = numbers[id]);
        Ok(())
    }
}

impl Store {
    /// The numbers of the slots that `key` has for `ids` take their places; 0, which no slot has, where it has none. Nothing
    /// is opened.
    pub fn find_slots<L: Lock + ?Sized>(&self, lock: &L, key: &[u8], ids: &mut [u64]) {
        let Some(slots) = self.slots else { return ids.fill(NONE) };
        let key = self.key(key);
        let mut numbers = ids.iter().map(|id| (*id, NONE)).collect();
        let held = Held::new(*self, lock);
        slots.keep(key.hash, &mut numbers);
        drop(held);
        ids.iter_mut().for_each(|id| *id = numbers[id]);
    }
}

/// Numbers of slots by their ids.
type Numbers = HashMap<u64, u64>;

/// Stands for a slot that there is not, or that is still to be opened; no slot has this number.
const NONE: u64 = 0;

impl Slots {
    /// Opens and releases what must be, for the key with the hash `owner`; fills in `numbers`.
    ///
    /// Keys are told apart by their 64-bit hashes alone: of 100,000 keys two share one with a probability of 3 in 10¹⁰, and
    /// would then take each other's slots away.
    fn open(
        &self,
        store: &Store,
        owner: u64,
        ids: &[u64],
        numbers: &mut Numbers,
    ) -> Result<(), OpenError> {
        let (kept, leaving) = self.keep(owner, numbers);
        let joining = numbers.len() as u64 - kept;
        let mut being_written = self.being_written();
        if joining > self.spare(&being_written) {
            self.mark(1);
            self.rebuild(store);
            self.mark(0);
            being_written = self.being_written();
            if joining > self.spare(&being_written) {
                return Err(OpenError::Full);
            }
        }
        if joining + leaving > 0 {
            self.mark(1);
            self.join(owner, ids, numbers, &being_written);
            self.release(owner, |id| !numbers.contains_key(&id));
            self.mark(0);
        }
        Ok(())
    }

    /// Notes the numbers of the slots that stay; returns how many stay and how many do not.
    fn keep(&self, owner: u64, numbers: &mut Numbers) -> (u64, u64) {
        let (mut kept, mut leaving) = (0, 0);
        for at in self.chain(self.bucket(owner)) {
            if self.memory.load(at + slot::OWNER) != owner {
                continue;
            }
            match numbers.get_mut(&self.memory.load(at + slot::ID)) {
                Some(number) => {
                    *number = self.number(at);
                    kept += 1;
                }
                None => leaving += 1,
            }
        }
        (kept, leaving)
    }

    /// Slots that can be given away: those that are free and that nobody is still writing to.
    pub(super) fn spare(&self, being_written: &[u64]) -> u64 {
        let free = self.memory.load(header::FREE_COUNT) + self.count
            - self.memory.load(header::FRESH).min(self.count);
        let busy = being_written
            .iter()
            .filter(|index| **index < self.count && !self.in_use(self.slot_at(**index)));
        free.saturating_sub(busy.count() as u64)
    }

    fn join(&self, owner: u64, ids: &[u64], numbers: &mut Numbers, being_written: &[u64]) {
        for id in ids {
            let number = numbers.get_mut(id).expect("one number per id");
            if *number == NONE {
                *number = self.join_one(self.take(being_written), owner, *id);
            }
        }
    }

    /// Puts a free slot into the chain of `owner`; returns its number.
    pub(super) fn join_one(&self, index: u64, owner: u64, id: u64) -> u64 {
        let at = self.slot_at(index);
        self.memory.store(at + slot::OWNER, owner);
        self.memory.store(at + slot::ID, id);
        (0..CELLS).for_each(|cell| self.memory.store(cell_at(at, cell), 0));
        self.turn(at);
        self.push(self.bucket(owner), at);
        self.number(at)
    }

    /// Takes a free slot off the list, else a fresh one; not one of `being_written`. Ends, with a panic, even if the list is a ring.
    pub(crate) fn take(&self, being_written: &[u64]) -> u64 {
        let (mut link, mut left) = (header::FREE, self.count);
        while let Some(at) = self.follow(link) {
            left = left.checked_sub(1).expect("free list without an end");
            let index = self.index_of(at);
            if !being_written.contains(&index) {
                self.memory.store(link, self.memory.load(at + slot::LINK));
                let count = self.memory.load(header::FREE_COUNT);
                self.memory.store(header::FREE_COUNT, count - 1);
                return index;
            }
            link = at + slot::LINK;
        }
        let fresh = self.memory.load(header::FRESH);
        self.memory.store(header::FRESH, fresh + 1);
        fresh
    }
}
