//! The patterns of a host's routes and of their conditions, each compiled when a request first gets as far as it.

use std::cell::OnceCell;

use wick_native::allowance::{Allowance, MAX_TIME};
use wick_native::pattern::{BadPattern, GaveUp, Pattern};
use wick_native::request::Request;
use wick_routes::{Condition, PathMatch, Route, Wanted};

use super::head::RequestHead;
use super::worker::Worker;
use crate::limited_log::{LimitedLog, shown};

/// Paths of a host in the order of the record, or conditions of a route. `None`: the text is no pattern, and its route is passed over.
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

    pub fn worker(&self) -> &'w Worker {
        self.worker
    }

    /// At first that of the request.
    #[inline]
    pub fn path(&self) -> &'w [u8] {
        self.path
    }

    pub fn set_path(&mut self, path: &'w [u8]) {
        self.path = path;
    }

    /// Whether the pattern `nth` of some, the path of this route, matches the path.
    /// # Errors
    /// The match takes too many steps, or all of them take too long, or the pattern of a snippet does not compile: what it would have kept
    /// out is not known. The log says so.
    pub fn matches(&mut self, all: &Patterns, nth: usize, route: &Route) -> Result<bool, GaveUp> {
        let (r, worker, text) = (self.r, self.worker, route.path());
        if route.path_match == PathMatch::Regex {
            let compile = || compiled(compile(route), text, r, &worker.bad_patterns);
            return self.is_match(all.0[nth].get_or_init(compile).as_ref(), text, self.path);
        }
        let pattern = all.0[nth].get_or_init(|| compile(route).ok()).as_ref();
        if pattern.is_none() {
            let why = format_args!("the pattern \"{}\" of its host does not compile", shown(text));
            worker.errors.cannot_serve(r, why);
            return Err(GaveUp);
        }
        self.is_match(pattern, text, self.path)
    }

    /// Whether the request meets all conditions of a route. `all`: their patterns, by their places; none if no condition has one.
    /// # Errors
    /// As for [`Search::matches`].
    pub fn meets(
        &mut self,
        all: Option<&Patterns>,
        conditions: &[Condition],
    ) -> Result<bool, GaveUp> {
        for (nth, condition) in conditions.iter().enumerate() {
            self.allowance.look().inspect_err(|GaveUp| self.complain_of_time())?;
            let Some(value) = condition.value(&RequestHead(self.r)) else { return Ok(false) };
            let holds = match (&condition.wanted, all) {
                (Wanted::Exact(wanted), _) => **wanted == *value,
                (Wanted::Pattern(text), Some(all)) => {
                    self.is_whole_match(&all.0[nth], text, &value)?
                }
                (Wanted::Pattern(_), None) => false,
            };
            if !holds {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_whole_match(
        &mut self,
        known: &OnceCell<Option<Pattern>>,
        text: &[u8],
        value: &[u8],
    ) -> Result<bool, GaveUp> {
        let (r, worker) = (self.r, self.worker);
        let compile = || compiled(Pattern::compile_whole(text), text, r, &worker.bad_patterns);
        self.is_match(known.get_or_init(compile).as_ref(), text, value)
    }

    /// Whether a pattern matches; none does not.
    /// # Errors
    /// As for [`Search::matches`].
    pub fn is_match(
        &mut self,
        pattern: Option<&Pattern>,
        text: &[u8],
        subject: &[u8],
    ) -> Result<bool, GaveUp> {
        let Some(pattern) = pattern else { return Ok(false) };
        self.allowance.spend(pattern).inspect_err(|GaveUp| self.complain_of_time())?;
        self.worker.matching.is_match(pattern, subject).inspect_err(|GaveUp| {
            let why = format_args!("the pattern \"{}\" takes too many steps", shown(text));
            self.worker.errors.cannot_serve(self.r, why);
        })
    }

    #[cold]
    fn complain_of_time(&self) {
        let why = format_args!("the patterns of its host take more than {MAX_TIME:?}");
        self.worker.errors.cannot_serve(self.r, why);
    }
}

/// The pattern that is a route's path, as its match has it.
pub fn compile(route: &Route) -> Result<Pattern, BadPattern> {
    match route.path_match {
        PathMatch::Pattern => Pattern::compile_anywhere(route.path(), false),
        PathMatch::PatternAnyCase => Pattern::compile_anywhere(route.path(), true),
        _ => Pattern::compile(route.path()),
    }
}

fn compiled(
    pattern: Result<Pattern, BadPattern>,
    text: &[u8],
    r: Request,
    log: &LimitedLog,
) -> Option<Pattern> {
    let complain = |why: &BadPattern| {
        let text = shown(text);
        let line =
            format_args!("Cannot match the pattern \"{text}\", its route is passed over: {why}");
        log.error(r.log(), line);
    };
    pattern.inspect_err(complain).ok()
}
