//! nginx's balancer hooks for upstreams of `stream`, with the filters of the session's server behind them.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_conf_t, ngx_int_t, ngx_peer_connection_t, ngx_str_t, ngx_stream_session_t,
    ngx_stream_upstream_srv_conf_t, ngx_uint_t,
};
use wick_native::bits;
use wick_native::code::{BUSY, ERROR, OK};
use wick_native::guard::guard;
use wick_native::stream::init_round_robin;
use wick_native::stream::session::Session;

use super::conf::{chain_of, of_upstream};
use super::ending;
use super::selection::Selection;
use crate::attempts::choice::Choice;
use crate::attempts::peer::Serving;
use crate::upstream::ask::Pick;
use crate::worker::Worker;

/// The hook of an upstream with `wasm_upstream_select`: round robin first, which serves where there is no filter, then ours.
pub unsafe extern "C" fn init_upstream(
    cf: *mut ngx_conf_t,
    upstream: *mut ngx_stream_upstream_srv_conf_t,
) -> ngx_int_t {
    // SAFETY: nginx passes live configurations; ours was filled by the directive that set this hook.
    guard(ERROR, || unsafe {
        let rc = init_round_robin(cf, upstream);
        if rc == OK {
            (*of_upstream(upstream)).init = (*upstream).peer.init;
            (*upstream).peer.init = Some(init_peer);
        }
        rc
    })
}

/// A session begins to use the upstream.
unsafe extern "C" fn init_peer(
    s: *mut ngx_stream_session_t,
    upstream: *mut ngx_stream_upstream_srv_conf_t,
) -> ngx_int_t {
    // SAFETY: a live session with an upstream; ours was filled by `init_upstream`.
    guard(ERROR, || unsafe {
        let conf = &*of_upstream(upstream);
        let session = Session::from_raw(s);
        let chain = chain_of(session).and_then(|chain| Some((chain, Worker::of(chain)?)));
        let Some((chain, worker)) = chain else {
            return conf.init.map_or(ERROR, |init| init(s, upstream));
        };
        let selection = Selection::new(worker, session, chain, &conf.upstream);
        match session.pool().put(selection) {
            Some(selection) => install(session, selection, conf.upstream.max_tries),
            None => ERROR,
        }
    })
}

unsafe fn install(session: Session, selection: NonNull<Selection>, max_tries: usize) -> ngx_int_t {
    let Some(upstream) = session.upstream() else { return ERROR };
    // SAFETY: called while nginx sets the session's upstream up; nothing else refers to its connection yet.
    let connection = unsafe { &mut (*upstream.as_ptr()).peer };
    connection.data = selection.as_ptr().cast();
    connection.get = Some(get_peer);
    connection.free = Some(free_peer);
    connection.notify = None;
    connection.set_session = Some(no_session);
    connection.save_session = Some(keep_no_session);
    connection.tries = max_tries;
    OK
}

/// Chooses the peer of one attempt.
unsafe extern "C" fn get_peer(
    connection: *mut ngx_peer_connection_t,
    data: *mut c_void,
) -> ngx_int_t {
    // SAFETY: `data` is what `install` put there. The connection is a part of the session's upstream.
    guard(ERROR, || unsafe {
        match Selection::of(data).asking().pick() {
            Pick::Chosen(choice) => {
                Choice::fill(choice, &mut *connection);
                bits::peer::CACHED.set(connection, 0);
                (*connection).connection = null_mut();
                OK
            }
            Pick::Respond(_) | Pick::None => refuse(&mut *connection),
        }
    })
}

struct Shared(ngx_str_t);
// SAFETY: never changed.
unsafe impl Sync for Shared {}
static NO_PEER: Shared = Shared(ngx_str_t { len: 11, data: b"no endpoint".as_ptr().cast_mut() });

/// nginx closes the session, with a line in the log: there is nobody else whom it could be handed to.
fn refuse(connection: &mut ngx_peer_connection_t) -> ngx_int_t {
    connection.sockaddr = null_mut();
    connection.name = (&raw const NO_PEER.0).cast_mut();
    connection.connection = null_mut();
    connection.tries = 0;
    BUSY
}

/// The attempt is over: nobody listens there, or the session has ended.
unsafe extern "C" fn free_peer(
    connection: *mut ngx_peer_connection_t,
    data: *mut c_void,
    state: ngx_uint_t,
) {
    // SAFETY: as for `get_peer`.
    guard((), || unsafe {
        let selection = Selection::of(data);
        if let Serving::Filter { .. } = selection.peer.serving.get() {
            selection.asking().inform(|| ending::of(selection.session, state));
        }
        (*connection).tries = (*connection).tries.saturating_sub(1);
    })
}

/// Each handshake with an endpoint is a whole one.
unsafe extern "C" fn no_session(_: *mut ngx_peer_connection_t, _: *mut c_void) -> ngx_int_t {
    OK
}

unsafe extern "C" fn keep_no_session(_: *mut ngx_peer_connection_t, _: *mut c_void) {}
