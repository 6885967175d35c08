//! What the answer of a location with `ingress_route … explain=LOCATION` says about the route that was found.

use wick_native::headers::{Side, add, get, remove};
use wick_native::request::Request;
use wick_routes::{Route, Value};

use super::redirect::escape;

/// A request that has it is one for which the authentication service is to be asked.
const ASK_SERVICE: &[u8] = b"X-Wick-Ask-Service";

/// Whether the authentication service is to be asked; from now on nobody is told so.
#[cold]
pub fn asks_service(r: Request) -> bool {
    let asks = get(r, Side::Request, ASK_SERVICE).is_some();
    remove(r, Side::Request, ASK_SERVICE);
    asks
}

/// Adds the header `X-Wick-Route: INDEX HOST PATH`: the route's place in the record of `HOST`, and the path it was found by,
/// escaped as in a `Location`. `None`: out of memory.
#[cold]
pub fn tell(r: Request, index: usize, route: &Route) -> Option<()> {
    let host = route.value(Value::Host);
    let value = [index.to_string().as_bytes(), host, &escape(r.uri())].join(&b' ');
    add(r, Side::Response, b"X-Wick-Route", &value).ok()
}
