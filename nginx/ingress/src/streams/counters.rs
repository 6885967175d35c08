//! What became of the sessions of each port: a row of shared words, which live through reloads and which all workers add to.
//!
//! A row: 0 the stream's number and 1, or 0 if it is nobody's · 1 sessions · 2 those that have ended · 3 of them those that reached no endpoint ·
//! 4 those that were refused, by cause · 11 bytes from clients · 12 bytes to them · 13 milliseconds of all · 14 those that reached an endpoint ·
//! 15 milliseconds that took.

use std::cell::Cell;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use wick_native::conf::Conf;
use wick_native::word_zone::WordZone;
use wick_streams::Name;

use super::refusal::Refusal;

/// Sessions of further ports are not counted.
const ROWS: usize = 8192;

mod word {
    pub const STREAM: usize = 0;
    pub const SESSIONS: usize = 1;
    pub const ENDED: usize = 2;
    pub const FAILED: usize = 3;
    pub const REFUSED: usize = 4;
    pub const RECEIVED_BYTES: usize = 11;
    pub const SENT_BYTES: usize = 12;
    pub const DURATION_MS: usize = 13;
    pub const CONNECTED: usize = 14;
    pub const CONNECT_MS: usize = 15;
    pub const ALL: usize = 16;
}

const _: () = assert!(word::REFUSED + Refusal::ALL.len() <= word::RECEIVED_BYTES);

/// The rows of all streams.
#[derive(Clone, Copy)]
pub struct Counters(WordZone);

/// The row of one of them.
pub struct StreamCounters {
    rows: Counters,
    name: Name,
    /// Looked for at the first session.
    row: Cell<Option<&'static Row>>,
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
        StreamCounters { rows: self, name, row: Cell::new(None) }
    }

    fn rows(&self) -> &'static [Row] {
        self.0.words().as_chunks().0
    }

    /// The row of a stream, which is made its own if it has none. `None`: there are too many streams.
    fn row(&self, name: Name) -> Option<&'static Row> {
        let (rows, number) = (self.rows(), u64::from(name.number()) + 1);
        let first = number as usize % rows.len();
        let (before, behind) = rows.split_at(first);
        behind.iter().chain(before).find(|row| {
            let taken = row[word::STREAM].compare_exchange(0, number, Relaxed, Relaxed);
            taken.is_ok() || taken == Err(number)
        })
    }
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
        let row = self.row.get().or_else(|| {
            self.row.set(self.rows.row(self.name));
            self.row.get()
        });
        if let Some(row) = row {
            row[at].fetch_add(number, Relaxed);
        }
    }
}

/// JSON: an array with an object for each stream that had a session.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        let mut separator = "";
        for row in self.rows().iter().filter(|row| row[word::STREAM].load(Relaxed) != 0) {
            f.write_str(separator)?;
            write_row(f, row)?;
            separator = ", ";
        }
        f.write_str("]")
    }
}

fn write_row(f: &mut fmt::Formatter<'_>, row: &Row) -> fmt::Result {
    let number = |at: usize| row[at].load(Relaxed);
    let name = Name::of_number(number(word::STREAM) as u32 - 1);
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
