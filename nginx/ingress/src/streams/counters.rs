//! What became of the sessions of each port: a row of shared words, which live through reloads and which all workers add to.
//!
//! A row: 0 the tag of the stream's name, or 0 if it is nobody's · 1 sessions · 2 those that have ended · 3 of them those that reached no endpoint ·
//! 4 those that were refused, by cause · 12 bytes from clients · 13 bytes to them · 14 milliseconds of all · 15 those that reached an endpoint ·
//! 16 milliseconds that took · 17 the name itself, whose last word is set when the rest is. Behind the rows are those of `open_sessions`.

use std::cell::OnceCell;
use std::fmt;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use ngx::ffi::ngx_pid;
use wick_native::conf::Conf;
use wick_native::process::is_alive;
use wick_native::word_zone::WordZone;
use wick_streams::Name;

use super::open_sessions::{OpenSessions, change};
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
    own: OnceCell<Option<Own>>,
}

/// What this process counts a stream in.
struct Own {
    row: &'static Row,
    /// `None`: it has no place.
    open: Option<&'static AtomicU64>,
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
        let words = ROWS * word::ALL + OpenSessions::words(ROWS);
        let name = format!("ingress_streams:{ROWS}:{}:{words}", word::ALL);
        WordZone::declare(conf, name.as_bytes(), words).map(Counters)
    }

    pub fn of(self, name: Name) -> StreamCounters {
        StreamCounters { rows: self, name, own: OnceCell::new() }
    }

    fn rows(&self) -> &'static [Row] {
        self.0.words()[..ROWS * word::ALL].as_chunks().0
    }

    fn open_sessions(&self) -> OpenSessions<'static> {
        OpenSessions::new(&self.0.words()[ROWS * word::ALL..], ROWS)
    }

    /// The place of a stream's row, which is made its own if it has none. `None`: there are too many streams.
    fn place(&self, name: Name) -> Option<usize> {
        let (rows, tag) = (self.rows(), name.tag());
        let first = (tag % ROWS as u64) as usize;
        let place = (first..ROWS).chain(0..first).find(|nth| {
            let taken = rows[*nth][word::TAG].compare_exchange(0, tag, Relaxed, Relaxed);
            taken.is_ok() || taken == Err(tag)
        })?;
        // Whoever else has found the row writes the same.
        for (nth, part) in name.words().into_iter().enumerate() {
            rows[place][word::NAME + nth].store(part, Release);
        }
        Some(place)
    }

    fn own(&self, name: Name) -> Option<Own> {
        let place = self.place(name)?;
        let open = self.open_sessions().of_port(place, pid(), is_alive, |nth, left| {
            self.count_lost(nth, left);
        });
        Some(Own { row: &self.rows()[place], open })
    }

    /// Those of workers that were killed have ended.
    fn count_lost(&self, nth: usize, sessions: u64) {
        self.rows()[nth][word::ENDED].fetch_add(sessions, Relaxed);
    }
}

fn pid() -> u32 {
    // SAFETY: set once in each process.
    unsafe { ngx_pid as u32 }
}

/// `None`: it is nobody's, or is not named yet.
fn name_of(row: &Row) -> Option<Name> {
    let port = row[word::NAME + 2].load(Acquire);
    let address = [row[word::NAME].load(Relaxed), row[word::NAME + 1].load(Relaxed)];
    (port != 0).then(|| Name::of_words([address[0], address[1], port]))
}

impl StreamCounters {
    pub fn begun(&self) {
        self.add([(word::SESSIONS, 1)]);
        self.change_open(1);
    }

    pub fn refused(&self, why: Refusal) {
        self.add([(word::REFUSED + why as usize, 1)]);
    }

    /// Of one that has begun.
    pub fn ended(&self, end: &End) {
        self.change_open(1_u64.wrapping_neg());
        self.add([
            (word::ENDED, 1),
            (word::RECEIVED_BYTES, end.received_bytes),
            (word::SENT_BYTES, end.sent_bytes),
            (word::DURATION_MS, end.duration_ms),
        ]);
        if let Some(ms) = end.connect_ms {
            self.add([(word::CONNECTED, 1), (word::CONNECT_MS, ms)]);
        }
        if end.has_failed {
            self.add([(word::FAILED, 1)]);
        }
    }

    #[inline]
    fn add<const N: usize>(&self, numbers: [(usize, u64); N]) {
        let Some(own) = self.own() else { return };
        for (at, number) in numbers {
            own.row[at].fetch_add(number, Relaxed);
        }
    }

    #[inline]
    fn change_open(&self, by: u64) {
        if let Some(open) = self.own().and_then(|own| own.open) {
            change(open, by);
        }
    }

    #[inline]
    fn own(&self) -> Option<&Own> {
        self.own.get_or_init(|| self.rows.own(self.name)).as_ref()
    }
}

/// JSON: an array with an object for each stream that had a session.
impl fmt::Display for Counters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.open_sessions().free(pid(), is_alive, |nth, left| self.count_lost(nth, left));
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
