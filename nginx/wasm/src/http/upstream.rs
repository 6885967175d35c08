//! Upstreams of HTTP: nginx's balancer hooks, with the filters of the request's location behind them.
//!
//! Nothing stands between nginx and us (`sole`), so our data is what nginx calls us with; everything else of the request
//! reaches a [`Selection`] through its [`State`] only.

mod destination;
mod ending;
mod error_page;
pub mod idle;
mod interned;
mod judge;
mod original;
mod retry;
pub mod selection;
pub mod sessions;
pub mod sole;
mod table;
mod transport;

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_conf_t, ngx_http_request_t, ngx_http_upstream_srv_conf_t, ngx_int_t, ngx_peer_connection_t,
    ngx_str_t, ngx_uint_t,
};
use wick_abi::{Callback, CallbackSet};
use wick_native::bits;
use wick_native::code::{DECLINED, DONE, ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::request::Request;

use self::error_page::ErrorPages;
use self::judge::asking;
use self::original::Original;
use self::selection::Selection;
use super::conf::{self, of_upstream};
use super::request::{Replacement, State};
use crate::attempts::choice::Choice;
use crate::attempts::peer::Serving;
use crate::host::local_response::LocalResponse;
use crate::upstream::ask::Pick;
use crate::worker::Worker;

/// The hook of an upstream with `wasm_upstream_select`: its own method first, then ours around it.
pub unsafe extern "C" fn init_upstream(
    cf: *mut ngx_conf_t,
    upstream: *mut ngx_http_upstream_srv_conf_t,
) -> ngx_int_t {
    // SAFETY: nginx passes live configurations; ours was filled by the directive that set this hook.
    guard(ERROR, || unsafe {
        let conf = &mut *of_upstream(upstream);
        let rc = conf.init_upstream.map_or(ERROR, |init| init(cf, upstream));
        if rc == OK {
            sole::keep_nothing(Conf::from_raw(cf), upstream);
            conf.init = (*upstream).peer.init;
            conf.block = upstream;
            conf.hook = Some(init_peer);
            (*upstream).peer.init = conf.hook;
        }
        rc
    })
}

/// A request begins to use the upstream. Without filters in its location the upstream's own method serves alone; otherwise
/// that is not asked to prepare anything before it is needed, which is rarely.
unsafe extern "C" fn init_peer(
    r: *mut ngx_http_request_t,
    upstream: *mut ngx_http_upstream_srv_conf_t,
) -> ngx_int_t {
    // SAFETY: a live request with an upstream; ours was filled by `init_upstream`.
    guard(ERROR, || unsafe {
        let conf = &*of_upstream(upstream);
        let r = Request::from_raw(r);
        let chain = conf::chain_of(r).and_then(|chain| Some((chain, Worker::of(chain)?)));
        let Some((chain, worker)) = chain else {
            return conf.init.map_or(ERROR, |init| init(r.as_ptr(), upstream));
        };
        let Some(selection) = Selection::new(worker, r, chain, conf) else { return ERROR };
        let Some(selection) = r.pool().put(selection) else { return ERROR };
        install(r, selection, conf.upstream.max_tries);
        if worker.environment.wants(chain, CallbackSet::NONE.with(Callback::NextUpstream)) {
            let Some(state) = State::of(r, chain, worker) else { return ERROR };
            judge::install(state, selection);
        }
        OK
    })
}

/// # Safety
/// `data` is the Selection that `install` put there, and its request lives for `'r`.
unsafe fn selection_of<'r>(data: *mut c_void) -> &'r Selection<'r> {
    // SAFETY: the caller's promise; it lives as long as the request.
    unsafe { &*data.cast::<Selection<'r>>() }
}

unsafe fn install(r: Request, selection: NonNull<Selection>, max_tries: usize) {
    // SAFETY: called while nginx sets the request's upstream up.
    unsafe {
        let Some(upstream) = r.upstream() else { return };
        let connection = &mut (*upstream.as_ptr()).peer; // nothing else refers to it yet
        connection.data = selection.as_ptr().cast();
        connection.get = Some(get_peer);
        connection.free = Some(free_peer);
        connection.set_session = Some(set_session);
        connection.save_session = Some(save_session);
        connection.tries = max_tries;
    }
}

/// Chooses the peer of one attempt.
unsafe extern "C" fn get_peer(
    connection: *mut ngx_peer_connection_t,
    data: *mut c_void,
) -> ngx_int_t {
    // SAFETY: `data` is what `install` put there.
    guard(ERROR, || unsafe {
        let selection = selection_of(data);
        let asking = asking(selection);
        selection.begin();
        #[cfg(feature = "measure")]
        crate::measure::measured("select", || {
            drop(asking.pick());
            asking.peer.rewind();
        });
        let picked = asking.pick();
        selection.shorten();
        match picked {
            Pick::Chosen(choice) => {
                if asking.wants_times() {
                    measure(selection);
                }
                connect(connection, selection, choice)
            }
            Pick::Respond(local) => refuse(connection, selection, local),
            Pick::None => match selection.original() {
                Some(original) => original.get.map_or(ERROR, |get| get(connection, original.data)),
                None => ERROR,
            },
        }
    })
}

/// Starts the stopwatch, which the head of the response stops.
fn measure(selection: &Selection<'_>) {
    let Selection { request, peer, worker, .. } = selection;
    if let Some(state) = State::of(*request, peer.chain, worker) {
        state.selection.set(selection);
        peer.stopwatch.start();
    }
}

/// nginx connects, or goes on with a connection that waits.
///
/// # Safety
/// `connection` is the peer's, which nginx asks for. It is a part of the request's upstream, to which others refer, too.
unsafe fn connect(
    connection: *mut ngx_peer_connection_t,
    selection: &Selection,
    choice: NonNull<Choice>,
) -> ngx_int_t {
    // SAFETY: the caller's promise; choices live as long as the request.
    unsafe {
        Choice::fill(choice, &mut *connection);
        selection.settle(choice.as_ref().target.address);
        let log = (*connection).log;
        let waiting = selection.idle().and_then(|(idle, to)| idle.take(&to, log));
        bits::peer::CACHED.set(connection, waiting.is_some().into());
        (*connection).connection = waiting.map_or(null_mut(), NonNull::as_ptr);
        if waiting.is_some() { DONE } else { OK }
    }
}

struct Shared(ngx_str_t);
// SAFETY: never changed.
unsafe impl Sync for Shared {}
static NO_PEER: Shared = Shared(ngx_str_t { len: 14, data: b"local response".as_ptr().cast_mut() });

/// Ends the request without a connection: nginx makes it a 502 without a log line. Our filters put the answer in its place, as
/// it is; or, where the filter only names an error, the location's page for that takes the place of the one for 502.
///
/// # Safety
/// As for [`connect`].
unsafe fn refuse(
    connection: *mut ngx_peer_connection_t,
    selection: &Selection<'_>,
    local: LocalResponse,
) -> ngx_int_t {
    let Selection { request, peer, worker, .. } = selection;
    let r = *request;
    let is_empty = local.body(r).is_empty() && local.headers(r).next().is_none();
    let is_bare = local.status(r) >= 400 && is_empty;
    let pages = worker.keep::<ErrorPages>();
    if !is_bare || pages.use_for(r, local.status(r)).is_none() {
        let Some(state) = State::of(r, peer.chain, worker) else { return ERROR };
        state.replacement.set(Replacement::Wanted(local));
        // SAFETY: the live request of this peer.
        unsafe { bits::request::ERROR_PAGE.set(r.as_ptr(), 1) };
    }
    // SAFETY: the caller's promise; nothing else refers to it here.
    let connection = unsafe { &mut *connection };
    connection.sockaddr = null_mut();
    connection.name = (&raw const NO_PEER.0).cast_mut();
    connection.connection = null_mut();
    // SAFETY: as in `connect`.
    unsafe { bits::peer::CACHED.set(connection, 0) };
    connection.tries = 0;
    DECLINED
}

/// The attempt is over.
unsafe extern "C" fn free_peer(
    connection: *mut ngx_peer_connection_t,
    data: *mut c_void,
    state: ngx_uint_t,
) {
    // SAFETY: as for `get_peer`.
    guard((), || unsafe {
        let selection = selection_of(data);
        match selection.peer.serving.get() {
            Serving::Original => {
                if let Some(Original { free: Some(free), data, .. }) = selection.original() {
                    free(connection, data, state);
                }
                return;
            }
            Serving::Filter { .. } => {
                let asking = asking(selection);
                #[cfg(feature = "measure")]
                crate::measure::measured("info", || asking.inform(|| ending::of(selection, state)));
                asking.inform(|| ending::of(selection, state));
                selection.peer.stopwatch.stop();
            }
            Serving::Fallback => {}
        }
        (*connection).tries = (*connection).tries.saturating_sub(1);
        if let (Some((idle, to)), Some(upstream)) = (selection.idle(), selection.request.upstream())
        {
            idle.keep(to, connection, upstream.as_ptr(), state);
        }
    })
}

unsafe extern "C" fn set_session(
    connection: *mut ngx_peer_connection_t,
    data: *mut c_void,
) -> ngx_int_t {
    // SAFETY: as for `get_peer`; nginx prepares the connection's handshake.
    guard(OK, || unsafe {
        let selection = selection_of(data);
        if let Some((sessions, to)) = selection.sessions() {
            return sessions.offer(&to, (*connection).connection);
        }
        match selection.serving_original() {
            Some(Original { set_session: Some(set), data, .. }) => set(connection, data),
            _ => OK,
        }
    })
}

unsafe extern "C" fn save_session(connection: *mut ngx_peer_connection_t, data: *mut c_void) {
    // SAFETY: as for `get_peer`; the connection has a session to keep.
    guard((), || unsafe {
        let selection = selection_of(data);
        if let Some((sessions, to)) = selection.sessions() {
            return sessions.save(&to, (*connection).connection);
        }
        if let Some(Original { save_session: Some(save), data, .. }) = selection.serving_original()
        {
            save(connection, data);
        }
    })
}
