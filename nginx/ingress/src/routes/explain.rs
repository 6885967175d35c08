//! What the answer of a location with `ingress_route … explain=POLICY` says about the route that was found.

use wick_native::headers::{Side, add};
use wick_native::request::Request;
use wick_routes::{Route, Value};

use super::redirect::escape;

/// Adds the header `X-Wick-Route: INDEX HOST PATH`: the route's place in the record of `HOST`, and the path it was found by,
/// escaped as in a `Location`. `None`: out of memory.
#[cold]
pub fn tell(r: Request, index: usize, route: &Route) -> Option<()> {
    let host = route.value(Value::Host);
    let value = [index.to_string().as_bytes(), host, &escape(r.uri())].join(&b' ');
    add(r, Side::Response, b"X-Wick-Route", &value).ok()
}
