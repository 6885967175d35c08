//! Finished spans that wait for the exporter: a ring of words, bounded; what finds no room is counted and gone.
//!
//! Who writes holds the lock that goes with the memory. A record is there once the head has moved behind it, which is one store: a process
//! that is killed before that leaves nothing. Records stay until the reader says that it has them, so that one that fails reads them again.

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

mod at {
    /// Not 0 once it is a ring; tells it from one that was there before, whose positions mean nothing here.
    pub const SEED: usize = 0;
    /// Words ever written.
    pub const HEAD: usize = 1;
    /// Words ever taken.
    pub const TAIL: usize = 2;
    /// Spans ever written.
    pub const RECORDED: usize = 3;
    /// Spans for which there was no room.
    pub const DROPPED: usize = 4;
    /// Spans ever taken.
    pub const TAKEN: usize = 5;
    pub const RECORDS: usize = 8;
}

#[derive(Clone, Copy)]
pub struct Ring<'m> {
    header: &'m [AtomicU64],
    words: &'m [AtomicU64],
}

/// The oldest records, and what the ring says of itself.
#[derive(Debug, PartialEq, Eq)]
pub struct Page {
    pub seed: u64,
    /// Behind the last record of the page.
    pub end: u64,
    pub recorded: u64,
    pub dropped: u64,
    /// Spans in the ring, those of the page among them.
    pub waiting: u64,
    /// Each with its length in bytes, u64, in front, and filled up to eight bytes.
    pub records: Vec<u8>,
}

impl<'m> Ring<'m> {
    /// Memory for a ring with room for so many bytes of records.
    pub fn words(bytes: usize) -> usize {
        at::RECORDS + bytes.div_ceil(8)
    }

    /// The ring in this memory, which is all zero at first. Under the lock.
    pub fn open(memory: &'m [AtomicU64], seed: impl FnOnce() -> u64) -> Ring<'m> {
        let (header, words) = memory.split_at(at::RECORDS);
        if header[at::SEED].load(Acquire) == 0 {
            header[at::SEED].store(seed().max(1), Release);
        }
        Ring { header, words }
    }

    /// Under the lock. False: there is no room, which is counted.
    pub fn push(&self, record: &[u8]) -> bool {
        let (head, tail) = (self.get(at::HEAD), self.header[at::TAIL].load(Acquire));
        let needed = 1 + record.len().div_ceil(8) as u64;
        if head - tail + needed > self.words.len() as u64 {
            self.add(at::DROPPED);
            return false;
        }
        self.word(head).store(record.len() as u64, Relaxed);
        for (nth, chunk) in record.chunks(8).enumerate() {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(head + 1 + nth as u64).store(u64::from_le_bytes(word), Relaxed);
        }
        self.add(at::RECORDED);
        self.header[at::HEAD].store(head + needed, Release);
        true
    }

    /// The oldest records, at least one and as many as fit into so many bytes. Needs no lock: they stay where they are. What another reader
    /// frees meanwhile is none of the page's.
    pub fn page(&self, bytes: usize) -> Page {
        let (head, tail) =
            (self.header[at::HEAD].load(Acquire), self.header[at::TAIL].load(Acquire));
        let mut records = Vec::new();
        let mut end = tail;
        while end < head {
            let next = self.behind(end);
            if next > head
                || !records.is_empty() && records.len() as u64 + 8 * (next - end) > bytes as u64
            {
                break;
            }
            (end..next).for_each(|at| records.extend(self.word(at).load(Relaxed).to_le_bytes()));
            end = next;
        }
        if self.header[at::TAIL].load(Acquire) != tail {
            (records, end) = (Vec::new(), tail);
        }
        let [seed, recorded, dropped, taken] =
            [at::SEED, at::RECORDED, at::DROPPED, at::TAKEN].map(|at| self.get(at));
        Page { seed, end, recorded, dropped, waiting: recorded.saturating_sub(taken), records }
    }

    /// Frees what lies before `end`, the end of a page. Under the lock. What was freed already, or is of another ring, is ignored.
    pub fn free(&self, seed: u64, end: u64) {
        if seed != self.get(at::SEED) || end > self.get(at::HEAD) {
            return;
        }
        let mut tail = self.get(at::TAIL);
        while tail < end {
            tail = self.behind(tail);
            self.add(at::TAKEN);
        }
        self.header[at::TAIL].store(tail, Release);
    }

    /// Where the record ends that begins here.
    fn behind(&self, position: u64) -> u64 {
        position + 1 + self.word(position).load(Relaxed).div_ceil(8)
    }

    fn word(&self, position: u64) -> &'m AtomicU64 {
        &self.words[(position % self.words.len() as u64) as usize]
    }

    fn get(&self, at: usize) -> u64 {
        self.header[at].load(Relaxed)
    }

    fn add(&self, at: usize) {
        self.header[at].fetch_add(1, Relaxed);
    }
}
