//! How a connection begins, and who serves it: HTTP, as if nothing had been there, or the stream module.
//!
//! What the client sends is only looked at. A connection that is HTTP's is handed to it with all of that unread, so that
//! nginx answers whatever it is as it always would; one that is a passthrough's, or a stream's, becomes one of the stream
//! module's listener, with the name of its backend, or with the address that it came in at.

use ngx::ffi::{
    NGX_LOG_INFO, ngx_connection_t, ngx_event_t, ngx_http_addr_conf_t, ngx_http_close_connection,
    ngx_http_init_connection, ngx_inet_get_port, ngx_proxy_protocol_t, ngx_reusable_connection,
};
use wick_native::bits;
use wick_native::connection::{Connection, Peeked};
use wick_native::event;
use wick_native::guard::guard;
use wick_native::log;
use wick_tls::{ClientHello, MAX_NAME_BYTES, ProxyHeader};

use super::conf::Passthroughs;
use super::destination::Destination;
use super::streams::SharedPort;
use super::{handed, listeners};
use crate::http_listeners::{begin, wait_for_more};
use crate::proxy_header;

/// A server name that has not come with this much, a PROXY header included, does not count.
const MAX_PEEKED_BYTES: usize = 16 << 10;

/// What a connection waits for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    ProxyHeader,
    ClientHello,
}

enum Verdict {
    Wait(Stage),
    Http,
    Stream {
        to: Destination,
        /// In front of the ClientHello.
        proxy_header_bytes: usize,
    },
}

/// A connection, and what holds where it was accepted.
#[derive(Clone, Copy)]
struct Opening<'a> {
    connection: Connection<'a>,
    conf: &'a ngx_http_addr_conf_t,
    passthroughs: &'a Passthroughs,
    /// What its port shares with streams.
    port: Option<&'a SharedPort>,
}

/// What listeners call in the place of `ngx_http_init_connection`.
pub unsafe extern "C" fn accepted(c: *mut ngx_connection_t) {
    // SAFETY: nginx calls with a connection of a listener that was taken over, which only this function knows of yet.
    unsafe {
        match guard(None, || Opening::of(c)) {
            Some(opening) => {
                let stage = opening.first_stage();
                begin(c, handler(stage), || opening.wait(stage), || opening.go_on(stage));
            }
            None => ngx_http_init_connection(c),
        }
    }
}

unsafe extern "C" fn read_proxy_header(event: *mut ngx_event_t) {
    // SAFETY: the read event of a connection that waits for this.
    unsafe { on_event(event, Stage::ProxyHeader) }
}

unsafe extern "C" fn read_client_hello(event: *mut ngx_event_t) {
    // SAFETY: as above.
    unsafe { on_event(event, Stage::ClientHello) }
}

/// Something came, or the time is over, or nginx wants the connection closed.
unsafe fn on_event(event: *mut ngx_event_t, stage: Stage) {
    // SAFETY: the read event of a connection that waits in this stage. It is not used again once it was handed on.
    unsafe {
        let c = (*event).data.cast::<ngx_connection_t>();
        if bits::event::TIMEDOUT.is_set(event) {
            guard((), || log_timeout(Connection::from_raw(c), stage));
            ngx_http_close_connection(c);
        } else if bits::connection::CLOSE.is_set(c) {
            ngx_http_close_connection(c);
        } else {
            match guard(None, || Opening::of(c)) {
                Some(opening) => opening.go_on(stage),
                None => ngx_http_init_connection(c),
            }
        }
    }
}

fn log_timeout(connection: Connection, stage: Stage) {
    let peer = connection.peer().escape_ascii();
    let what = match stage {
        Stage::ProxyHeader => "PROXY header",
        Stage::ClientHello => "ClientHello",
    };
    let line = format_args!("client timed out while its {what} was awaited, client: {peer}");
    log::write(connection.log(), NGX_LOG_INFO as usize, line);
}

