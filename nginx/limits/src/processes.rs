//! Which processes have requests under way: each has a row, so that what it counted goes with it, however it ends.
//!
//! A row is a word: process id (low half; 0: free) and how often the row was given away (16 bits above), so that what an earlier
//! owner counted does not have to be cleared.

use crate::words::Words;

/// The right of one process to count requests. Ends with the process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process {
    row: usize,
    /// Of the row, moved to where the words of gauges have it.
    epoch: u64,
}

const PID: u64 = 0xffff_ffff;
/// Bits of a row's and of a gauge's word.
const EPOCH: u64 = 0xffff;
const EPOCH_OF_ROW: u32 = 32;
const EPOCH_OF_GAUGE: u32 = 16;
/// The count of one process in the word of a gauge.
const PART: u64 = 0xffff;

impl Process {
    /// Takes a row for the process `pid`, which has none. `None`: all belong to processes that are alive.
    pub fn register(words: &Words, pid: u32, is_alive: impl Fn(u32) -> bool) -> Option<Process> {
        // An earlier process may have had this id.
        let is_free = |owner: u32| owner == 0 || owner == pid || !is_alive(owner);
        let row = (0..words.rows()).find(|row| is_free((words.row(*row) & PID) as u32))?;
        let epoch = (words.row(row) >> EPOCH_OF_ROW).wrapping_add(1) & EPOCH;
        words.set_row(row, epoch << EPOCH_OF_ROW | u64::from(pid));
        Some(Process { row, epoch: epoch << EPOCH_OF_GAUGE })
    }

    /// Counts one more request of this process. `None`: it has as many under way as can be counted.
    pub fn count(self, words: &Words, cell: usize, generation: u64) -> Option<()> {
        let at = words.gauge(cell, self.row);
        let own = generation << 32 | self.epoch;
        let before = if words.load(at) & !PART == own { words.load(at) & PART } else { 0 };
        if before == PART {
            return None;
        }
        words.store(at, own | (before + 1));
        Some(())
    }

    /// Takes one back, under the lock. False: it does not count there any more.
    pub fn discount(self, words: &Words, cell: usize, generation: u64) -> bool {
        let is_own = |word: u64| word & !PART == generation << 32 | self.epoch && word & PART > 0;
        // Others only ever move it away, so this ends.
        words.update(words.gauge(cell, self.row), |word| is_own(word).then(|| word - 1))
    }
}

/// Has what counts for one cell count for another one, each with its generation. Under the lock.
pub fn move_all(words: &Words, from: (usize, u64), to: (usize, u64)) {
    for row in 0..words.rows_used() {
        if part(words, from.0, from.1, row) == 0 {
            continue;
        }
        // Its process may have given one back just now.
        let moved = words.take(words.gauge(from.0, row)) & PART;
        let own = to.1 << 32 | epoch_of(words.row(row));
        words.update(words.gauge(to.0, row), |word| {
            let before = if word & !PART == own { word & PART } else { 0 };
            Some(own | (before + moved).min(PART))
        });
    }
}

/// What all processes have counted.
pub fn sum(words: &Words, cell: usize, generation: u64) -> u64 {
    (0..words.rows_used()).map(|row| part(words, cell, generation, row)).sum()
}

/// The same, after the rows of dead processes among those that count here were freed.
#[cold]
pub fn sum_of_living(
    words: &Words,
    cell: usize,
    generation: u64,
    is_alive: impl Fn(u32) -> bool,
) -> u64 {
    for row in 0..words.rows_used() {
        let owner = words.row(row);
        if part(words, cell, generation, row) > 0 && !is_alive((owner & PID) as u32) {
            words.set_row(row, owner & !PID);
        }
    }
    sum(words, cell, generation)
}

fn part(words: &Words, cell: usize, generation: u64, row: usize) -> u64 {
    let owner = words.row(row);
    if owner & PID == 0 {
        return 0;
    }
    let word = words.load(words.gauge(cell, row));
    if word & !PART == generation << 32 | epoch_of(owner) { word & PART } else { 0 }
}

/// Of a row, where the words of gauges have it.
fn epoch_of(row: u64) -> u64 {
    (row >> EPOCH_OF_ROW & EPOCH) << EPOCH_OF_GAUGE
}
