//! The redirect of a path to the same path with a slash at its end.

use std::ptr::null_mut;

use ngx::ffi::{NGX_ESCAPE_URI, ngx_escape_uri};
use wick_native::headers::{Side, add};
use wick_native::request::Request;
use wick_native::text::bytes;

/// Sets the Location of the answer: `path` escaped as nginx escapes a location's name, and the request's arguments.
/// nginx makes an absolute address of it unless `absolute_redirect` is off. `None`: out of memory.
pub fn set_location(r: Request, path: &[u8]) -> Option<()> {
    // SAFETY: a string of the request.
    let args = unsafe { bytes((*r.as_ptr()).args) };
    let mut location = escape(path);
    if !args.is_empty() {
        location.push(b'?');
        location.extend_from_slice(args);
    }
    add(r, Side::Response, b"Location", &location).ok()
}

fn escape(path: &[u8]) -> Vec<u8> {
    let from = path.as_ptr().cast_mut();
    // SAFETY: without a destination nginx counts the bytes to escape and reads only.
    let escaped = unsafe { ngx_escape_uri(null_mut(), from, path.len(), NGX_ESCAPE_URI as usize) };
    let mut to = vec![0; path.len() + 2 * escaped];
    // SAFETY: each escaped byte takes two more than it did.
    unsafe { ngx_escape_uri(to.as_mut_ptr(), from, path.len(), NGX_ESCAPE_URI as usize) };
    to
}
