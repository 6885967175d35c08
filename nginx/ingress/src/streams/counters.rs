//! What became of the sessions of each port: a row of shared words, which live through reloads and which all workers add to.
//!
//! A row: 0 the tag of the stream's name, or 0 if it is nobody's · 1 sessions · 2 those that have ended · 3 of them those that reached no endpoint ·
//! 4 those that were refused, by cause · 12 bytes from clients · 13 bytes to them · 14 milliseconds of all · 15 those that reached an endpoint ·
//! 16 milliseconds that took · 17 the name itself, whose last word is set when the rest is.

use std::cell::OnceCell;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use wick_native::conf::Conf;
use wick_native::word_zone::WordZone;
use wick_streams::Name;

use super::refusal::Refusal;

/// Sessions of further ports are not counted.
const ROWS: usize = 8192;

mod word {
    pub const TAG: usize = 0;
    pub const SESSIONS: usize = 1;
    pub const ENDED: usize = 2;
    pub const FAILED: usize = 3;
    pub const REFUSED: usize = 4;
    pub const RECEIVED_BYTES: usize = 12;
    pub const SENT_BYTES: usize = 13;
    pub const DURATION_MS: usize = 14;
    pub const CONNECTED: usize = 15;
    pub const CONNECT_MS: usize = 16;
    pub const NAME: usize = 17;
    pub const ALL: usize = 20;
}

const _: () = assert!(word::REFUSED + Refusal::ALL.len() <= word::RECEIVED_BYTES);

/// The rows of all streams.
#[derive(Clone, Copy)]
pub struct Counters(WordZone);

/// The row of one of them.
pub struct StreamCounters {
    rows: Counters,
    name: Name,
    /// Looked for at the first session; `None`: there is none for it.
    row: OnceCell<Option<&'static Row>>,
}

type Row = [AtomicU64; word::ALL];

/// A session that has ended.
pub struct End {
    /// No endpoint was reached, although it was not refused.
    pub has_failed: bool,
    pub received_bytes: u64,
    pub sent_bytes: u64,
    pub duration_ms: u64,
    /// `None`: there was no endpoint.
    pub connect_ms: Option<u64>,
}

impl Counters {
    /// As often as one likes: all are the same. `None`: nginx refused and said why.
    pub fn declare(conf: Conf) -> Option<Counters> {
        let name = format!("ingress_streams:{ROWS}:{}", word::ALL);
        WordZone::declare(conf, name.as_bytes(), ROWS * word::ALL).map(Counters)
    }

    pub fn of(self, name: Name) -> StreamCounters {
        StreamCounters { rows: self, name, row: OnceCell::new() }
    }

    fn rows(&self) -> &'static [Row] {
        self.0.words().as_chunks().0
    }

    /// The row of a stream, which is made its own if it has none. `None`: there are too many streams.
    fn row(&self, name: Name) -> Option<&'static Row> {
        let (rows, tag) = (self.rows(), name.tag());
        let first = (tag % rows.len() as u64) as usize;
        let (before, behind) = rows.split_at(first);
        let row = behind.iter().chain(before).find(|row| {
            let taken = row[word::TAG].compare_exchange(0, tag, Relaxed, Relaxed);
            taken.is_ok() || taken == Err(tag)
        })?;
        // Whoever else has found the row writes the same.
        for (nth, part) in name.words().into_iter().enumerate() {
            row[word::NAME + nth].store(part, Release);
        }
        Some(row)
    }
}

/// `None`: it is nobody's, or is not named yet.
fn name_of(row: &Row) -> Option<Name> {
    let port = row[word::NAME + 2].load(Acquire);
    let address = [row[word::NAME].load(Relaxed), row[word::NAME + 1].load(Relaxed)];
    (port != 0).then(|| Name::of_words([address[0], address[1], port]))
}

impl StreamCounters {
    pub fn begun(&self) {
        self.add(word::SESSIONS, 1);
    }

    pub fn refused(&self, why: Refusal) {
        self.add(word::REFUSED + why as usize, 1);
    }

    pub fn ended(&self, end: &End) {
        self.add(word::ENDED, 1);
        self.add(word::RECEIVED_BYTES, end.received_bytes);
        self.add(word::SENT_BYTES, end.sent_bytes);
        self.add(word::DURATION_MS, end.duration_ms);
        if let Some(ms) = end.connect_ms {
            self.add(word::CONNECTED, 1);
            self.add(word::CONNECT_MS, ms);
        }
        if end.has_failed {
            self.add(word::FAILED, 1);
        }
    }

    fn add(&self, at: usize, number: u64) {
        if let Some(row) = self.row.get_or_init(|| self.rows.row(self.name)) {
            row[at].fetch_add(number, Relaxed);
        }
    }
}

/// JSON: an array with an object for each stream that had a session.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        let mut separator = "";
        for (name, row) in self.rows().iter().filter_map(|row| Some((name_of(row)?, row))) {
            f.write_str(separator)?;
            write_row(f, name, row)?;
            separator = ", ";
        }
        f.write_str("]")
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: Name, row: &Row) -> fmt::Result {
    let number = |at: usize| row[at].load(Relaxed);
    write!(f, "{{\"name\": \"{name}\", \"sessions\": {}", number(word::SESSIONS))?;
    write!(f, ", \"ended\": {}, \"failed\": {}", number(word::ENDED), number(word::FAILED))?;
    f.write_str(", \"refused\": {")?;
    for (nth, cause) in Refusal::ALL.into_iter().enumerate() {
        let separator = if nth == 0 { "" } else { ", " };
        write!(f, "{separator}\"{}\": {}", cause.name(), number(word::REFUSED + cause as usize))?;
    }
    write!(f, "}}, \"received_bytes\": {}", number(word::RECEIVED_BYTES))?;
    write!(f, ", \"sent_bytes\": {}", number(word::SENT_BYTES))?;
    write!(f, ", \"duration_ms\": {}", number(word::DURATION_MS))?;
    write!(f, ", \"connected\": {}", number(word::CONNECTED))?;
    write!(f, ", \"connect_ms\": {}}}", number(word::CONNECT_MS))
}
