//! Where filters see requests: headers before rewriting, bodies before the content, the end in the log phase.

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_http_core_run_phases, ngx_http_request_t, ngx_int_t,
};
use wick_abi::{Callback, CallbackSet};
use wick_native::bits;
use wick_native::code::{DECLINED, DONE, ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::{body, response};

use super::conf::chain_of;
use super::request::{Body, Outcome, State};
use crate::conf::chain::Chain;
use crate::host::current::Step;
use crate::host::local_response::LocalResponse;
use crate::worker::Worker;

const SERVER_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// Callbacks for which a request must have a state.
#[inline]
fn of_requests() -> CallbackSet {
    CallbackSet::NONE
        .with(Callback::RequestHeaders)
        .with(Callback::RequestBody)
        .with(Callback::ResponseHeaders)
        .with(Callback::Log)
        .with(Callback::Context)
}

// Each begins with the test that ends it for most requests, before anything is set up that only the others need.

/// REWRITE phase, before nginx's own rewrite module: so a filter answers where the location says `return`.
pub unsafe extern "C" fn rewrite(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: a phase handler gets a live request.
    let r = unsafe { Request::from_raw(r) };
    match chain_of(r) {
        Some(chain) => guard(ERROR, || on_headers(r, chain)),
        None => DECLINED,
    }
}

/// PRECONTENT phase: bodies that nobody asked for earlier.
pub unsafe extern "C" fn precontent(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: a phase handler gets a live request.
    match State::find(unsafe { Request::from_raw(r) }) {
        Some(state) => guard(ERROR, || on_content(state)),
        None => DECLINED,
    }
}

/// LOG phase.
pub unsafe extern "C" fn log(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: a phase handler gets a live request.
    if let Some(state) = State::find(unsafe { Request::from_raw(r) }) {
        guard((), || state.log());
    }
    OK
}

fn on_headers<'r>(r: Request<'r>, chain: &'r Chain) -> ngx_int_t {
    let Some(worker) = Worker::of(chain) else { return DECLINED };
    if !worker.environment.wants(chain, of_requests()) {
        return DECLINED;
    }
    let Some(state) = State::of(r, chain, worker) else { return ERROR };
    if state.body.get() == Body::Read {
        return show_body(state);
    }
    if state.headers_done.replace(true) {
        return DECLINED;
    }
    let with_body = r.is_main() && r.has_body();
    let outcome = state.run(Callback::RequestHeaders, Step::RequestHeaders, |instance, context| {
        let arguments = (context, header_count(r), i32::from(!with_body));
        instance.call(|exports| &exports.request_headers, arguments)
    });
    match outcome {
        Outcome::Pause if with_body => read_body(state),
        outcome => answer(state, outcome),
    }
}

fn on_content(state: &State) -> ngx_int_t {
    match state.body.get() {
        Body::Read => show_body(state),
        Body::Unread if state.request.is_main() && state.request.has_body() => {
            let body = CallbackSet::NONE.with(Callback::RequestBody);
            let is_wanted = state.worker.environment.wants(state.chain, body);
            if is_wanted { read_body(state) } else { DECLINED }
        }
        _ => DECLINED,
    }
}

fn read_body(state: &State) -> ngx_int_t {
    state.body.set(Body::Reading);
    // SAFETY: called from a phase handler, which returns the result.
    unsafe { body::read(state.request, Some(body_read)) }
}

/// The body is there: the phases go on with the handler that asked for it.
unsafe extern "C" fn body_read(r: *mut ngx_http_request_t) {
    // SAFETY: nginx calls this with the live request whose body was asked for.
    guard((), || unsafe {
        let Some(state) = State::find(Request::from_raw(r)) else { return };
        state.body.set(Body::Read);
        bits::request::PRESERVE_BODY.set(r, 1);
        (*r).write_event_handler = Some(ngx_http_core_run_phases);
        ngx_http_core_run_phases(r);
    })
}

fn show_body(state: &State) -> ngx_int_t {
    state.body.set(Body::Shown);
    let size = i32::try_from(body::len(state.request)).unwrap_or(i32::MAX);
    let outcome = state.run(Callback::RequestBody, Step::RequestBody, |instance, context| {
        instance.call(|exports| &exports.request_body, (context, size, 1))
    });
    answer(state, outcome)
}

/// A request whose filter failed is refused: it may have been the one that checks who may do what.
fn answer(state: &State, outcome: Outcome) -> ngx_int_t {
    match outcome {
        Outcome::Continue | Outcome::Pause => DECLINED,
        Outcome::Fault => SERVER_ERROR,
        Outcome::Respond(local) => respond(state.request, &local),
    }
}

fn respond(r: Request, local: &LocalResponse) -> ngx_int_t {
    let rc = body::discard(r);
    if rc != OK {
        return rc;
    }
    if response::replace_head(r, local.status(r), local.body(r).len(), local.headers(r)).is_err() {
        return SERVER_ERROR;
    }
    let rc = response::send(r, local.body(r));
    // SAFETY: the handler returns DONE right away.
    unsafe { r.finalize(rc) };
    DONE
}

fn header_count(r: Request) -> i32 {
    wick_native::headers::each(r, wick_native::headers::Side::Request).count() as i32
}
