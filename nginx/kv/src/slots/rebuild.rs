//! Setting right what a killed process left. The generation, owner and id of a slot are the truth; chains and the list of
//! free slots follow from them.

use super::{Slots, buckets, header, slot};
use crate::store::Store;

impl Slots {
    /// Makes chains and free list anew; slots whose key is gone are released.
    pub(crate) fn rebuild(&self, store: &Store) {
        (0..buckets(self.count)).for_each(|bucket| self.memory.store(self.bucket_at(bucket), 0));
        self.memory.store(header::FREE, 0);
        self.memory.store(header::FREE_COUNT, 0);
        let fresh = self.memory.load(header::FRESH).min(self.count);
        self.memory.store(header::FRESH, fresh);
        let mut exists = remember_last(|owner| store.heap().has_hash(owner));
        for at in (0..fresh).rev().map(|index| self.slot_at(index)) {
            let owner = self.memory.load(at + slot::OWNER);
            match (self.in_use(at), exists(owner)) {
                (true, true) => self.push(self.bucket(owner), at),
                (true, false) => {
                    self.turn(at);
                    self.give_back(at);
                }
                (false, _) => self.give_back(at),
            }
        }
    }
}

/// `f`, that is not asked twice in a row for the same: slots of one key mostly lie side by side.
fn remember_last(f: impl Fn(u64) -> bool) -> impl FnMut(u64) -> bool {
    let mut last = None;
    move |owner| match last {
        Some((same, answer)) if same == owner => answer,
        _ => last.insert((owner, f(owner))).1,
    }
}
