//! `proxy_on_next_upstream` on a stock nginx: a response head that nginx would answer with a retry is
//! shown to the filter first, which may accept it.
//!
//! nginx calls `u->process_header` until it returns OK and tests the status right afterwards. So ours
//! stands before the protocol module's, and accepting means: this was the last try.

use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_t, ngx_int_t};
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::ask::Asking;
use super::peer::Peer;
use super::retry::would_retry;
use crate::request::State;

/// Puts our functions before those of the request's protocol module.
pub fn install<'r>(state: &State<'r>, peer: NonNull<Peer<'r>>) {
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
        let Some((asking, upstream)) = of_request(r) else { return ERROR };
        let peer = asking.peer;
        (*upstream).process_header = peer.process_header.get();
        let rc = peer.process_header.get().map_or(ERROR, |process| process(r));
        // The module may have moved on from the status line to the headers.
        peer.process_header.set((*upstream).process_header.replace(process_header));
        if rc == OK && would_retry(peer.request, &*upstream) && asking.judge(status(&*upstream)) {
            (*upstream).peer.tries = 1;
            peer.accepted.set(true);
        }
        rc
    })
}

unsafe extern "C" fn reinit_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: as above.
    guard(ERROR, || unsafe {
        let Some((Asking { peer, .. }, upstream)) = of_request(r) else { return ERROR };
        // Not every module sets it anew: FastCGI's leaves what it finds, which must not be ours.
        (*upstream).process_header = peer.process_header.get();
        let rc = peer.reinit_request.get().map_or(ERROR, |reinit| reinit(r));
        peer.process_header.set((*upstream).process_header.replace(process_header));
        rc
    })
}

unsafe fn of_request<'a>(
    r: *mut ngx_http_request_t,
) -> Option<(Asking<'a>, *mut ngx_http_upstream_t)> {
    // SAFETY: the caller's: a live request; its state points to a peer of its pool.
    unsafe {
        let r = Request::from_raw(r);
        let state = State::find(r)?;
        let asking = Asking { worker: state.worker, peer: state.peer()? };
        Some((asking, r.upstream()?.as_ptr()))
    }
}

fn status(upstream: &ngx_http_upstream_t) -> i32 {
    upstream.headers_in.status_n as i32
}