impl<'a> Opening<'a> {
    /// `None`: nobody wants to know.
    ///
    /// # Safety
    /// `c` is an open connection of a listener that was taken over.
    #[inline]
    unsafe fn of(c: *mut ngx_connection_t) -> Option<Opening<'a>> {
        // SAFETY: the caller's promise.
        let (conf, passthroughs) = unsafe { listeners::of_connection(c)? };
        // SAFETY: as above.
        let (connection, number) =
            unsafe { (Connection::from_raw(c), ngx_inet_get_port((*(*c).listening).sockaddr)) };
        let port = passthroughs.port(number);
        let is_wanted = port.is_some() || !passthroughs.is_empty();
        is_wanted.then_some(Opening { connection, conf, passthroughs, port })
    }

    fn first_stage(self) -> Stage {
        // SAFETY: the configuration of the address, which outlives the connection.
        match unsafe { bits::ngx_http_addr_conf_s::PROXY_PROTOCOL.is_set(self.conf) } {
            true => Stage::ProxyHeader,
            false => Stage::ClientHello,
        }
    }

    unsafe fn go_on(self, stage: Stage) {
        let verdict = guard(Verdict::Http, || self.verdict());
        let (c, event) = (self.connection.as_ptr(), self.connection.read_event());
        // SAFETY: an open connection that waits; after each of these it belongs to somebody else.
        unsafe {
            match verdict {
                Verdict::Wait(next) => {
                    if next != stage {
                        event::stop_timer(event);
                    }
                    self.wait(next);
                }
                // The timer goes on: nginx's time for the head of a request begins with the connection.
                Verdict::Http => ngx_http_init_connection(c),
                Verdict::Stream { to, proxy_header_bytes } => {
                    let ready = guard(None, || {
                        self.take_proxy_header(proxy_header_bytes)?;
                        self.note(&to)
                    });
                    match ready {
                        Some(()) => self.to_stream(),
                        None => ngx_http_close_connection(c),
                    }
                }
            }
        }
    }

    unsafe fn wait(self, stage: Stage) {
        let (c, event) = (self.connection.as_ptr(), self.connection.read_event());
        let timeout_ms = match stage {
            Stage::ProxyHeader => self.passthroughs.proxy_protocol_timeout_ms,
            // SAFETY: every address has a default server.
            Stage::ClientHello => unsafe { (*self.conf.default_server).client_header_timeout },
        };
        // SAFETY: an open connection.
        unsafe {
            (*event).handler = Some(handler(stage));
            wait_for_more(c, timeout_ms);
        }
    }

    /// By what lies in the socket.
    fn verdict(self) -> Verdict {
        let mut buffer = self.passthroughs.peeked.borrow_mut();
        buffer.resize(MAX_PEEKED_BYTES, 0);
        match self.connection.peek(&mut buffer) {
            Peeked::Nothing => Verdict::Wait(self.first_stage()),
            Peeked::End => Verdict::Http,
            Peeked::Bytes(n) => match self.verdict_on(&buffer[..n]) {
                Verdict::Wait(_) if n == MAX_PEEKED_BYTES || self.is_at_end() => Verdict::Http,
                verdict => verdict,
            },
        }
    }

    fn verdict_on(self, bytes: &[u8]) -> Verdict {
        let proxy_header_bytes = match self.first_stage() {
            Stage::ClientHello => 0,
            Stage::ProxyHeader => match ProxyHeader::read(bytes) {
                ProxyHeader::Whole(len) => len,
                ProxyHeader::Partial => return Verdict::Wait(Stage::ProxyHeader),
                ProxyHeader::Foreign => return Verdict::Http,
            },
        };
        match ClientHello::read(&bytes[proxy_header_bytes..], &mut [0; MAX_NAME_BYTES]) {
            ClientHello::Named(name) => self.verdict_by(Some(name), proxy_header_bytes),
            ClientHello::Nameless => self.verdict_by(None, proxy_header_bytes),
            ClientHello::Partial => Verdict::Wait(Stage::ClientHello),
            ClientHello::Foreign => Verdict::Http,
        }
    }

    /// `name`: what the client asks for, if anything.
    fn verdict_by(self, name: Option<&[u8]>, proxy_header_bytes: usize) -> Verdict {
        match Destination::of(self.connection, self.passthroughs, self.port, name) {
            Some(to) => Verdict::Stream { to, proxy_header_bytes },
            None => Verdict::Http,
        }
    }

    /// The client sends no more: no event will come.
    fn is_at_end(self) -> bool {
        // SAFETY: an open connection.
        unsafe { bits::event::PENDING_EOF.is_set(self.connection.read_event()) }
    }

    /// The header was peeked at just now. `None`: it cannot be had.
    fn take_proxy_header(self, len: usize) -> Option<()> {
        if len == 0 {
            return Some(());
        }
        proxy_header::take(self.connection, &mut self.passthroughs.peeked.borrow_mut()[..len])
    }

    /// Says where the connection goes, and in the words of the PROXY protocol where it comes from. `None`: out of memory.
    fn note(self, to: &Destination) -> Option<()> {
        let (c, pool) = (self.connection.as_ptr(), self.connection.pool());
        // SAFETY: an open connection; what it gets is allocated in its own pool.
        unsafe {
            if (*c).proxy_protocol.is_null() {
                let client = pool.zeroed::<ngx_proxy_protocol_t>()?.as_ptr();
                (*client).src_addr = (*c).addr_text;
                (*client).src_port = ngx_inet_get_port((*c).sockaddr);
                (*c).proxy_protocol = client;
            }
        }
        match to {
            Destination::Backend(backend) => handed::to_backend(self.connection, backend),
            Destination::Stream(at) => handed::to_stream(self.connection, *at),
        }
    }

    /// As if the stream module's listener had accepted the connection.
    unsafe fn to_stream(self) {
        let (c, event) = (self.connection.as_ptr(), self.connection.read_event());
        let stream = self.passthroughs.stream.get();
        // SAFETY: an open connection that nobody else has; the listener belongs to the configuration of this worker. It
        // looks its server up by `local_sockaddr`, so that has to be of its own family.
        unsafe {
            event::stop_timer(event);
            ngx_reusable_connection(c, 0);
            (*c).listening = stream;
            (*c).local_sockaddr = (*stream).sockaddr;
            (*c).local_socklen = (*stream).socklen;
            match (*stream).handler {
                Some(handler) => handler(c),
                None => ngx_http_close_connection(c),
            }
        }
    }
}

fn handler(stage: Stage) -> unsafe extern "C" fn(*mut ngx_event_t) {
    match stage {
        Stage::ProxyHeader => read_proxy_header,
        Stage::ClientHello => read_client_hello,
    }
}
