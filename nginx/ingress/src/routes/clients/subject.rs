//! `match_cn`: which subjects a host serves.

use std::cell::OnceCell;

use wick_native::regex::{GaveUp, Regex};
use wick_native::request::Request;

use crate::limited_log::shown;
use crate::routes::worker::Worker;

/// A pattern for the distinguished names of subjects, compiled when it is first asked.
pub struct SubjectPattern {
    text: Box<[u8]>,
    /// `None`: the text is no pattern, and nobody is served.
    compiled: OnceCell<Option<Regex>>,
}

impl SubjectPattern {
    pub fn new(text: &[u8]) -> SubjectPattern {
        SubjectPattern { text: text.into(), compiled: OnceCell::new() }
    }

    /// Whether it matches somewhere in `subject`. One that cannot be asked matches nobody, and the log says why.
    pub fn matches(&self, subject: &[u8], r: Request, worker: &Worker) -> bool {
        let Some(pattern) = self.compiled.get_or_init(|| self.compile(r, worker)) else {
            return false;
        };
        pattern.is_match(subject).unwrap_or_else(|GaveUp| {
            let text = shown(&self.text);
            let why = format_args!("the pattern \"{text}\" of its clients takes too many steps, or their name is too long");
            worker.errors.cannot_serve(r, why);
            false
        })
    }

    fn compile(&self, r: Request, worker: &Worker) -> Option<Regex> {
        let compiled = Regex::compile(&self.text).ok();
        if compiled.is_none() {
            let (text, host) = (shown(&self.text), shown(r.host()));
            let line = format_args!(
                "Cannot match the pattern \"{text}\" of clients, which keeps all of them from the host \"{host}\""
            );
            worker.bad_patterns.error(r.log(), line);
        }
        compiled
    }
}
