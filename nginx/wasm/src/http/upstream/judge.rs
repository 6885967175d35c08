//! `proxy_on_next_upstream` on a stock nginx: a response head that nginx would answer with a retry is
//! shown to the filter first, which may accept it.
//!
//! nginx calls `u->process_header` until it returns OK and tests the status right afterwards. So ours
//! stands before the protocol module's, and accepting means: this was the last try.

use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_t, ngx_int_t};
use wick_abi::Callback;
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;

use super::retry::would_retry;
use super::selection::Selection;
use crate::attempts::peer::{Peer, Serving};
use crate::contexts::Contexts;
use crate::host::current::Step;
use crate::host::state::Wants;
use crate::http::request::State;
use crate::upstream::ask::Asking;
use crate::worker::Worker;

/// Whom to ask about what `selection` does.
#[inline]
pub fn asking<'r>(selection: &'r Selection<'r>) -> Asking<'r> {
    Asking { worker: selection.worker, peer: &selection.peer, contexts }
}

fn contexts<'r>(peer: &Peer<'r>, worker: &'static Worker) -> Option<&'r Contexts<'r>> {
    Some(&State::of(peer.subject.request()?, peer.chain, worker)?.contexts)
}

/// Puts our functions before those of the request's protocol module.
pub fn install<'r>(state: &State<'r>, selection: NonNull<Selection<'r>>) {
    state.selection.set(selection.as_ptr());
    let Some(mut upstream) = state.request.upstream() else { return };
    // SAFETY: called while nginx sets this upstream up; the selection lives as long as the request.
    unsafe {
        let (upstream, selection) = (upstream.as_mut(), selection.as_ref());
        selection.process_header.set(upstream.process_header.replace(process_header));
        selection.reinit_request.set(upstream.reinit_request.replace(reinit_request));
    }
}

unsafe extern "C" fn process_header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: nginx calls this for a live request whose upstream `install` changed.
    guard(ERROR, || unsafe {
        let Some((selection, upstream)) = of_request(r) else { return ERROR };
        (*upstream).process_header = selection.process_header.get();
        let rc = selection.process_header.get().map_or(ERROR, |process| process(r));
        // The module may have moved on from the status line to the headers.
        selection.process_header.set((*upstream).process_header.replace(process_header));
        if rc == OK
            && would_retry(selection.request, &*upstream)
            && is_accepted(selection, status(&*upstream))
        {
            (*upstream).peer.tries = 1;
            selection.accepted.set(true);
        }
        rc
    })
}

unsafe extern "C" fn reinit_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: as above.
    guard(ERROR, || unsafe {
        let Some((selection, upstream)) = of_request(r) else { return ERROR };
        // Not every module sets it anew: FastCGI's leaves what it finds, which must not be ours.
        (*upstream).process_header = selection.process_header.get();
        let rc = selection.reinit_request.get().map_or(ERROR, |reinit| reinit(r));
        selection.process_header.set((*upstream).process_header.replace(process_header));
        rc
    })
}

unsafe fn of_request<'a>(
    r: *mut ngx_http_request_t,
) -> Option<(&'a Selection<'a>, *mut ngx_http_upstream_t)> {
    // SAFETY: the caller's: a live request; its state points to a selection of its pool.
    unsafe {
        let r = Request::from_raw(r);
        Some((State::find(r)?.selection()?, r.upstream()?.as_ptr()))
    }
}

/// Asks the filter that chose the peer whether to accept a response that nginx would retry.
fn is_accepted(selection: &Selection<'_>, status: i32) -> bool {
    let asking = asking(selection);
    let Serving::Filter { at } = selection.peer.serving.get() else { return false };
    let root = selection.peer.chain.roots[at];
    if !selection.worker.environment.callbacks(root).contains(Callback::NextUpstream) {
        return false;
    }
    let judged = asking.call(at, root, Step::NextUpstream, None, |instance, context| {
        instance.call(|exports| &exports.next_upstream, (context, status))?;
        Ok(std::mem::take::<Wants>(instance.wants()).accept)
    });
    judged == Ok(true)
}

fn status(upstream: &ngx_http_upstream_t) -> i32 {
    upstream.headers_in.status_n as i32
}
