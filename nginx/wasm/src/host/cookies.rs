//! `wick_get_cookie` and `wick_set_cookie`.

use wick_abi::{Status, cookie, two};
use wick_native::headers::{self, Side};
use wick_native::request::Request;

use super::current::Step;
use super::state::Host;

const MAX_BYTES: usize = 8192;
/// Per request.
const MAX_COOKIES: usize = 16;

/// The value of the request's first cookie of this name.
pub fn get<'r>(r: Option<Request<'r>>, name: &[u8]) -> Result<&'r [u8], Status> {
    let r = r.ok_or(Status::BadArgument)?;
    let mut lines = headers::each(r, Side::Request)
        .filter(|(header, _)| header.eq_ignore_ascii_case(b"cookie"));
    lines.find_map(|(_, line)| cookie::find(line, name)).ok_or(Status::NotFound)
}

/// Gives the client a cookie with the response that is still to come.
pub fn set(host: &Host, r: Option<Request>, arguments: &[u8]) -> Result<(), Status> {
    let (name, value) = two(arguments).map_err(|_| Status::BadArgument)?;
    let selects = host.current.step == Step::UpstreamSelect;
    let r = r.filter(|_| selects).ok_or(Status::BadArgument)?;
    if value.len() > MAX_BYTES {
        return Err(Status::BadArgument);
    }
    headers::set_cookie(r, name, value, MAX_COOKIES).map_err(|_| Status::BadArgument)
}
