//! Which slots hang where: the chain of each key's slots, and the list of the free ones. Changed under the store's lock.

use super::{LINE, Slots, WORD, buckets, buckets_at, header, slot};

impl Slots {
    /// Releases the slots of `owner` whose id `leaves`.
    pub(crate) fn release(&self, owner: u64, leaves: impl Fn(u64) -> bool) {
        let mut link = self.bucket(owner);
        for _ in 0..=self.count {
            let Some(at) = self.follow(link) else { return };
            let owned = self.memory.load(at + slot::OWNER) == owner;
            if owned && leaves(self.memory.load(at + slot::ID)) {
                self.memory.store(link, self.memory.load(at + slot::LINK));
                self.turn(at);
                self.give_back(at);
            } else {
                link = at + slot::LINK;
            }
        }
        panic!("chain without an end");
    }

    pub(super) fn bucket_at(&self, bucket: u64) -> u64 {
        buckets_at(self.rows) + bucket * WORD
    }

    pub(super) fn give_back(&self, at: u64) {
        self.push(header::FREE, at);
        let count = self.memory.load(header::FREE_COUNT);
        self.memory.store(header::FREE_COUNT, count + 1);
    }

    pub(crate) fn is_dirty(&self) -> bool {
        self.memory.load(header::DIRTY) != 0
    }

    pub(crate) fn mark(&self, dirty: u64) {
        self.memory.store(header::DIRTY, dirty);
    }

    pub(super) fn in_use(&self, at: u64) -> bool {
        !self.memory.load(at + slot::GENERATION).is_multiple_of(2)
    }

    /// From free to in use or back: the slot's numbers of before mean nothing from now on.
    pub(super) fn turn(&self, at: u64) {
        let generation = self.memory.load(at + slot::GENERATION) as u32;
        self.memory.store_in_order(at + slot::GENERATION, generation.wrapping_add(1).into());
    }

    pub(super) fn number(&self, at: u64) -> u64 {
        self.memory.load(at + slot::GENERATION) << 32 | self.index_of(at)
    }

    pub(super) fn index_of(&self, at: u64) -> u64 {
        (at - self.slots) / LINE
    }

    pub(super) fn bucket(&self, owner: u64) -> u64 {
        self.bucket_at(owner % buckets(self.count))
    }

    pub(super) fn push(&self, link: u64, at: u64) {
        self.memory.store(at + slot::LINK, self.memory.load(link));
        self.memory.store(link, self.index_of(at) + 1);
    }

    /// The slot that a link leads to.
    pub(super) fn follow(&self, link: u64) -> Option<u64> {
        let index = self.memory.load(link).checked_sub(1)?;
        assert!(index < self.count, "link to no slot");
        Some(self.slot_at(index))
    }

    /// The slots that hang at `link`. Ends, with a panic, even if the chain is a ring.
    pub(super) fn chain(&self, link: u64) -> impl Iterator<Item = u64> + '_ {
        let mut next = self.follow(link);
        let mut left = self.count;
        std::iter::from_fn(move || {
            let at = next?;
            left = left.checked_sub(1).expect("chain without an end");
            next = self.follow(at + slot::LINK);
            Some(at)
        })
    }
}
