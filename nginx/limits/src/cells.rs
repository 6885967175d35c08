//! Cells of clients and what stands in them.
//!
//! A cell, one cache line: 0 Ingress · 1 namespace (high half) and when all that was counted has drained · 2 client · 4 when a
//! request was last counted, ms · 5 excess per second, per minute · 7 the cell's generation, which changes with its client.
//!
//! A cell may be the rest of its namespace: then it has, from the third word on, eight moments when what was counted for clients that
//! left has drained. Which one is a client's says a hash, so that few share one.
//!
//! What a cell is of are numbers that nobody can choose who does not know the table's seed.

use std::ops::Range;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::processes;
use crate::rate::Rate;
use crate::words::{LINE, Words};

/// Cells of a set.
pub const SET: usize = 8;

/// Words of a cell.
mod word {
    pub const INGRESS: usize = 0;
    pub const SHARE: usize = 1;
    pub const CLIENT: usize = 2;
    pub const COUNTED_MS: usize = 4;
    pub const EXCESS: usize = 5;
    pub const GENERATION: usize = 7;
}

/// In place of a time: no request was counted.
const NEVER: u64 = u64::MAX;
/// In place of an Ingress: the cell is nobody's.
const NOBODY: u64 = 0;
/// In place of an Ingress: the cell is the rest of its namespace.
const REST: u64 = 1;
/// Moments of a rest, two in a word.
const BUCKETS: usize = 8;
/// In place of a namespace: of all that have no other cell in the set.
pub const COMMON: u32 = 0;

/// Whose a cell is.
#[derive(Clone, Copy)]
pub struct Owner {
    ingress: u64,
    pub namespace: u32,
    client: u128,
}

/// Which moment of a rest.
#[derive(Clone, Copy)]
pub struct Bucket(usize);

impl Bucket {
    /// The Ingress is a number that nobody outside can know, so nobody can choose whose moment he shares.
    fn of(ingress: u64, client: u128) -> Bucket {
        let mixed = (ingress ^ client as u64 ^ (client >> 64) as u64).wrapping_mul(ingress | 1);
        Bucket((mixed >> 61) as usize)
    }

    fn all() -> impl Iterator<Item = Bucket> {
        (0..BUCKETS).map(Bucket)
    }

    /// Word of a cell, and how far in it.
    fn place(self) -> (usize, u32) {
        (word::CLIENT + self.0 / 2, (self.0 % 2) as u32 * 32)
    }
}

impl Owner {
    pub fn new(ingress: u64, namespace: u64, client: u128) -> Owner {
        let namespace = (namespace as u32).max(COMMON + 1);
        Owner { ingress: ingress.max(REST + 1), namespace, client }
    }

    pub fn bucket(self) -> Bucket {
        Bucket::of(self.ingress, self.client)
    }
}

/// What a client has requested so far. `None`: nothing that counts.
pub type Counted = Option<(u64, [u64; 2])>;

/// The cells of a table.
#[derive(Clone, Copy)]
pub struct Cells<'m>(pub Words<'m>);

impl<'m> Cells<'m> {
    /// The set of a cell.
    pub fn set_of(cell: usize) -> Range<usize> {
        let first = cell / SET * SET;
        first..first + SET
    }

    #[inline]
    pub fn is_of(self, cell: usize, owner: Owner) -> bool {
        let words: &[AtomicU64; LINE] = self.0.whole_cell(cell);
        let is = |at: usize, wanted: u64| words[at].load(Relaxed) == wanted;
        // Clients differ in the last word as a rule.
        is(word::CLIENT + 1, owner.client as u64)
            && is(word::INGRESS, owner.ingress)
            && is(word::CLIENT, (owner.client >> 64) as u64)
    }

    pub fn is_nobodys(self, cell: usize) -> bool {
        self.load(cell, word::INGRESS) == NOBODY
    }

    pub fn is_rest(self, cell: usize) -> bool {
        self.load(cell, word::INGRESS) == REST
    }

    pub fn namespace(self, cell: usize) -> u32 {
        (self.load(cell, word::SHARE) >> 32) as u32
    }

    /// Of these cells the one that counts for all of a namespace that have none.
    pub fn rest_in(self, mut cells: Range<usize>, namespace: u32) -> Option<usize> {
        cells.find(|cell| self.is_rest(*cell) && self.namespace(*cell) == namespace)
    }

    /// From when on it is as if no request had been counted.
    pub fn drained(self, cell: usize) -> Instant {
        Instant(self.load(cell, word::SHARE) as u32)
    }

    pub fn set_drained(self, cell: usize, drained: Instant) {
        let namespace = u64::from(self.namespace(cell)) << 32;
        self.store(cell, word::SHARE, namespace | u64::from(drained.0));
    }

    pub fn generation(self, cell: usize) -> u64 {
        self.load(cell, word::GENERATION) & 0xffff_ffff
    }

    /// Requests are under way that count here.
    pub fn is_busy(self, cell: usize) -> bool {
        processes::sum(&self.0, cell, self.generation(cell)) > 0
    }

    /// Whether nothing is lost when it is given to somebody else.
    pub fn is_free(self, cell: usize, now_ms: u64) -> bool {
        self.is_nobodys(cell) || (self.drained(cell).is_over(now_ms) && !self.is_busy(cell))
    }

