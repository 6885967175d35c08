//! Texts of labels: each in blocks side by side, whose owner, a set, stands in a word per block.
//!
//! A block without an owner is free. So there is no list to repair: a process that finds a set gone frees its blocks.

use std::sync::atomic::Ordering::{Relaxed, Release};

use crate::capacity::{BLOCK_BYTES, BLOCK_WORDS};
use crate::header::Header;
use crate::rows::Rows;

/// Puts a text into free blocks and gives them to `set`. `None`: there are not so many side by side.
pub fn put(rows: &Rows, set: usize, text: &[u8]) -> Option<usize> {
    let first = find(rows, text.len().div_ceil(BLOCK_BYTES).max(1))?;
    for (nth, part) in text.chunks(BLOCK_BYTES).enumerate() {
        rows.words[rows.layout.owners_at + first + nth].store(set as u64 + 1, Release);
        for (word, bytes) in part.chunks(8).enumerate() {
            let mut whole = [0; 8];
            whole[..bytes.len()].copy_from_slice(bytes);
            let at = rows.layout.blocks_at + (first + nth) * BLOCK_WORDS + word;
            rows.words[at].store(u64::from_le_bytes(whole), Relaxed);
        }
    }
    Some(first)
}

/// Appends the text at `first` of so many bytes.
pub fn read(rows: &Rows, (first, bytes): (usize, usize), to: &mut Vec<u8>) {
    let at = rows.layout.blocks_at + first * BLOCK_WORDS;
    let words = rows.words.get(at..at + bytes.div_ceil(8)).unwrap_or_default();
    let end = to.len() + bytes;
    words.iter().for_each(|word| to.extend_from_slice(&word.load(Relaxed).to_le_bytes()));
    to.truncate(end);
}

pub fn free(rows: &Rows, set: usize, (first, bytes): (usize, usize)) {
    for nth in 0..bytes.div_ceil(BLOCK_BYTES).max(1) {
        free_if(rows, first + nth, |owner| owner == set as u64 + 1);
    }
}

/// Frees all whose owner is not there.
pub fn repair(rows: &Rows) {
    for block in 0..rows.layout.blocks {
        free_if(rows, block, |owner| owner != 0 && rows.generation(owner as usize - 1).is_none());
    }
}

fn free_if(rows: &Rows, block: usize, is_it: impl Fn(u64) -> bool) {
    let owner = &rows.words[rows.layout.owners_at + block];
    if is_it(owner.load(Relaxed)) {
        owner.store(0, Relaxed);
    }
}

/// Goes on where the last search ended, round once.
fn find(rows: &Rows, wanted: usize) -> Option<usize> {
    let (header, blocks) = (Header(rows.words), rows.layout.blocks);
    let from = header.rover() % blocks;
    let mut run = 0;
    for at in from..from + blocks + wanted {
        let block = at % blocks;
        let is_free = rows.words[rows.layout.owners_at + block].load(Relaxed) == 0;
        run = match is_free {
            _ if block == 0 => usize::from(is_free), // none goes on behind the end
            true => run + 1,
            false => 0,
        };
        if run == wanted {
            header.set_rover(block + 1);
            return Some(block + 1 - wanted);
        }
    }
    None
}
