//! The words of a table: where what lies, and how they are read and written.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

/// Words of a cache line, of a cell, and of the header.
pub const LINE: usize = 8;
const MAGIC: u64 = u64::from_le_bytes(*b"wicklim2");

/// Words of the header.
mod header {
    pub const MAGIC: usize = 0;
    pub const CLIENTS: usize = 1;
    pub const ROWS: usize = 2;
    pub const SEED: usize = 3;
    /// No row from here on was ever used.
    pub const ROWS_USED: usize = 4;
    pub const SHORTAGES: usize = 5;
}

/// What a table has room for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capacity {
    /// Rounded up to a multiple of 8.
    pub clients: u32,
    /// That can have requests under way at a time; rounded up to a multiple of 8.
    pub processes: u32,
}

/// Header, rows of processes, cells of clients, gauges.
#[derive(Clone, Copy)]
pub struct Words<'m> {
    words: &'m [AtomicU64],
    clients: usize,
    rows: usize,
}

impl<'m> Words<'m> {
    pub fn needed(capacity: Capacity) -> usize {
        let (clients, rows) = sizes(capacity);
        LINE + rows + clients * LINE + clients * rows
    }

    /// Writes the header. `None`: there are too few words.
    pub fn create(words: &'m [AtomicU64], capacity: Capacity, seed: u64) -> Option<()> {
        let (clients, rows) = sizes(capacity);
        let first = words.get(..Words::needed(capacity))?;
        first[header::CLIENTS].store(clients as u64, Relaxed);
        first[header::ROWS].store(rows as u64, Relaxed);
        first[header::SEED].store(seed, Relaxed);
        first[header::MAGIC].store(MAGIC, Release);
        Some(())
    }

    /// `None`: no such header, or too few words.
    pub fn attach(words: &'m [AtomicU64], capacity: Capacity) -> Option<Words<'m>> {
        let (clients, rows) = sizes(capacity);
        let words = words.get(..Words::needed(capacity))?;
        let is = |at: usize, wanted: u64| words[at].load(Acquire) == wanted;
        let is_it = is(header::MAGIC, MAGIC)
            && is(header::CLIENTS, clients as u64)
            && is(header::ROWS, rows as u64);
        is_it.then_some(Words { words, clients, rows })
    }

    pub fn seed(&self) -> u64 {
        self.load(header::SEED)
    }

    pub fn clients(&self) -> usize {
        self.clients
    }

    pub fn rows(&self) -> usize {
        self.rows
    }

    pub fn rows_used(&self) -> usize {
        (self.load(header::ROWS_USED) as usize).min(self.rows)
    }

    pub fn row(&self, row: usize) -> u64 {
        self.load(LINE + row)
    }

    pub fn set_row(&self, row: usize, word: u64) {
        self.store(LINE + row, word);
        if self.rows_used() <= row {
            self.store(header::ROWS_USED, row as u64 + 1);
        }
    }

    pub fn shortages(&self) -> u64 {
        self.load(header::SHORTAGES)
    }

    pub fn count_shortage(&self) {
        self.store(header::SHORTAGES, self.shortages() + 1);
    }

    /// The place of a cell.
    pub fn cell(&self, cell: usize) -> usize {
        LINE + self.rows + cell * LINE
    }

    /// The lines of all cells for the same eight rows lie together, so that few processes use few pages.
    pub fn gauge(&self, cell: usize, row: usize) -> usize {
        self.cell(self.clients) + (row / LINE * self.clients + cell) * LINE + row % LINE
    }

    pub fn load(&self, at: usize) -> u64 {
        self.words[at].load(Relaxed)
    }

    // One after the other, as far as a process that is killed in between can tell.
    pub fn store(&self, at: usize, value: u64) {
        self.words[at].store(value, Release);
    }

    /// All of a cell.
    #[inline]
    pub fn whole_cell(&self, cell: usize) -> &'m [AtomicU64; LINE] {
        let at = self.cell(cell);
        self.words[at..].first_chunk().expect("a cell is within the words")
    }

    /// Changes a word that others may change meanwhile. False: `change` wants none.
    pub fn update(&self, at: usize, change: impl Fn(u64) -> Option<u64>) -> bool {
        self.words[at].fetch_update(AcqRel, Acquire, change).is_ok()
    }

    /// A word that is zero from now on.
    pub fn take(&self, at: usize) -> u64 {
        self.words[at].swap(0, AcqRel)
    }
}

fn sizes(capacity: Capacity) -> (usize, usize) {
    let up = |number: u32, to: usize| (number.max(1) as usize).next_multiple_of(to);
    (up(capacity.clients, LINE), up(capacity.processes, LINE))
}
