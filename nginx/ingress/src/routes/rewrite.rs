//! A route's path for the backend, in the place of the request's.

use std::fmt;

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_NOTICE};
use wick_native::log;
use wick_native::request::Request;

use crate::limited_log::shown;

/// Does to the request what nginx's `rewrite PATTERN PATH break` does. False: an empty path, which is an error (500) there
/// as well. `is_logged`: with nginx's line of `rewrite_log on`.
pub fn rewrite<'r>(r: Request<'r>, path: &'r [u8], is_logged: bool) -> bool {
    // SAFETY: the path lives as long as the request.
    unsafe { r.set_uri(path) };
    if is_logged {
        let (path, args) = (path.escape_ascii(), r.args().escape_ascii());
        note(r, format_args!("rewritten data: \"{path}\", args: \"{args}\""));
    }
    if path.is_empty() {
        let line = format_args!("the rewritten URI has a zero length");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
    }
    !path.is_empty()
}

/// nginx's line about a pattern, and what it was held against.
pub fn note_match(r: Request, pattern: fmt::Arguments<'_>, subject: &[u8], is_match: bool) {
    let (matches, subject) = (if is_match { "matches" } else { "does not match" }, shown(subject));
    note(r, format_args!("\"{pattern}\" {matches} \"{subject}\""));
}

/// nginx's line about a redirect.
pub fn note_redirect(r: Request, location: &[u8]) {
    note(r, format_args!("rewritten redirect: \"{}\"", shown(location)));
}

#[cold]
fn note(r: Request, line: fmt::Arguments<'_>) {
    log::write(r.log(), NGX_LOG_NOTICE as usize, line);
}
