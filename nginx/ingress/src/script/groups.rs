//! Groups of the latest pattern of a request, where templates find them.

use wick_native::captures;
use wick_native::request::Request;

use super::ready::Named;
use super::state::State;
use crate::matching::Matching;

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
