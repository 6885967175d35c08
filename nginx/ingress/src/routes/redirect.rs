//! Redirects: the `Location` of an answer.

use std::ptr::null_mut;

use ngx::ffi::{NGX_ESCAPE_URI, ngx_escape_uri};
use wick_native::headers::{Side, add};
use wick_native::request::Request;

/// Sets the Location of the answer. nginx makes an absolute address of a path unless `absolute_redirect` is off. `None`:
/// out of memory, or bytes that no header may have.
pub fn set_location(r: Request, location: &[u8]) -> Option<()> {
    add(r, Side::Response, b"Location", location).ok()
}

/// Leads to `path`, escaped as nginx escapes a location's name, with the request's arguments.
pub fn set_path(r: Request, path: &[u8]) -> Option<()> {
    let mut location = escape(path);
    if !r.args().is_empty() {
        location.push(b'?');
        location.extend_from_slice(r.args());
    }
    set_location(r, &location)
}

/// The same with a path behind it that has its escapes, and the request's arguments.
pub fn set_location_with(r: Request, address: &[u8], path: &[u8]) -> Option<()> {
    let mark: &[u8] = if r.args().is_empty() { b"" } else { b"?" };
    set_location(r, &[address, path, mark, r.args()].concat())
}

pub fn escape(path: &[u8]) -> Vec<u8> {
    let from = path.as_ptr().cast_mut();
    // SAFETY: without a destination nginx counts the bytes to escape and reads only.
    let escaped = unsafe { ngx_escape_uri(null_mut(), from, path.len(), NGX_ESCAPE_URI as usize) };
    let mut to = vec![0; path.len() + 2 * escaped];
    // SAFETY: each escaped byte takes two more than it did.
    unsafe { ngx_escape_uri(to.as_mut_ptr(), from, path.len(), NGX_ESCAPE_URI as usize) };
    to
}
