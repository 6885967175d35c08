//! An upstream whose peers filters choose, whatever it is an upstream of.

use wick_native::complex::Complex;
use wick_native::stream;

use crate::subject::{Kind, Subject};

/// What `wasm_upstream_select` says in every `upstream { }`.
#[derive(Default)]
pub struct Upstream {
    /// Most attempts per subject; nginx's own limits apply as well.
    pub max_tries: usize,
    /// `fallback=KEY`: the shared key of the backend record that serves while the filter cannot.
    pub fallback: Option<Text>,
    /// `key=$VARIABLE`: index of the variable that the filter finds in its attempt record.
    pub key: Option<usize>,
}

/// Text with variables, as it was compiled for one kind of subject.
pub enum Text {
    OfRequests(Complex),
    OfSessions(stream::complex::Complex),
}

impl Text {
    /// `None`: out of memory, or it is not for such a subject.
    pub fn evaluate<'s>(&self, subject: Subject<'s>) -> Option<&'s [u8]> {
        match (self, subject.kind()) {
            (Text::OfRequests(text), Kind::Request(r)) => text.evaluate(r),
            (Text::OfSessions(text), Kind::Session(s)) => text.evaluate(s),
            _ => None,
        }
    }
}
