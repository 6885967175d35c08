//! Where filters see responses, and where an answer of theirs takes the place of the response that
//! nginx is about to send. In nginx's chains between `add_header` and the compressing filters.

use std::ptr::null_mut;

use ngx::ffi::{ngx_chain_t, ngx_http_request_t, ngx_int_t};
use wick_abi::Callback;
use wick_native::bits;
use wick_native::code::{ERROR, OK};
use wick_native::filter::{BodyFilter, HeaderFilter};
use wick_native::guard::guard;
use wick_native::headers::{self, Side};
use wick_native::request::Request;
use wick_native::response::{self, consume};

use super::request::{Outcome, Replacement, State};
use crate::host::current::Step;
use crate::host::local_response::LocalResponse;

static HEADER: HeaderFilter = HeaderFilter::new();
static BODY: BodyFilter = BodyFilter::new();

/// Puts our filters in front of the chains.
/// From a postconfiguration hook, once per configuration.
pub fn install() {
    HEADER.install(header);
    BODY.install(body);
}

// Most requests have no state. Theirs go on before anything is set up that only the others need.

unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    match State::find(unsafe { Request::from_raw(r) }) {
        Some(state) => header_of(state),
        None => next_header(r),
    }
}

unsafe extern "C" fn body(r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: as above.
    match State::find(unsafe { Request::from_raw(r) }) {
        Some(state) => body_of(state, chain),
        None => next_body(r, chain),
    }
}

#[inline(never)]
fn header_of(state: &State) -> ngx_int_t {
    guard(ERROR, || {
        if let Some(selection) = state.selection() {
            selection.peer.stopwatch.head();
        }
        if on_head(state) { next_header(state.request.as_ptr()) } else { ERROR }
    })
}

#[inline(never)]
fn body_of(state: &State, chain: *mut ngx_chain_t) -> ngx_int_t {
    guard(ERROR, || match instead(state, chain) {
        Ok(out) => next_body(state.request.as_ptr(), out),
        Err(rc) => rc,
    })
}

#[inline]
fn next_header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: what nginx called the filter with.
    unsafe { HEADER.next(r) }
}

#[inline]
fn next_body(r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: as above; `chain` is null or live.
    unsafe { BODY.next(r, chain) }
}

/// Replaces the head if that is wanted, and shows it to the filters. False: out of memory.
fn on_head(state: &State) -> bool {
    let r = state.request;
    if let Replacement::Wanted(local) = state.replacement.get() {
        return replace(state, local);
    }
    let outcome =
        state.run(Callback::ResponseHeaders, Step::ResponseHeaders, |instance, context| {
            let n = headers::each(r, Side::Response).count() as i32;
            instance.call(|exports| &exports.response_headers, (context, n, i32::from(is_empty(r))))
        });
    match outcome {
        Outcome::Respond(local) => replace(state, local),
        _ => true, // after a fault the response goes out as it is
    }
}

fn replace(state: &State, local: LocalResponse) -> bool {
    state.replacement.set(Replacement::HeadSent(local));
    let r = state.request;
    let body = local.body(r);
    // SAFETY: a live request whose head is about to be sent.
    unsafe { bits::request::HEADER_ONLY.set(r.as_ptr(), body.is_empty().into()) };
    response::replace_head(r, local.status(r), body.len(), local.headers(r)).is_ok()
}

/// What to send instead of `chain`: our answer once, then nothing.
fn instead(state: &State, chain: *mut ngx_chain_t) -> Result<*mut ngx_chain_t, ngx_int_t> {
    match state.replacement.get() {
        Replacement::None | Replacement::Wanted(_) => Ok(chain),
        Replacement::HeadSent(local) => {
            // SAFETY: what nginx passes on.
            unsafe { consume(chain) };
            state.replacement.set(Replacement::Sent);
            let link =
                response::last_link(state.request, local.body(state.request)).ok_or(ERROR)?;
            Ok(link.as_ptr())
        }
        Replacement::Sent if chain.is_null() => Ok(null_mut()), // nginx flushes what is buffered
        Replacement::Sent => {
            // SAFETY: as above.
            unsafe { consume(chain) };
            Err(OK)
        }
    }
}

fn is_empty(r: Request) -> bool {
    // SAFETY: a live request.
    unsafe {
        bits::request::HEADER_ONLY.is_set(r.as_ptr())
            || (*r.as_ptr()).headers_out.content_length_n == 0
    }
}