    #[inline]
    pub fn counted(self, cell: usize) -> Counted {
        let counted_ms = self.load(cell, word::COUNTED_MS);
        let excess = |nth| self.load(cell, word::EXCESS + nth);
        (counted_ms != NEVER).then(|| (counted_ms, [excess(0), excess(1)]))
    }

    #[inline]
    pub fn set_counted(self, cell: usize, counted_ms: u64, excesses: [u64; 2]) {
        self.store(cell, word::EXCESS, excesses[0]);
        self.store(cell, word::EXCESS + 1, excesses[1]);
        self.store(cell, word::COUNTED_MS, counted_ms);
    }

    /// Makes a cell that is given up one of `owner`, who has `counted` so much, until `drained`.
    pub fn give(self, cell: usize, owner: Owner, counted: Counted, drained: Instant) {
        self.clear(cell);
        let generation = self.generation(cell) as u32;
        self.store(cell, word::GENERATION, generation.wrapping_add(1).into());
        let (counted_ms, excesses) = counted.unwrap_or((NEVER, [0; 2]));
        self.set_counted(cell, counted_ms, excesses);
        self.store(cell, word::CLIENT, (owner.client >> 64) as u64);
        self.store(cell, word::CLIENT + 1, owner.client as u64);
        let share = u64::from(owner.namespace) << 32 | u64::from(drained.0);
        self.store(cell, word::SHARE, share);
        // Nobody's until the last word is written.
        self.store(cell, word::INGRESS, owner.ingress);
    }

    pub fn clear(self, cell: usize) {
        self.store(cell, word::INGRESS, NOBODY);
    }

    /// Makes a client's cell that of all clients of the namespace that have none; with its requests under way. A rest may become
    /// that of another namespace.
    pub fn make_rest(self, cell: usize, namespace: u32) {
        let drained = self.drained(cell);
        if !self.is_rest(cell) {
            let bucket = self.bucket(cell);
            self.clear(cell);
            (0..BUCKETS / 2).for_each(|nth| self.store(cell, word::CLIENT + nth, 0));
            self.raise(cell, bucket, drained);
        }
        self.store(cell, word::SHARE, u64::from(namespace) << 32 | u64::from(drained.0));
        self.store(cell, word::INGRESS, REST);
    }

    /// When all has drained that was counted for clients of a rest who may be this one.
    pub fn drained_of(self, rest: usize, bucket: Bucket) -> Instant {
        let (word, shift) = bucket.place();
        Instant((self.load(rest, word) >> shift) as u32)
    }

    /// What is counted for a client of a rest drains later.
    pub fn raise(self, rest: usize, bucket: Bucket, drained: Instant) {
        let (word, shift) = bucket.place();
        let later = u64::from(self.drained_of(rest, bucket).max(drained).0);
        let others = self.load(rest, word) & !(0xffff_ffff << shift);
        self.store(rest, word, others | later << shift);
        self.set_drained(rest, self.drained(rest).max(drained));
    }

    /// Counts for a rest what was counted for a cell, but for requests under way.
    pub fn raise_by(self, rest: usize, cell: usize) {
        if !self.is_rest(cell) {
            return self.raise(rest, self.bucket(cell), self.drained(cell));
        }
        Bucket::all().for_each(|bucket| self.raise(rest, bucket, self.drained_of(cell, bucket)));
    }

    /// Of a client's cell.
    fn bucket(self, cell: usize) -> Bucket {
        let [high, low] = [0, 1].map(|nth| self.load(cell, word::CLIENT + nth));
        let client = u128::from(high) << 64 | u128::from(low);
        Bucket::of(self.load(cell, word::INGRESS), client)
    }

    fn load(self, cell: usize, word: usize) -> u64 {
        self.0.load(self.0.cell(cell) + word)
    }

    fn store(self, cell: usize, word: usize, value: u64) {
        self.0.store(self.0.cell(cell) + word, value);
    }
}

/// A moment, in quarters of a second (256 ms), rounded up: half a word holds 34 years.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Instant(u32);

const QUARTER_MS: u64 = 256;

impl Instant {
    pub const PAST: Instant = Instant(0);
    const NEVER: Instant = Instant(u32::MAX);

    /// When nothing is left of what was counted.
    #[inline]
    pub fn drained(rates: &[Option<Rate>; 2], excesses: [u64; 2], counted_ms: u64) -> Instant {
        let drains_in =
            |(rate, excess): (&Option<Rate>, u64)| rate.map(|rate| rate.drains_in_ms(excess));
        let longest = rates.iter().zip(excesses).filter_map(drains_in).max().unwrap_or(0);
        let quarters = counted_ms.saturating_add(longest).div_ceil(QUARTER_MS);
        u32::try_from(quarters).map_or(Instant::NEVER, Instant)
    }

    pub fn is_over(self, now_ms: u64) -> bool {
        self != Instant::NEVER && u64::from(self.0) * QUARTER_MS <= now_ms
    }

    /// The excess of a client that has drained by then, at most what its limit lets happen. `None`: nothing counts.
    pub fn excess(self, rates: &[Option<Rate>; 2], now_ms: u64) -> Option<[u64; 2]> {
        if self.is_over(now_ms) {
            return None;
        }
        let left_ms = match self {
            Instant::NEVER => u64::MAX,
            Instant(quarters) => (u64::from(quarters) * QUARTER_MS).saturating_sub(now_ms),
        };
        Some(rates.map(|rate| rate.map_or(0, |rate| rate.excess_before(left_ms))))
    }
}
