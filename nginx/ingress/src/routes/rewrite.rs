//! A route's path for the backend, in the place of the request's.

use std::fmt;

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_NOTICE};
use wick_native::log;
use wick_native::request::Request;

use crate::limited_log::shown;

/// Does to the request what nginx's `rewrite PATTERN PATH break` does. False: an empty path, which is an error (500) there
/// as well.
///
/// `logged`: the pattern, for nginx's two lines of `rewrite_log on`; `None`: no lines.
pub fn rewrite<'r>(r: Request<'r>, path: &'r [u8], logged: Option<&[u8]>) -> bool {
    if let Some(pattern) = logged {
        note(r, format_args!("\"(?i){}\" matches \"{}\"", shown(pattern), shown(r.uri())));
    }
    // SAFETY: the path lives as long as the request.
    unsafe { r.set_uri(path) };
    if logged.is_some() {
        let (path, args) = (path.escape_ascii(), r.args().escape_ascii());
        note(r, format_args!("rewritten data: \"{path}\", args: \"{args}\""));
    }
    if path.is_empty() {
        let line = format_args!("the rewritten URI has a zero length");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
    }
    !path.is_empty()
}

fn note(r: Request, line: fmt::Arguments<'_>) {
    log::write(r.log(), NGX_LOG_NOTICE as usize, line);
}
