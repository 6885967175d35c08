//! The directive `ingress_plain_http2` of a server block: HTTP/2 beside HTTP/1.1 on its ports without TLS, for clients that begin with it.
//!
//! Since 1.25.1 nginx does so itself where `http2` is on, and the directive does nothing. Before, a port speaks one of the two: here the first
//! bytes of a connection are looked at, and left where they are; what begins as HTTP/2 (RFC 9113, 3.4) is nginx's own HTTP/2 from there on, and
//! everything else HTTP/1.1, as if nothing had been there.

use ngx::ffi::{
    NGX_CONF_NOARGS, NGX_HTTP_SRV_CONF, nginx_version, ngx_connection_t, ngx_cycle_t, ngx_event_t,
    ngx_http_addr_conf_t, ngx_http_close_connection, ngx_http_init_connection, ngx_http_v2_init,
};
use wick_native::bits;
use wick_native::conf::{Answer, CONF_OK, Conf, refuse};
use wick_native::connection::{Connection, Peeked};
use wick_native::guard::guard;
use wick_native::http_module;
use wick_native::module::ModuleIndex;

use crate::http_listeners::{addresses, all, begin, is_http, of_connection, wait_for_more};

static MODULE: ModuleIndex = ModuleIndex::unset();

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_plain_http2": NGX_HTTP_SRV_CONF | NGX_CONF_NOARGS, srv_conf => ingress_plain_http2;
    }
    srv_conf: SrvConf,
    init_module: take_listeners,
}

/// What the module keeps per server block.
#[derive(Default)]
struct SrvConf {
    is_on: bool,
}

/// By which every client of HTTP/2 begins.
const PREFACE: &[u8] = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

/// From this version on nginx looks itself.
const LOOKS_ITSELF: u32 = 1_025_001;

fn ingress_plain_http2(_: Conf, srv: &mut SrvConf) -> Answer {
    if std::mem::replace(&mut srv.is_on, true) { refuse(c"is duplicate") } else { CONF_OK }
}

/// Puts ours in the place of HTTP's handler, once all listeners are there, those of `reuseport` among them.
///
/// # Safety
/// `cycle` comes into force.
unsafe fn take_listeners(cycle: *mut ngx_cycle_t) {
    if nginx_version >= LOOKS_ITSELF {
        return;
    }
    // SAFETY: the caller's promise.
    unsafe {
        for ls in all(cycle).filter(|ls| is_http(*ls)) {
            if addresses(ls).all(|conf| is_wanted(conf)) {
                (*ls).handler = Some(accepted);
            }
        }
    }
}

/// Whether connections of an address are looked at. Behind a PROXY header they are not.
///
/// # Safety
/// The configuration of `conf` was read.
unsafe fn is_wanted(conf: &ngx_http_addr_conf_t) -> bool {
    use bits::ngx_http_addr_conf_s::{PROXY_PROTOCOL, SSL};
    // SAFETY: every server block has what create_srv_conf returned.
    unsafe {
        let ctx = (*conf.default_server).ctx;
        let is_on = (*(*(*ctx).srv_conf.add(MODULE.get())).cast::<SrvConf>()).is_on;
        is_on && !SSL.is_set(conf) && !PROXY_PROTOCOL.is_set(conf)
    }
}

/// What listeners call in the place of `ngx_http_init_connection`, which goes about a connection in the same way.
unsafe extern "C" fn accepted(c: *mut ngx_connection_t) {
    // SAFETY: nginx calls with a connection of a listener that was taken over, which only this function knows of yet.
    unsafe { begin(c, read, || wait(c), || go_on(c)) }
}

/// Something came, or the time is over, or nginx wants the connection closed.
unsafe extern "C" fn read(event: *mut ngx_event_t) {
    // SAFETY: the read event of a connection that waits here. It is not used again once it was handed on.
    unsafe {
        let c = (*event).data.cast::<ngx_connection_t>();
        if bits::event::TIMEDOUT.is_set(event) || bits::connection::CLOSE.is_set(c) {
            ngx_http_close_connection(c);
        } else {
            go_on(c);
        }
    }
}

/// What a connection has begun with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Beginning {
    /// That of HTTP/2, so far.
    Part,
    Http2,
    /// Anything else, or nothing that will be followed by more.
    Other,
}

/// # Safety
/// The connection waits here; afterwards it may belong to somebody else.
unsafe fn go_on(c: *mut ngx_connection_t) {
    // SAFETY: the caller's promise.
    unsafe {
        match guard(Beginning::Other, || beginning(Connection::from_raw(c))) {
            Beginning::Part => wait(c),
            Beginning::Http2 => begin_http2(c),
            Beginning::Other => ngx_http_init_connection(c),
        }
    }
}

fn beginning(connection: Connection) -> Beginning {
    let mut buffer = [0; PREFACE.len()];
    match connection.peek(&mut buffer) {
        Peeked::Nothing => Beginning::Part,
        Peeked::End => Beginning::Other,
        Peeked::Bytes(n) if !PREFACE.starts_with(&buffer[..n]) => Beginning::Other,
        Peeked::Bytes(n) if n == PREFACE.len() => Beginning::Http2,
        // SAFETY: an open connection.
        _ if unsafe { bits::event::PENDING_EOF.is_set(connection.read_event()) } => {
            Beginning::Other
        }
        _ => Beginning::Part,
    }
}

/// # Safety
/// As [`go_on`].
unsafe fn wait(c: *mut ngx_connection_t) {
    // SAFETY: the caller's promise; every address has a default server.
    unsafe {
        let timeout_ms = of_connection(c)
            .map_or(usize::MAX >> 1, |conf| (*conf.default_server).client_header_timeout);
        wait_for_more(c, timeout_ms);
    }
}

/// As nginx begins on a port of HTTP/2: what it has set up for a connection without anything in it waits for HTTP/2 instead.
///
/// # Safety
/// As [`go_on`].
unsafe fn begin_http2(c: *mut ngx_connection_t) {
    // SAFETY: the caller's promise. Without something to read `ngx_http_init_connection` waits, or has closed the connection.
    unsafe {
        let event = (*c).read;
        bits::event::READY.set(event, 0);
        ngx_http_init_connection(c);
        if (*c).fd == -1 {
            return;
        }
        bits::event::READY.set(event, 1);
        (*event).handler = Some(ngx_http_v2_init);
        ngx_http_v2_init(event);
    }
}
