//! What the answer of a location with `ingress_route … explain=LOCATION` says about the route that was found.

use wick_native::headers::{Side, add, get, remove};
use wick_native::request::Request;
use wick_routes::{Route, Value};
use wick_script::End;

use super::redirect::escape;
use super::scripts::Rehearsed;

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

/// Adds the header `NAME: HELD END`: the places of the `if`s of a script that hold, and what becomes of the request then. `None`: out of memory.
#[cold]
pub fn tell_script(r: Request, name: &[u8], script: &Rehearsed<'_>) -> Option<()> {
    let held: Vec<_> = script.held.iter().map(usize::to_string).collect();
    let held = if held.is_empty() { "-".to_owned() } else { held.join(",") };
    let value = [held.as_bytes(), b" ", &end_of(script)].concat();
    add(r, Side::Response, name, &value).ok()
}

/// A word, and what goes with it, escaped.
fn end_of(script: &Rehearsed<'_>) -> Vec<u8> {
    let target = || {
        let mark: &[u8] = if script.args.is_empty() { b"" } else { b"?" };
        [&escape(script.path), mark, script.args].concat()
    };
    let with_code = |word: &str, code: u16, text: &[u8]| {
        [format!("{word} {code} ").as_bytes(), &escape(text)].concat()
    };
    match script.end {
        Ok(End::Done { is_moved: false }) => b"done".to_vec(),
        Ok(End::Done { is_moved: true }) => [&b"moved "[..], &target()].concat(),
        Ok(End::Stopped) => [&b"stopped "[..], &target()].concat(),
        Ok(End::Again) => [&b"again "[..], &target()].concat(),
        Ok(End::Return { code, text }) => with_code("return", code, text.unwrap_or_default()),
        Ok(End::Redirect { code, location }) => with_code("redirect", code, location),
        Err(status) => with_code("return", status.unsigned_abs() as u16, b""),
    }
}
