//! What clients have requested: a table of fixed size over words that all processes map.
//!
//! A client of an Ingress has a cell in one of eight places, a set; where, only whoever knows the table's seed can tell. In a full set
//! somebody gives way (`room`). Behind the cells lie the gauges: a word for each cell and process, eight processes a line: the cell's
//! generation (high half), epoch of the process's row, its count (16 bits each).
//!
//! One caller at a time, but for [`Table::give_back`]. A caller that is killed leaves at worst a cell that is nobody's, and what it was
//! just moving from one to another.

use std::sync::atomic::AtomicU64;

use crate::cells::{Cells, Instant, Owner, SET};
use crate::limits::Limits;
use crate::processes::{Process, sum, sum_of_living};
use crate::rate::elapsed_ms;
use crate::room::{Room, Set};
use crate::words::{Capacity, Words};

/// Who is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// `Limits::key`.
    pub ingress: u128,
    /// A hash of the Ingress's namespace, which has its share of the table.
    pub namespace: u64,
    /// `Identity::client`.
    pub number: u128,
}

/// A request that is counted as under way, until it is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Connection {
    process: Process,
    cell: usize,
    generation: u64,
    namespace: u32,
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
    cells: Cells<'m>,
    seed: u64,
}

/// Where a client counts.
#[derive(Clone, Copy)]
enum Place {
    Own(usize),
    /// With others of its namespace.
    Shared(usize),
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
        Some(Table { words, cells: Cells(words), seed: words.seed() })
    }

    /// Known to nobody outside.
    pub fn seed(&self) -> u64 {
        self.seed
    }

    /// How many clients had to leave although something of them still counts: that of their namespace who have no cell share it.
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
        let owner = self.owner(client);
        let Some(place) = self.place(client, owner, limits, now_ms) else { return Answer::TooMany };
        let (cell, counted) = match place {
            Place::Own(cell) => (cell, self.count(cell, limits, now_ms)),
            Place::Shared(cell) => (cell, self.count_shared(cell, owner, limits, now_ms)),
        };
        let standing = match counted {
            Ok(standing) => standing,
            Err(refused) => return refused,
        };
        let Some(max) = limits.connections else { return Answer::Granted(None, standing) };
        let (words, generation) = (self.words, self.cells.generation(cell));
        let is_full = sum(&words, cell, generation) >= u64::from(max)
            && sum_of_living(&words, cell, generation, is_alive) >= u64::from(max);
        match process {
            Some(process) if !is_full && process.count(&words, cell, generation).is_some() => {
                let namespace = owner.namespace;
                Answer::Granted(Some(Connection { process, cell, generation, namespace }), standing)
            }
            _ => Answer::TooMany,
        }
    }

    /// The request has ended. Needs no lock: the word is this process's own. False: its client had to leave meanwhile, and
    /// [`Table::give_back_moved`] is to be asked, with the lock.
    pub fn give_back(&self, connection: Connection) -> bool {
        let Connection { process, cell, generation, .. } = connection;
        process.discount(&self.words, cell, generation)
    }

    /// Takes it back from where clients count that had to leave.
    #[cold]
    pub fn give_back_moved(&self, connection: Connection) {
        let Connection { process, cell, namespace, .. } = connection;
        if let Some(rest) = self.cells.rest_in(Cells::set_of(cell), namespace) {
            process.discount(&self.words, rest, self.cells.generation(rest));
        }
    }

    fn count(&self, cell: usize, limits: &Limits, now_ms: u64) -> Result<Standing, Answer> {
        if limits.rates == [None; 2] {
            return Ok([0; 2]);
        }
        let Some((counted_ms, before)) = self.cells.counted(cell) else {
            self.keep(cell, limits, [0; 2], now_ms);
            return Ok([0; 2]);
        };
        let elapsed = elapsed_ms(now_ms, counted_ms);
        let excesses = next(limits, before, elapsed)?;
        self.keep(cell, limits, excesses, if elapsed > 0 { now_ms } else { counted_ms });
        Ok(excesses)
    }

    /// Of those who share a cell it is only known when all that they have requested has drained.
    #[cold]
    fn count_shared(
        &self,
        cell: usize,
        owner: Owner,
        limits: &Limits,
        now_ms: u64,
    ) -> Result<Standing, Answer> {
        let drained = self.cells.drained_of(cell, owner.bucket());
        let excesses = match drained.excess(&limits.rates, now_ms) {
            Some(before) => next(limits, before, 0)?,
            None => [0; 2],
        };
        self.cells.raise(cell, owner.bucket(), Instant::drained(&limits.rates, excesses, now_ms));
        Ok(excesses)
    }

    fn keep(&self, cell: usize, limits: &Limits, excesses: [u64; 2], counted_ms: u64) {
        self.cells.set_counted(cell, counted_ms, excesses);
        self.cells.set_drained(cell, Instant::drained(&limits.rates, excesses, counted_ms));
    }

    fn place(&self, client: Client, owner: Owner, limits: &Limits, now_ms: u64) -> Option<Place> {
        let first = self.set_of(client) * SET;
        let known = (first..first + SET).find(|cell| self.cells.is_of(*cell, owner));
        known.map(Place::Own).or_else(|| self.take(first, owner, limits, now_ms))
    }

    /// A place for a client that has none. `None`: there is no room.
    #[inline(never)]
    fn take(&self, first: usize, owner: Owner, limits: &Limits, now_ms: u64) -> Option<Place> {
        let set = Set::new(self.cells, first..first + SET, owner, now_ms);
        match set.room(limits.connections.is_some()) {
            Room::Own(cell, drained) => {
                let before = drained.excess(&limits.rates, now_ms);
                let counted = before.map(|excesses| (now_ms, excesses));
                self.cells.give(cell, owner, counted, drained);
                Some(Place::Own(cell))
            }
            Room::Shared(cell) => Some(Place::Shared(cell)),
            Room::None => None,
        }
    }

    fn owner(&self, Client { ingress, namespace, number }: Client) -> Owner {
        Owner::new(self.hash(ingress), fold(self.seed ^ namespace, self.seed), number)
    }

    fn hash(&self, number: u128) -> u64 {
        fold(fold(self.seed ^ number as u64, self.seed) ^ (number >> 64) as u64, self.seed)
    }

    fn set_of(&self, Client { ingress, number, .. }: Client) -> usize {
        let parts = [number as u64, (number >> 64) as u64];
        let hash = parts.iter().fold(self.hash(ingress), |hash, part| fold(hash ^ part, self.seed));
        ((u128::from(hash) * (self.words.clients() / SET) as u128) >> 64) as usize
    }
}

/// The excesses after one more request.
fn next(limits: &Limits, before: [u64; 2], elapsed_ms: u64) -> Result<Standing, Answer> {
    let mut excesses = [0; 2];
    for (nth, rate) in limits.rates.iter().enumerate() {
        let Some(rate) = rate else { continue };
        let next = rate.next(before[nth], elapsed_ms);
        excesses[nth] = next.map_err(|excess| Answer::TooFast(nth, excess))?;
    }
    Ok(excesses)
}

/// Both halves of the 128-bit product: each bit reaches all others.
fn fold(a: u64, seed: u64) -> u64 {
    let product = u128::from(a) * u128::from(seed | 1);
    (product as u64 ^ (product >> 64) as u64) ^ seed.rotate_left(32)
}
