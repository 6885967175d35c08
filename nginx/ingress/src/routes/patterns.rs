//! The patterns of a host's routes, each compiled when a path first gets as far as it.

use std::cell::OnceCell;
use std::time::Duration;

use wick_native::cpu;
use wick_native::pattern::{BadPattern, GaveUp, Pattern};
use wick_native::request::Request;

use super::worker::Worker;
use crate::limited_log::{LimitedLog, shown};

/// In the order of the record. `None`: the text is no pattern, and its route is passed over.
pub struct Patterns(Box<[OnceCell<Option<Pattern>>]>);

impl Patterns {
    pub fn new(count: usize) -> Patterns {
        Patterns((0..count).map(|_| OnceCell::new()).collect())
    }
}

/// The search of one request's route, by one path after the other that it may be for.
pub struct Search<'w> {
    r: Request<'w>,
    path: &'w [u8],
    worker: &'w Worker,
    allowance: Allowance,
}

impl<'w> Search<'w> {
    #[inline]
    pub fn new(r: Request<'w>, worker: &'w Worker) -> Search<'w> {
        Search { r, path: r.uri(), worker, allowance: Allowance::default() }
    }

    /// At first that of the request.
    #[inline]
    pub fn path(&self) -> &'w [u8] {
        self.path
    }

    pub fn set_path(&mut self, path: &'w [u8]) {
        self.path = path;
    }

    /// Whether the pattern `nth` of some, which has this text, matches the path.
    /// # Errors
    /// The match takes too many steps, or all of them take too long. The log says so.
    pub fn matches(&mut self, all: &Patterns, nth: usize, text: &[u8]) -> Result<bool, GaveUp> {
        let (r, worker) = (self.r, self.worker);
        let compiled = all.0[nth].get_or_init(|| compile(text, r, &worker.bad_patterns));
        let Some(pattern) = compiled else { return Ok(false) };
        self.allowance.spend(pattern).inspect_err(|GaveUp| {
            let why = format_args!("the patterns of its host take more than {MAX_TIME:?}");
            worker.errors.cannot_serve(r, why);
        })?;
        worker.matching.is_match(pattern, self.path).inspect_err(|GaveUp| {
            let why = format_args!("the pattern \"{}\" takes too many steps", shown(text));
            worker.errors.cannot_serve(r, why);
        })
    }
}

/// How many patterns become machine code for one request, which has to wait for it; the next requests see to the others.
const MAX_TRANSLATIONS: u32 = 32;

/// What all patterns together may take of one request's time; looked at each time that so many were tried.
const MAX_TIME: Duration = Duration::from_millis(50);
const UNWATCHED: u32 = 8;

/// What one request has spent on patterns.
#[derive(Default)]
struct Allowance {
    tried: u32,
    translated: u32,
    /// CPU time when the first few had been tried; most requests never ask.
    start: Option<Duration>,
}

impl Allowance {
    /// # Errors: the request has spent enough.
    fn spend(&mut self, pattern: &Pattern) -> Result<(), GaveUp> {
        if self.translated < MAX_TRANSLATIONS && pattern.translate() {
            self.translated += 1;
        }
        self.tried += 1;
        let is_watched = self.tried.is_multiple_of(UNWATCHED);
        if is_watched && self.elapsed() > MAX_TIME { Err(GaveUp) } else { Ok(()) }
    }

    fn elapsed(&mut self) -> Duration {
        let now = cpu::time();
        now - *self.start.get_or_insert(now)
    }
}

fn compile(text: &[u8], r: Request, log: &LimitedLog) -> Option<Pattern> {
    let complain = |why: &BadPattern| {
        let text = shown(text);
        let line =
            format_args!("Cannot match the pattern \"{text}\", its route is passed over: {why}");
        log.error(r.log(), line);
    };
    Pattern::compile(text).inspect_err(complain).ok()
}
