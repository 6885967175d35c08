//! What clients have requested: a table of fixed size over words that all processes map.
//!
//! A client of an Ingress has a cell, one cache line, in one of eight places, a set; where, only whoever knows the
//! table's seed can tell. When a set is full, the client that was seen longest ago leaves, first of all one
//! without requests under way. Behind the cells lie the gauges: a word for each cell and process, eight processes a line.
//!
//! A cell: 0 Ingress · 2 client · 4 when a request was last counted, ms · 5 excess per second, per minute · 7 when the client was
//! last seen (high half) and the cell's generation, which changes with its client. The word of a gauge: generation (high
//! half), epoch of the process's row, its count (16 bits each).
//!
//! One caller at a time, but for [`Table::give_back`]. A caller that is killed leaves at worst a cell that is nobody's.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use crate::limits::Limits;
use crate::processes::{Process, sum, sum_of_living};
use crate::rate::elapsed_ms;
use crate::words::{Capacity, Words};

/// Cells of a set.
const SET: usize = 8;
/// A client that leaves sooner after its last request is one too many: limits of a minute still count.
const SOON: u64 = seen(60_000);
/// Words of a cell.
mod cell {
    pub const INGRESS: usize = 0;
    pub const CLIENT: usize = 2;
    pub const COUNTED_MS: usize = 4;
    pub const EXCESS: usize = 5;
    pub const SEEN: usize = 7;
}

/// In place of a time: no request was counted.
const NEVER: u64 = u64::MAX;

/// Who is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// `Limits::key`.
    pub ingress: u128,
    /// `Identity::client`.
    pub number: u128,
}

/// A request that is counted as under way, until it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    process: Process,
    cell: usize,
    generation: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// With what is to be given back when the request ends, if there is such a limit.
    Granted(Option<Connection>, Standing),
    /// Too many requests in a while; which of `Limits::rates`, and the excess in thousandths.
    TooFast(usize, u64),
    /// Too many requests at a time.
    TooMany,
}

/// The excess of each of `Limits::rates`, in thousandths.
pub type Standing = [u64; 2];

/// A table in shared words.
#[derive(Clone, Copy)]
pub struct Table<'m> {
    words: Words<'m>,
    seed: u64,
}

impl<'m> Table<'m> {
    /// Words that are needed.
    pub fn words(capacity: Capacity) -> usize {
        Words::needed(capacity)
    }

