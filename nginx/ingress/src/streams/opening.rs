//! What clients of some ports send before all else: a PROXY header, which nginx reads where its configuration says so, this where the record does;
//! and the ClientHello whose server name says which Service they want.
//!
//! What the client sends is looked at until it is whole, or says enough. A header is nginx's own parser's then; a ClientHello stays where it is, for
//! the endpoint. The session's phases begin anew: so nginx takes the client's address from the header where the configuration trusts whoever sent
//! it. Without what it lacks the session goes on to be refused.

use ngx::ffi::{
    NGX_USE_CLEAR_EVENT, ngx_connection_t, ngx_event_flags, ngx_event_t, ngx_handle_read_event,
    ngx_int_t, ngx_stream_session_t,
};
use wick_native::bits;
use wick_native::code::{DONE, OK};
use wick_native::connection::Peeked;
use wick_native::event;
use wick_native::guard::guard;
use wick_native::stream::session::Session;
use wick_tls::{ClientHello, MAX_NAME_BYTES, ProxyHeader};

use super::session::{Awaited, Kept, kept};
use crate::proxy_header;

/// As nginx has it: longer headers are none.
const MAX_HEADER_BYTES: usize = 4096;
/// A server name that has not come with this much does not count.
const MAX_HELLO_BYTES: usize = 16 << 10;

/// Of `proxy-protocol-header-timeout` in ingress-nginx.
const DEFAULT_TIMEOUT_MS: u32 = 5_000;
/// Of nginx's `preread_timeout`.
const HELLO_TIMEOUT_MS: u32 = 30_000;

/// In the phase in which the session has arrived; what it returns ends the phases for now.
pub fn begin(s: Session, kept: &Kept, awaited: Awaited) -> ngx_int_t {
    let event = s.connection().read_event();
    kept.note(awaited);
    // SAFETY: the read event of a live session, which nothing else waits for.
    unsafe {
        kept.resume.set((*event).handler);
        (*event).handler = Some(read);
        // What nginx has not heard of yet it would not read.
        match bits::event::READY.is_set(event) {
            true => go_on(s, kept),
            false => wait(s, kept),
        }
    }
    DONE
}

/// Something came, or the time is over, or nginx wants the connection closed.
unsafe extern "C" fn read(event: *mut ngx_event_t) {
    // SAFETY: the read event of a session that waits here. It is not used again once the session has gone on.
    unsafe {
        let c = (*event).data.cast::<ngx_connection_t>();
        let s = Session::from_raw((*c).data.cast::<ngx_stream_session_t>());
        let Some(kept) = kept(s) else { return };
        let is_over = bits::event::TIMEDOUT.is_set(event) || bits::connection::CLOSE.is_set(c);
        if is_over { resume(s, kept) } else { go_on(s, kept) }
    }
}

/// # Safety
/// The session waits here.
unsafe fn go_on(s: Session, kept: &Kept) {
    let progress = guard(Progress::Over, || look(s, kept));
    // SAFETY: the caller's promise.
    unsafe {
        match progress {
            Progress::Over => resume(s, kept),
            Progress::Waits => wait(s, kept),
        }
    }
}

enum Progress {
    /// The header was read, or will not come.
    Over,
    Waits,
}

fn look(s: Session, kept: &Kept) -> Progress {
    match kept.had() {
        Some(Awaited::ClientHello) => look_for_name(s, kept),
        _ => look_for_header(s),
    }
}

fn look_for_header(s: Session) -> Progress {
    let mut buffer = [0; MAX_HEADER_BYTES];
    let n = match s.connection().peek(&mut buffer) {
        Peeked::Nothing => return Progress::Waits,
        Peeked::End => return Progress::Over,
        Peeked::Bytes(n) => n,
    };
    match ProxyHeader::read(&buffer[..n]) {
        // Without it the session is refused.
        ProxyHeader::Whole(len) if len <= n => {
            let _ = proxy_header::take(s.connection(), &mut buffer[..len]);
        }
        ProxyHeader::Partial if n < MAX_HEADER_BYTES && is_more_to_come(s) => {
            return Progress::Waits;
        }
        _ => {}
    }
    Progress::Over
}

fn look_for_name(s: Session, kept: &Kept) -> Progress {
    let mut buffer = [0; MAX_HELLO_BYTES];
    let n = match s.connection().peek(&mut buffer) {
        Peeked::Nothing => return Progress::Waits,
        Peeked::End => return Progress::Over,
        Peeked::Bytes(n) => n,
    };
    let mut name = [0; MAX_NAME_BYTES];
    let name = match ClientHello::read(&buffer[..n], &mut name) {
        ClientHello::Named(name) => Some(name),
        ClientHello::Partial if n < MAX_HELLO_BYTES && is_more_to_come(s) => {
            return Progress::Waits;
        }
        _ => None,
    };
    kept.name.set(kept.ready().and_then(|ready| ready.stream.names.find(name)));
    Progress::Over
}

/// Whether an event will tell of more. Others than edge-triggered ones come again and again for what is only looked at.
fn is_more_to_come(s: Session) -> bool {
    // SAFETY: a live session's event; set once when nginx starts.
    unsafe {
        let is_at_end = bits::event::PENDING_EOF.is_set(s.connection().read_event());
        !is_at_end && ngx_event_flags & NGX_USE_CLEAR_EVENT as usize != 0
    }
}

/// Until more has come: a peek leaves the socket as full as it was.
///
/// # Safety
/// The session waits here.
unsafe fn wait(s: Session, kept: &Kept) {
    let event = s.connection().read_event();
    let timeout_ms = match kept.had() {
        Some(Awaited::ClientHello) => HELLO_TIMEOUT_MS,
        _ => kept
            .ready()
            .and_then(|ready| ready.stream.proxy_protocol_timeout_ms)
            .unwrap_or(DEFAULT_TIMEOUT_MS),
    };
    // SAFETY: the caller's promise.
    unsafe {
        bits::event::READY.set(event, 0);
        if !bits::event::TIMER_SET.is_set(event) {
            event::set_timer(event, timeout_ms as usize);
        }
        if ngx_handle_read_event(event, 0) != OK {
            resume(s, kept);
        }
    }
}

/// # Safety
/// The session waits here. It may be gone afterwards.
unsafe fn resume(s: Session, kept: &Kept) {
    let event = s.connection().read_event();
    let handler = kept.resume.get();
    s.begin_again();
    // SAFETY: the caller's promise; nginx's own handler, which runs the phases.
    unsafe {
        event::stop_timer(event);
        (*event).handler = handler;
        if let Some(handler) = handler {
            handler(event);
        }
    }
}
