//! `match_cn`: which subjects a host serves.

use std::cell::OnceCell;

use wick_native::regex::{GaveUp, Regex};
use wick_native::request::Request;

use crate::complaints::shown;
use crate::conf::MainConf;

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
    pub fn matches(&self, subject: &[u8], r: Request, main: &MainConf) -> bool {
        let Some(pattern) = self.compiled.get_or_init(|| self.compile(r, main)) else {
            return false;
        };
        pattern.is_match(subject).unwrap_or_else(|GaveUp| {
            let text = shown(&self.text);
            let why = format_args!("the pattern \"{text}\" of its clients takes too many steps, or their name is too long");
            main.complaints.cannot_serve(r, why);
            false
        })
    }

    fn compile(&self, r: Request, main: &MainConf) -> Option<Regex> {
        let compiled = Regex::compile(&self.text).ok();
        if compiled.is_none() {
            let (text, host) = (shown(&self.text), shown(r.host()));
            let line = format_args!(
                "Cannot match the pattern \"{text}\" of clients, which keeps all of them from the host \"{host}\""
            );
            main.bad_patterns.complain(r, line);
        }
        compiled
    }
}