    /// Formats words that are all zero. `None`: there are too few.
    pub fn create(words: &'m [AtomicU64], capacity: Capacity, seed: u64) -> Option<Table<'m>> {
        Words::create(words, capacity, seed)?;
        Table::attach(words, capacity)
    }

    /// A table that was formatted before, perhaps by another process. `None`: there is none, or one of another size.
    pub fn attach(words: &'m [AtomicU64], capacity: Capacity) -> Option<Table<'m>> {
        let words = Words::attach(words, capacity)?;
        Some(Table { words, seed: words.seed() })
    }

    /// Known to nobody outside.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many clients had to leave within a minute of their last request, so that their limits began anew.
    pub fn shortages(&self) -> u64 {
        self.words.shortages()
    }

    /// Takes a row for the process `pid`, which has none. `None`: all belong to processes that are alive.
    pub fn register(&self, pid: u32, is_alive: impl Fn(u32) -> bool) -> Option<Process> {
        Process::register(&self.words, pid, is_alive)
    }

    /// Whether the client may go on now, by all of the limits: rates first. A request that a rate refuses counts for
    /// none of them. `is_alive` says it of a process id.
    pub fn ask(
        &self,
        client: Client,
        limits: &Limits,
        now_ms: u64,
        process: Option<Process>,
        is_alive: impl Fn(u32) -> bool,
    ) -> Answer {
        let cell = self.cell_of(client, now_ms);
        let standing = match self.count_request(cell, limits, now_ms) {
            Ok(standing) => standing,
            Err(refused) => return refused,
        };
        let Some(max) = limits.connections else { return Answer::Granted(None, standing) };
        let generation = self.words.load(self.words.cell(cell) + cell::SEEN) & 0xffff_ffff;
        let is_full = sum(&self.words, cell, generation) >= u64::from(max)
            && sum_of_living(&self.words, cell, generation, is_alive) >= u64::from(max);
        match process {
            Some(process) if !is_full && process.count(&self.words, cell, generation).is_some() => {
                Answer::Granted(Some(Connection { process, cell, generation }), standing)
            }
            _ => Answer::TooMany,
        }
    }

    /// The request has ended. Needs no lock: the word is this process's own.
    pub fn give_back(&self, connection: Connection) {
        let Connection { process, cell, generation } = connection;
        process.discount(&self.words, cell, generation);
    }

    fn count_request(&self, cell: usize, limits: &Limits, now_ms: u64) -> Result<Standing, Answer> {
        if limits.rates == [None; 2] {
            return Ok([0; 2]);
        }
        let at = self.words.cell(cell);
        let counted_ms = self.words.load(at + cell::COUNTED_MS);
        if counted_ms == NEVER {
            self.words.store(at + cell::COUNTED_MS, now_ms);
            return Ok([0; 2]);
        }
        let elapsed = elapsed_ms(now_ms, counted_ms);
        let mut excesses = [0; 2];
        for (nth, rate) in limits.rates.iter().enumerate() {
            let Some(rate) = rate else { continue };
            let before = self.words.load(at + cell::EXCESS + nth);
            excesses[nth] =
                rate.next(before, elapsed).map_err(|excess| Answer::TooFast(nth, excess))?;
        }
        self.words.store(at + cell::EXCESS, excesses[0]);
        self.words.store(at + cell::EXCESS + 1, excesses[1]);
        if elapsed > 0 {
            self.words.store(at + cell::COUNTED_MS, now_ms);
        }
        Ok(excesses)
    }

    /// The client's cell; if it has none, that of another one becomes it.
    fn cell_of(&self, client: Client, now_ms: u64) -> usize {
        let first = self.set_of(client) * SET;
        let seen = seen(now_ms);
        let known = (first..first + SET).find(|cell| self.is_of(*cell, client));
        let cell = known.unwrap_or_else(|| self.take(first, client, seen));
        let at = self.words.cell(cell) + cell::SEEN;
        self.words.store(at, seen << 32 | self.words.load(at) & 0xffff_ffff);
        cell
    }

    fn take(&self, first: usize, client: Client, now: u64) -> usize {
        let seen = |cell: usize| self.words.load(self.words.cell(cell) + cell::SEEN);
        let age = |cell: &usize| seen(*cell) >> 32;
        let is_idle = |cell: &usize| sum(&self.words, *cell, seen(*cell) & 0xffff_ffff) == 0;
        let oldest = (first..first + SET).min_by_key(age).filter(is_idle);
        let idle = || (first..first + SET).filter(is_idle).min_by_key(age);
        let cell = oldest.or_else(idle).unwrap_or(first);
        let at = self.words.cell(cell);
        if !self.is_nobodys(cell) && now.saturating_sub(age(&cell)) < SOON {
            self.words.count_shortage();
        }
        // Nobody's until the last word is written.
        self.words.store_wide(at + cell::INGRESS, 0);
        let generation = self.words.load(at + cell::SEEN) as u32;
        self.words.store(at + cell::SEEN, generation.wrapping_add(1).into());
        self.words.store(at + cell::COUNTED_MS, NEVER);
        self.words.store(at + cell::EXCESS, 0);
        self.words.store(at + cell::EXCESS + 1, 0);
        self.words.store_wide(at + cell::CLIENT, client.number);
        self.words.store_wide(at + cell::INGRESS, client.ingress);
        cell
    }

    fn is_nobodys(&self, cell: usize) -> bool {
        let at = self.words.cell(cell) + cell::INGRESS;
        self.words.load(at) | self.words.load(at + 1) == 0
    }

    #[inline]
    fn is_of(&self, cell: usize, Client { ingress, number }: Client) -> bool {
        let words = self.words.whole_cell(cell);
        let is = |at: usize, wanted: u64| words[at].load(Relaxed) == wanted;
        // Clients differ in the last word as a rule.
        is(cell::CLIENT + 1, number as u64)
            && is(cell::INGRESS + 1, ingress as u64)
            && is(cell::INGRESS, (ingress >> 64) as u64)
            && is(cell::CLIENT, (number >> 64) as u64)
    }

    fn set_of(&self, Client { ingress, number }: Client) -> usize {
        let parts = [ingress, ingress >> 64, number, number >> 64];
        let hash = parts.iter().fold(self.seed, |hash, part| fold(hash ^ *part as u64, self.seed));
        ((u128::from(hash) * (self.words.clients() / SET) as u128) >> 64) as usize
    }
}

/// Sixteenths of a second, as far as they fit: eight years.
const fn seen(now_ms: u64) -> u64 {
    let sixteenths = now_ms / 64;
    if sixteenths < 0xffff_ffff { sixteenths } else { 0xffff_ffff }
}

/// Both halves of the 128-bit product: each bit reaches all others.
fn fold(a: u64, seed: u64) -> u64 {
    let product = u128::from(a) * u128::from(seed | 1);
    (product as u64 ^ (product >> 64) as u64) ^ seed.rotate_left(32)
}
