//! Patterns with groups that have names, and where templates find what the latest has matched.

use wick_native::captures;
use wick_native::pattern::Pattern;
use wick_native::request::Request;

use super::state::State;
use crate::matching::Matching;

/// A group by its name, in lower case.
pub type Named = (Box<[u8]>, u8);

/// A pattern with its groups that have names.
pub struct NamedPattern {
    pub pattern: Pattern,
    pub names: Box<[Named]>,
}

impl NamedPattern {
    pub fn new(pattern: Pattern) -> NamedPattern {
        let named = |(name, n): (&[u8], u8)| (name.to_ascii_lowercase().into(), n);
        let names = pattern.names().map(named).collect();
        NamedPattern { pattern, names }
    }
}

/// `$1` to `$9` are what the latest match has found in `subject`, until another pattern is tried, and its named groups are variables. `None`: out of
/// memory.
pub fn keep_groups<'r>(
    r: Request<'r>,
    state: &State,
    matching: &Matching,
    names: &[Named],
    subject: &'r [u8],
) -> Option<()> {
    matching.with_offsets(|groups| captures::set(r, &state.offsets, subject, groups))?;
    for (name, n) in names {
        let value = matching.group(*n, subject).unwrap_or_default();
        // SAFETY: a part of the subject, which lives as long as the request.
        unsafe { state.set(name, value) };
    }
    Some(())
}
