//! `X-Accel-Redirect: @name`: a backend must not choose a named location for its answer, and nginx would enter any.

use wick_native::request::Request;
use wick_native::text::bytes;

/// Whether it was a backend's answer that sent the request into the named location where it is.
pub fn entered_by_backend(r: Request) -> bool {
    let Some(upstream) = r.upstream() else { return false };
    // SAFETY: the upstream, its header and the location live as long as the request.
    unsafe {
        let header = upstream.as_ref().headers_in.x_accel_redirect.as_ref();
        let name = bytes(r.core_loc().as_ref().name);
        header.is_some_and(|header| bytes(header.value) == name)
    }
}
