//! Statuses that lead to another attempt, beside those of which nginx knows it.
//!
//! A response whose head cannot be read leads nginx to the next endpoint where `proxy_next_upstream` says so: for nginx that is what an attempt
//! with such a status is, as long as there is another one.

use ngx::ffi::{
    NGX_HTTP_UPSTREAM_INVALID_HEADER, ngx_current_msec, ngx_http_request_t, ngx_http_upstream_t,
    ngx_int_t,
};
use wick_native::bits;
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::kept::{Kept, of};

const INVALID_HEADER: ngx_int_t = NGX_HTTP_UPSTREAM_INVALID_HEADER as ngx_int_t;

/// Puts our functions before those of the request's protocol module.
pub fn install(kept: &Kept, upstream: *mut ngx_http_upstream_t) {
    // SAFETY: the upstream of a live request, which nginx does not use at the moment.
    unsafe {
        kept.process_header.set((*upstream).process_header.replace(process_header));
        kept.reinit_request.set((*upstream).reinit_request.replace(reinit_request));
    }
}

unsafe fn of_request<'r>(
    r: *mut ngx_http_request_t,
) -> Option<(Request<'r>, &'r Kept, *mut ngx_http_upstream_t)> {
    // SAFETY: the caller's: a live request.
    let r = unsafe { Request::from_raw(r) };
    Some((r, of(r)?, r.upstream()?.as_ptr()))
}

unsafe extern "C" fn process_header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: nginx calls this for a live request whose upstream `install` changed.
    guard(ERROR, || unsafe {
        let Some((r, kept, upstream)) = of_request(r) else { return ERROR };
        (*upstream).process_header = kept.process_header.get();
        let rc = kept.process_header.get().map_or(ERROR, |process| process(r.as_ptr()));
        // The module may have moved on from the status line to the headers.
        kept.process_header.set((*upstream).process_header.replace(process_header));
        let status = (*upstream).headers_in.status_n;
        let is_such =
            rc == OK && kept.attempts.codes.iter().any(|code| usize::from(*code) == status);
        if is_such && has_another(r, &*upstream) { INVALID_HEADER } else { rc }
    })
}

unsafe extern "C" fn reinit_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: as above.
    guard(ERROR, || unsafe {
        let Some((r, kept, upstream)) = of_request(r) else { return ERROR };
        (*upstream).process_header = kept.process_header.get();
        let rc = kept.reinit_request.get().map_or(ERROR, |reinit| reinit(r.as_ptr()));
        kept.process_header.set((*upstream).process_header.replace(process_header));
        rc
    })
}

/// Whether nginx will make another attempt, as `ngx_http_upstream_next` has it; else the client gets the response.
fn has_another(r: Request, upstream: &ngx_http_upstream_t) -> bool {
    // SAFETY: the live request's upstream and configuration; the clock is this thread's.
    unsafe {
        let waited = ngx_current_msec.wrapping_sub(upstream.peer.start_time);
        let limit = (*upstream.conf).next_upstream_timeout;
        let is_streamed = bits::upstream::REQUEST_SENT.is_set(upstream)
            && bits::request::REQUEST_BODY_NO_BUFFERING.is_set(r.as_ptr());
        upstream.peer.tries > 1 && !is_streamed && (limit == 0 || waited < limit)
    }
}
