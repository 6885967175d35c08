//! `proxy_on_next_upstream` on a stock nginx: a response head that nginx would answer with a retry is
//! shown to the filter first, which may accept it.
//!
//! nginx calls `u->process_header` until it returns OK and tests the status right afterwards. So ours
//! stands before the protocol module's, and accepting means: this was the last try.

use std::ptr::NonNull;

use ngx::ffi::{
    NGX_HTTP_LOCK, NGX_HTTP_PATCH, NGX_HTTP_POST, NGX_HTTP_UPSTREAM_FT_HTTP_403,
    NGX_HTTP_UPSTREAM_FT_HTTP_404, NGX_HTTP_UPSTREAM_FT_HTTP_429, NGX_HTTP_UPSTREAM_FT_HTTP_500,
    NGX_HTTP_UPSTREAM_FT_HTTP_502, NGX_HTTP_UPSTREAM_FT_HTTP_503, NGX_HTTP_UPSTREAM_FT_HTTP_504,
    NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT, ngx_current_msec, ngx_http_request_t, ngx_http_upstream_t,
    ngx_int_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::peer::Peer;
use crate::request::State;

/// Puts our functions before those of the request's protocol module.
pub fn install(state: &State, peer: NonNull<Peer>) {
    state.peer.set(peer.as_ptr());
    let Some(mut upstream) = state.request.upstream() else { return };
    // SAFETY: called while nginx sets this upstream up; the peer lives as long as the request.
    unsafe {
        let (upstream, peer) = (upstream.as_mut(), peer.as_ref());
        peer.process_header.set(upstream.process_header.replace(process_header));
        peer.reinit_request.set(upstream.reinit_request.replace(reinit_request));
    }
}

unsafe extern "C" fn process_header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: nginx calls this for a live request whose upstream `install` changed.
    guard(ERROR, || unsafe {
        let Some((peer, upstream)) = of_request(r) else { return ERROR };
        (*upstream).process_header = peer.process_header.get();
        let rc = peer.process_header.get().map_or(ERROR, |process| process(r));
        // The module may have moved on from the status line to the headers.
        peer.process_header.set((*upstream).process_header.replace(process_header));
        if rc == OK && would_retry(peer.request, &*upstream) && peer.judge(status(&*upstream)) {
            (*upstream).peer.tries = 1;
            peer.accepted.set(true);
        }
        rc
    })
}

unsafe extern "C" fn reinit_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: as above.
    guard(ERROR, || unsafe {
        let Some((peer, upstream)) = of_request(r) else { return ERROR };
        // Not every module sets it anew: FastCGI's leaves what it finds, which must not be ours.
        (*upstream).process_header = peer.process_header.get();
        let rc = peer.reinit_request.get().map_or(ERROR, |reinit| reinit(r));
        peer.process_header.set((*upstream).process_header.replace(process_header));
        rc
    })
}

unsafe fn of_request<'a>(
    r: *mut ngx_http_request_t,
) -> Option<(&'a Peer, *mut ngx_http_upstream_t)> {
    // SAFETY: the caller's: a live request; its state points to a peer of its pool.
    unsafe {
        let r = Request::from_raw(r);
        let peer = State::find(r)?.peer()?;
        Some((peer, r.upstream()?.as_ptr()))
    }
}

/// Whether nginx will try another peer because of this response: its own conditions, word for word.
fn would_retry(r: Request, upstream: &ngx_http_upstream_t) -> bool {
    // SAFETY: the live request's upstream and configuration; the clock is this thread's.
    unsafe {
        let Some(mut mask) = mask(upstream.headers_in.status_n) else { return false };
        let (request, conf) = (&*r.as_ptr(), &*upstream.conf);
        let unrepeatable = (NGX_HTTP_POST | NGX_HTTP_LOCK | NGX_HTTP_PATCH) as usize;
        if upstream.request_sent() != 0 && request.method & unrepeatable != 0 {
            mask |= NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT as usize;
        }
        let waited = ngx_current_msec.wrapping_sub(upstream.peer.start_time);
        upstream.peer.tries > 1
            && request.cached() == 0
            && conf.next_upstream & mask == mask
            && !(upstream.request_sent() != 0 && request.request_body_no_buffering() != 0)
            && !(conf.next_upstream_timeout != 0 && waited >= conf.next_upstream_timeout)
    }
}

/// Whether the response that the client gets is one that `proxy_next_upstream` counts as failed: after
/// the last try nginx frees the peer as if all were well.
pub fn is_failure(r: Request) -> bool {
    let Some(upstream) = r.upstream() else { return false };
    // SAFETY: the live request's upstream and configuration.
    unsafe {
        let upstream = upstream.as_ref();
        let mask = mask(upstream.headers_in.status_n);
        mask.is_some_and(|mask| (*upstream.conf).next_upstream & mask == mask)
    }
}

fn status(upstream: &ngx_http_upstream_t) -> i32 {
    upstream.headers_in.status_n as i32
}

/// The `proxy_next_upstream` bit of a status.
fn mask(status: usize) -> Option<usize> {
    Some(match status {
        500 => NGX_HTTP_UPSTREAM_FT_HTTP_500,
        502 => NGX_HTTP_UPSTREAM_FT_HTTP_502,
        503 => NGX_HTTP_UPSTREAM_FT_HTTP_503,
        504 => NGX_HTTP_UPSTREAM_FT_HTTP_504,
        403 => NGX_HTTP_UPSTREAM_FT_HTTP_403,
        404 => NGX_HTTP_UPSTREAM_FT_HTTP_404,
        429 => NGX_HTTP_UPSTREAM_FT_HTTP_429,
        _ => return None,
    } as usize)
}
