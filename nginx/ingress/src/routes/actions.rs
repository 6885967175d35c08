//! What becomes of the requests of a route, or of one of its backends, beyond where they go.

use wick_native::headers::{Side, add, is_framing, remove, replace};
use wick_native::request::Request;
use wick_routes::{Actions, Header, HeaderEdits, Replacement, Route};

use super::split::Drawn;

/// Those of the backend that the request has drawn.
pub fn of_drawn<'h>(drawn: Drawn<'h>) -> Option<&'h Actions> {
    match drawn {
        Drawn::One(backend, _) => backend.actions.as_deref(),
        Drawn::Whole | Drawn::Nothing => None,
    }
}

/// What takes the place of the request's path: the backend's comes before the route's.
pub fn path_of<'h>(route: &'h Route, drawn: Drawn<'h>) -> Option<&'h Replacement> {
    let own = || route.actions.as_deref()?.path.as_ref();
    of_drawn(drawn).and_then(|actions| actions.path.as_ref()).or_else(own)
}

/// Gives the request the headers that backends are to get. What frames it, or names its host, stays. `None`: out of memory.
pub fn edit_request(r: Request, edits: &HeaderEdits) -> Option<()> {
    edits.set.iter().filter(is_free).try_for_each(|Header { name, value }| {
        if value.is_empty() {
            remove(r, Side::Request, name);
            return Some(());
        }
        replace(r, Side::Request, name, value).ok()
    })?;
    let mut added = edits.add.iter().filter(is_free);
    added.try_for_each(|Header { name, value }| add(r, Side::Request, name, value).ok())
}

fn is_free(header: &&Header) -> bool {
    !is_framing(&header.name) && !header.name.eq_ignore_ascii_case(b"host")
}
