//! Rows: the places of processes that write. A row says which slot its process is writing to, so that this slot is not given to
//! another key meanwhile, and holds the process's parts of all gauges, which are dropped with it.
//!
//! No lock: a row is taken, freed, or taken over from a dead process by one exchange of its owner, and what its
//! owner left half done does not count.

use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::Ordering::Relaxed;

use super::{LINE, MAX_ROWS, ROWS_OF_LINE, Slots, cell_at, generation, header, index};

/// The words of a row.
mod row {
    /// Process id; 0: free.
    pub const OWNER: u64 = 0;
    /// Index of the slot that is being written to, plus one; 0: none.
    pub const WRITING: u64 = 8;
    /// This row has words for slots below this index only.
    pub const REACH: u64 = 16;
}

/// The right of one process to write; given back when dropped. Not for several threads at once.
pub struct Row {
    slots: Slots,
    row: u64,
    _one_thread: PhantomData<Cell<()>>,
}

/// Why a cell was not exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SwapError {
    Released,
    /// The cell holds this.
    Mismatch(u64),
}

/// The rows whose parts of gauges count, a bit each.
#[derive(Clone, Copy)]
pub struct Live {
    words: [u64; MAX_ROWS as usize / 64],
    /// So many words have bits.
    len: usize,
}

impl Live {
    /// Shows `f` each block of eight rows that has one, and which: a bit each.
    #[inline]
    fn for_each_block(&self, mut f: impl FnMut(u64, u64)) {
        for (word, bits) in (0..).zip(&self.words[..self.len]) {
            let mut bits = *bits;
            while bits != 0 {
                let block = u64::from(bits.trailing_zeros()) / ROWS_OF_LINE;
                let mask = 0xff << (block * ROWS_OF_LINE);
                f(word * (64 / ROWS_OF_LINE) + block, (bits & mask) >> (block * ROWS_OF_LINE));
                bits &= !mask;
            }
        }
    }

    fn has(&self, row: u64) -> bool {
        self.words[row as usize / 64] & live_bit(row) != 0
    }

    pub(super) fn count(&self) -> u64 {
        self.words.iter().map(|bits| u64::from(bits.count_ones())).sum()
    }
}

impl Slots {
    /// Takes a row for the process `pid`, which has none, and frees those of dead processes. `None`: all are taken.
    pub fn register(&self, pid: u32, is_alive: impl Fn(u32) -> bool) -> Option<Row> {
        self.reap(pid, |owner| owner != pid && is_alive(owner)); // an earlier process may have had this pid
        let free =
            |row: &u64| self.memory.swap(row_at(*row) + row::OWNER, 0, u64::from(pid)).is_ok();
        let row = Row { slots: *self, row: (0..self.rows).find(free)?, _one_thread: PhantomData };
        row.clear();
        self.memory.set_bits(live_at(row.row), live_bit(row.row));
        Some(row)
    }

    /// Frees the rows of dead processes; `pid` is the caller's own. `is_alive` may err on the side of life.
    pub fn reap(&self, pid: u32, is_alive: impl Fn(u32) -> bool) {
        for row in 0..self.rows {
            let owner = self.memory.load(row_at(row) + row::OWNER);
            if owner == 0 || is_alive(owner as u32) {
                continue;
            }
            if self.memory.swap(row_at(row) + row::OWNER, owner, u64::from(pid)).is_ok() {
                self.free_row(row);
            }
        }
    }

    /// Only its owner frees a row: so it can do so in steps.
    fn free_row(&self, row: u64) {
        self.memory.clear_bits(live_at(row), live_bit(row));
        self.memory.store(row_at(row) + row::WRITING, 0);
        self.memory.release(row_at(row) + row::OWNER, 0);
    }

    /// The processes that are alive, as far as somebody has looked.
    #[inline]
    pub fn live(&self) -> Live {
        let len = self.rows.div_ceil(64) as usize;
        let mut words = [0; MAX_ROWS as usize / 64];
        for (word, bits) in (0..).zip(&mut words[..len]) {
            *bits = self.memory.load_in_order(header::LIVE + word * 8);
        }
        Live { words, len }
    }

