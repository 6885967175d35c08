//! What became of an attempt, read from nginx's own state when it frees the peer.

use ngx::ffi::{NGX_PEER_FAILED, NGX_PEER_NEXT, ngx_http_upstream_t, ngx_uint_t};
use wick_abi::attempt::{NO_TIME, Outcome};
use wick_native::bits;

use super::retry;
use super::selection::Selection;
use crate::upstream::ending::{Ending, UNKNOWN, nanoseconds};

/// Of the attempt that nginx ends with `state`.
pub fn of(selection: &Selection, state: ngx_uint_t) -> Ending {
    let Some(upstream) = selection.request.upstream() else { return Ending::UNUSED };
    // SAFETY: the live request's upstream; nginx makes its state before it asks for a peer.
    let (upstream, times) = unsafe { (upstream.as_ref(), &*upstream.as_ref().state) };
    let gave_up = state & (NGX_PEER_FAILED | NGX_PEER_NEXT) as usize != 0;
    let has_head = times.header_time != UNKNOWN;
    let counts_as_failed = || !selection.accepted.get() && retry::is_failure(selection.request);
    let failed = gave_up || (has_head && counts_as_failed());
    let is_connected = has_head || is_connected(upstream);
    Ending {
        failed,
        outcome: match (has_head, failed) {
            (true, false) => Outcome::Answered,
            (true, true) => Outcome::FailedStatus,
            (false, false) => Outcome::Inconclusive,
            (false, true) if was_kept_too_long(upstream) => Outcome::Inconclusive,
            (false, true) if is_connected => Outcome::NoHead,
            (false, true) => Outcome::NotConnected,
        },
        status: if has_head { times.status as u32 } else { 0 },
        connect_time: if is_connected { nanoseconds(times.connect_time) } else { NO_TIME },
        first_byte_time: match selection.was_kept_in_memory() {
            true => nanoseconds(times.header_time),
            false => selection.peer.stopwatch.read(),
        },
    }
}

/// Whether nginx got as far as sending. Its connect time does not tell: it is set before the connection is checked.
/// `request_sent` is that of an earlier attempt when connecting failed at once; then there is no connection.
fn is_connected(upstream: &ngx_http_upstream_t) -> bool {
    // SAFETY: a live upstream.
    !upstream.peer.connection.is_null() && unsafe { bits::upstream::REQUEST_SENT.is_set(upstream) }
}

/// Whether the peer had closed a kept connection before it saw the request: the same as for nginx, which does not count
/// the try.
fn was_kept_too_long(upstream: &ngx_http_upstream_t) -> bool {
    // SAFETY: the connection, when there is one, is live with its events; so is the state.
    unsafe {
        let Some(connection) = upstream.peer.connection.as_ref() else { return false };
        let timed_out = bits::event::TIMEDOUT.is_set(connection.read)
            || bits::event::TIMEDOUT.is_set(connection.write);
        bits::peer::CACHED.is_set(&upstream.peer)
            && (*upstream.state).bytes_received == 0
            && !timed_out
    }
}
