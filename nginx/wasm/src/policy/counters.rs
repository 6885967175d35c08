//! What policies did, over all workers: a row of shared memory per policy. Each worker counts for itself and adds that up a few
//! times per second, so that no pick waits for another worker.

use std::cell::Cell;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use wick_native::conf::Conf;
use wick_native::word_zone::WordZone;
use wick_policy::kept::Digest;

use crate::clock::now_ms;

const NAME: &[u8] = b"wasm:policies";
const ROWS: usize = 256;
/// Four words of digest · eight of name · the counters · when it was written last.
const ROW_WORDS: usize = 20;
const NAME_AT: usize = 4;
const NAME_BYTES: usize = 64;
const COUNTERS_AT: usize = 12;
const WRITTEN_AT: usize = COUNTERS_AT + COUNTERS;
const COUNTERS: usize = 6;
const NAMES: [&str; COUNTERS] =
    ["picks", "declines", "faults", "samples", "nanoseconds", "instances"];

/// The zone; it lives through reloads.
#[derive(Clone, Copy)]
pub struct PolicyCounters(WordZone);

/// What one worker has counted of a policy since it was added up.
#[derive(Default)]
pub struct Tally {
    pub picks: Cell<u64>,
    pub declines: Cell<u64>,
    pub faults: Cell<u64>,
    pub samples: Cell<u64>,
    pub nanoseconds: Cell<u64>,
    pub instances: Cell<u64>,
}

pub fn add(cell: &Cell<u64>, what: u64) {
    cell.set(cell.get() + what);
}

impl Tally {
    fn take(&self) -> [u64; COUNTERS] {
        [
            &self.picks,
            &self.declines,
            &self.faults,
            &self.samples,
            &self.nanoseconds,
            &self.instances,
        ]
        .map(Cell::take)
    }
}

impl PolicyCounters {
    /// Declares the zone; `None` when nginx refused it and said why.
    pub fn declare(conf: Conf) -> Option<PolicyCounters> {
        WordZone::declare(conf, NAME, ROWS * ROW_WORDS).map(PolicyCounters)
    }

    /// Adds up what a worker has counted. When there are more policies than rows, the one that nobody has used longest goes.
    pub fn add(&self, name: &str, digest: &Digest, tally: &Tally) {
        let counted = tally.take();
        self.0.locked(|words| {
            let rows = || words.chunks_exact(ROW_WORDS);
            let key = digest_words(digest);
            let Some(row) = rows()
                .find(|row| is_of(row, &key, name))
                .or_else(|| rows().min_by_key(|row| row[WRITTEN_AT].load(Relaxed)))
            else {
                return;
            };
            if !is_of(row, &key, name) {
                row.iter().for_each(|word| word.store(0, Relaxed));
                let texts = name_words(name);
                row.iter().zip(key.into_iter().chain(texts)).for_each(|(w, x)| w.store(x, Relaxed));
            }
            for (cell, more) in row[COUNTERS_AT..].iter().zip(counted) {
                cell.fetch_add(more, Relaxed);
            }
            row[WRITTEN_AT].store(now_ms().max(1), Relaxed);
        });
    }

    /// An array with an object for each policy.
    pub fn json(&self) -> String {
        let mut text = String::from("[");
        self.0.locked(|words| {
            for row in
                words.chunks_exact(ROW_WORDS).filter(|row| row[WRITTEN_AT].load(Relaxed) != 0)
            {
                if text.len() > 1 {
                    text.push(',');
                }
                put(&mut text, row);
            }
        });
        text.push(']');
        text
    }
}

fn put(text: &mut String, row: &[AtomicU64]) {
    let bytes = |from: usize, to: usize| {
        row[from..to].iter().flat_map(|word| word.load(Relaxed).to_le_bytes()).collect::<Vec<u8>>()
    };
    // Names are DNS labels.
    let name: String = bytes(NAME_AT, COUNTERS_AT)
        .iter()
        .take_while(|b| **b != 0)
        .map(|b| char::from(*b))
        .collect();
    let _ = write!(text, "{{\"policy\":\"{name}\",\"digest\":\"");
    for byte in bytes(0, NAME_AT) {
        let _ = write!(text, "{byte:02x}");
    }
    text.push('"');
    for (name, cell) in NAMES.iter().zip(&row[COUNTERS_AT..]) {
        let _ = write!(text, ",\"{name}\":{}", cell.load(Relaxed));
    }
    text.push('}');
}

fn is_of(row: &[AtomicU64], key: &[u64; NAME_AT], name: &str) -> bool {
    let wanted = key.iter().copied().chain(name_words(name));
    row[WRITTEN_AT].load(Relaxed) != 0 && row.iter().zip(wanted).all(|(w, x)| w.load(Relaxed) == x)
}

fn digest_words(digest: &Digest) -> [u64; NAME_AT] {
    let (words, _) = digest.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}

fn name_words(name: &str) -> [u64; NAME_BYTES / 8] {
    let mut bytes = [0; NAME_BYTES];
    let known = name.len().min(NAME_BYTES);
    bytes[..known].copy_from_slice(&name.as_bytes()[..known]);
    let (words, _) = bytes.as_chunks::<8>();
    std::array::from_fn(|i| u64::from_le_bytes(words[i]))
}
