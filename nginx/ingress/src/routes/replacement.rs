//! A path in the place of a request's, or of its beginning, as it stands in the line of a request.

use wick_native::request::Request;
use wick_routes::{Replacement, Route, Value};

use super::readings;
use super::redirect::escape;
use super::split::Drawn;

/// What takes the place of the request's path: the backend's comes before the route's.
pub fn of<'h>(route: &'h Route, drawn: Drawn<'h>) -> Option<&'h Replacement> {
    let of_drawn = drawn.one().and_then(|(backend, _)| backend.actions.as_deref());
    let own = || route.actions.as_deref()?.path.as_ref();
    of_drawn.and_then(|actions| actions.path.as_ref()).or_else(own)
}

/// What the request's path becomes.
pub fn path(r: Request, route: &Route, replacement: &Replacement) -> Vec<u8> {
    let mut path = in_line(&replacement.text);
    if !replacement.is_of_prefix {
        return path;
    }
    path.truncate(without_slashes(&path).len());
    path.extend_from_slice(&behind(r, without_slashes(prefix_of(route))));
    if path.is_empty() {
        path.push(b'/');
    }
    path
}

/// A prefix that is tried as a pattern has itself as the path of its location.
fn prefix_of(route: &Route) -> &[u8] {
    if route.path_match.is_pattern() { route.value(Value::LocationPath) } else { route.path() }
}

/// What follows the prefix: as the client wrote it, unless that could be read in another way than nginx has.
fn behind(r: Request, prefix: &[u8]) -> Vec<u8> {
    let is_whole = |rest: &&[u8]| rest.is_empty() || rest.starts_with(b"/");
    let written = r.written_path().filter(|written| !readings::leaves_dots(written));
    match written.and_then(|written| written.strip_prefix(prefix)).filter(is_whole) {
        Some(rest) => rest.to_vec(),
        None => escape(r.uri().get(prefix.len()..).unwrap_or_default()),
    }
}

fn without_slashes(path: &[u8]) -> &[u8] {
    let len = path.iter().rposition(|byte| *byte != b'/').map_or(0, |last| last + 1);
    &path[..len]
}

/// With what would end the path escaped.
fn in_line(text: &[u8]) -> Vec<u8> {
    let mut path = Vec::with_capacity(text.len());
    for byte in text {
        match byte {
            b' ' => path.extend_from_slice(b"%20"),
            b'?' => path.extend_from_slice(b"%3F"),
            b'#' => path.extend_from_slice(b"%23"),
            byte => path.push(*byte),
        }
    }
    path
}
