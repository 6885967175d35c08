//! A route's path for the backend, in the place of the request's.

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_NOTICE};
use wick_native::log;
use wick_native::request::Request;

/// Does to the request what nginx's `rewrite … break` does. False: an empty path, which is an error (500) there as well.
pub fn rewrite(r: Request, path: &'static [u8], logs: bool) -> bool {
    // SAFETY: the path lives as long as the request.
    unsafe { r.set_uri(path) };
    if logs {
        let (path, args) = (path.escape_ascii(), r.args().escape_ascii());
        let line = format_args!("rewritten data: \"{path}\", args: \"{args}\"");
        log::write(r.log(), NGX_LOG_NOTICE as usize, line);
    }
    if path.is_empty() {
        let line = format_args!("the rewritten URI has a zero length");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
    }
    !path.is_empty()
}