    /// What all `live` processes together have added to a slot's gauge; 0 if the slot was released.
    #[inline]
    pub fn gauge(&self, number: u64, live: &Live) -> u64 {
        if self.find(number).is_none() {
            return 0;
        }
        let mut sum = 0;
        live.for_each_block(|block, mut rows| {
            let line = self.memory.line(self.gauge_line(index(number), block));
            while rows != 0 {
                let word = line[rows.trailing_zeros() as usize % 8].load(Relaxed);
                if word >> 32 == generation(number) {
                    sum += word & u64::from(u32::MAX);
                }
                rows &= rows - 1;
            }
        });
        sum
    }

    /// The slots that some process is writing to, or was about to when they were released.
    pub(super) fn being_written(&self) -> Vec<u64> {
        let live = self.live();
        let writing = |row| self.memory.load_in_order(row_at(row) + row::WRITING).checked_sub(1);
        (0..self.rows).filter(|row| live.has(*row)).filter_map(writing).collect()
    }
}

impl Row {
    /// Adds to a cell (0 to 3); returns the sum, modulo 2⁶⁴. `None`: the slot was released.
    ///
    /// # Panics
    /// If there is no such cell.
    #[inline]
    pub fn add(&self, number: u64, cell: u32, what: u64) -> Option<u64> {
        self.writing(number, |at| self.slots.memory.add(cell_at(at, cell), what))
    }

    /// Stores `wanted` in a cell (0 to 3) that holds `expected`.
    ///
    /// # Errors
    /// [`SwapError`]; nothing was changed.
    ///
    /// # Panics
    /// If there is no such cell.
    #[inline]
    pub fn swap(
        &self,
        number: u64,
        cell: u32,
        expected: u64,
        wanted: u64,
    ) -> Result<(), SwapError> {
        self.writing(number, |at| self.slots.memory.swap(cell_at(at, cell), expected, wanted))
            .ok_or(SwapError::Released)?
            .map_err(SwapError::Mismatch)
    }

    /// Adds to this process's part of a slot's gauge, which stays between 0 and 2³² − 1; returns the sum over all live
    /// processes. `None`: the slot was released.
    #[inline]
    pub fn add_to_gauge(&self, number: u64, what: i64) -> Option<u64> {
        self.change_gauge(number, what).map(|(sum, _)| sum)
    }

    /// The same; returns beside the sum by how much this process's part changed.
    #[inline]
    pub fn change_gauge(&self, number: u64, what: i64) -> Option<(u64, i64)> {
        self.slots.find(number)?;
        self.reach(index(number));
        let at = self.slots.gauge_at(index(number), self.row);
        let word = self.slots.memory.load(at);
        let part = if word >> 32 == generation(number) { word as u32 } else { 0 };
        let before = i64::from(part);
        let part = before.saturating_add(what).clamp(0, i64::from(u32::MAX));
        self.slots.memory.store(at, generation(number) << 32 | part as u64);
        Some((self.slots.gauge(number, &self.slots.live()), part - before))
    }

    /// Runs `write` while nobody can give the slot to another key: whoever releases it either does so before we look
    /// at its generation, or sees that we are here before it is given away again.
    #[inline]
    pub(crate) fn writing<R>(&self, number: u64, write: impl FnOnce(u64) -> R) -> Option<R> {
        let here = row_at(self.row) + row::WRITING;
        self.slots.memory.store_in_order(here, index(number) + 1);
        let written = self.slots.find(number).map(write);
        self.slots.memory.release(here, 0);
        written
    }

    /// Notes that this row has a word for the slot, before it has.
    fn reach(&self, index: u64) {
        let at = row_at(self.row) + row::REACH;
        if self.slots.memory.load(at) <= index {
            self.slots.memory.store(at, index + 1);
        }
    }

    /// Drops what an earlier owner of the row added to gauges.
    fn clear(&self) {
        let reach = row_at(self.row) + row::REACH;
        for index in 0..self.slots.memory.load(reach).min(self.slots.count) {
            self.slots.memory.store(self.slots.gauge_at(index, self.row), 0);
        }
        self.slots.memory.store(reach, 0);
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        self.slots.free_row(self.row);
    }
}

fn row_at(row: u64) -> u64 {
    header::ROWS + row * LINE
}

fn live_at(row: u64) -> u64 {
    header::LIVE + row / 64 * 8
}

fn live_bit(row: u64) -> u64 {
    1 << (row % 64)
}
