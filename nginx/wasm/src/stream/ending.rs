//! What became of an attempt, read from nginx's own state when it frees the peer: of one that connected when the session is over.

use ngx::ffi::{NGX_PEER_FAILED, ngx_uint_t};
use wick_abi::attempt::{NO_TIME, Outcome};
use wick_native::stream::session::Session;

use crate::upstream::ending::{Ending, UNKNOWN, nanoseconds};

/// Of the attempt that nginx ends with `state`.
pub fn of(session: Session<'_>, state: ngx_uint_t) -> Ending {
    let Some(upstream) = session.upstream() else { return Ending::UNUSED };
    // SAFETY: the live session's upstream; nginx makes its state before it asks for a peer.
    let (upstream, times) = unsafe { (upstream.as_ref(), &*upstream.as_ref().state) };
    let failed = state & NGX_PEER_FAILED as usize != 0;
    let is_connected = times.connect_time != UNKNOWN;
    // Its end alone has a first byte time, too.
    let has_answered = upstream.received > 0;
    Ending {
        failed,
        outcome: match (failed, is_connected) {
            (true, false) => Outcome::NotConnected,
            (true, true) => Outcome::NoHead,
            (false, _) if has_answered => Outcome::Answered,
            // A client that goes away says nothing about the endpoint.
            (false, _) => Outcome::Inconclusive,
        },
        status: 0,
        connect_time: nanoseconds(times.connect_time),
        first_byte_time: if has_answered { nanoseconds(times.first_byte_time) } else { NO_TIME },
    }
}
