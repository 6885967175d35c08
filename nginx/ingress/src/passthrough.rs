//! The directive `ingress_passthrough ZONE unix:PATH [proxy_protocol_timeout=TIME] [tcp:PORT …]`: TLS connections that are handed on
//! as they are, by their server name, or by the stream that their address has.
//!
//! A module of its own: it comes before HTTP, where connections are accepted, and knows nothing of requests. What it
//! hands on is served by the stream module, whose listener it borrows.

mod conf;
mod destination;
mod handed;
mod listeners;
mod opening;
mod streams;

use std::ptr::NonNull;

use ngx::ffi::{NGX_CONF_2MORE, NGX_HTTP_SRV_CONF, NGX_LOG_EMERG, ngx_cycle_t, ngx_inet_get_port};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_time, refuse};
use wick_native::connection::Connection;
use wick_native::module::http_main_of_cycle;
use wick_native::zone::SharedZone;
use wick_native::{http_module, log};

use self::conf::{MODULE, MainConf, Passthroughs, SrvConf};
use self::destination::Destination;
pub use self::handed::{backend, stream_address};
use self::streams::SharedPort;
use crate::zone::check_declared;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_passthrough": NGX_HTTP_SRV_CONF | NGX_CONF_2MORE, srv_conf => ingress_passthrough;
    }
    main_conf: MainConf,
    srv_conf: SrvConf,
    init_module: take_listeners,
}

const TIMEOUT: &[u8] = b"proxy_protocol_timeout=";

/// Where records of streams lie (docs/wire.md 2).
const STREAMS: &[u8] = b"routes";

/// Of `proxy-protocol-header-timeout` in ingress-nginx.
const DEFAULT_PROXY_PROTOCOL_TIMEOUT_MS: usize = 5_000;

fn ingress_passthrough(conf: Conf, srv: &mut SrvConf) -> Answer {
    if srv.passthroughs.is_some() { refuse(c"is duplicate") } else { set(conf, srv) }
}

fn set(conf: Conf, srv: &mut SrvConf) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    let (timeouts, ports): (Vec<&[u8]>, Vec<&[u8]>) =
        words[3..].iter().partition(|word| word.starts_with(TIMEOUT));
    let timeout_ms = match timeouts[..] {
        [word] => parse_timeout(&word[TIMEOUT.len()..]),
        [] => Some(DEFAULT_PROXY_PROTOCOL_TIMEOUT_MS),
        _ => None,
    };
    let Some(timeout_ms) = timeout_ms else {
        return refuse(c"takes a proxy_protocol_timeout= of 1ms to 24d beside zone and listener");
    };
    if !words[2].starts_with(b"unix:") {
        return refuse(c"hands connections to a listener at unix:PATH");
    }
    let Some(zone) = SharedZone::refer(conf, words[1]) else { return CONF_ERROR };
    let Some(ports) = shared_ports(conf, &ports) else {
        return refuse(c"takes each port of streams once, as tcp:PORT");
    };
    srv.passthroughs = conf.pool().keep(Passthroughs::new(zone, words[2], timeout_ms, ports));
    let Some(passthroughs) = srv.passthroughs else { return CONF_ERROR };
    // SAFETY: the parser is inside `http`, and no other reference to the configuration is alive.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).0.push(passthroughs) };
    CONF_OK
}

/// `None`: a word is none, or nginx refuses the zone.
fn shared_ports(conf: Conf, words: &[&[u8]]) -> Option<Box<[SharedPort]>> {
    if words.is_empty() {
        return Some(Box::default());
    }
    let zone = SharedZone::refer(conf, STREAMS)?;
    let ports = words.iter().map(|word| SharedPort::read(word, zone));
    let ports = ports.collect::<Option<Box<[SharedPort]>>>()?;
    let is_twice = |nth: usize| ports[..nth].iter().any(|port| port.number == ports[nth].number);
    (!(0..ports.len()).any(is_twice)).then_some(ports)
}

/// Longer times overflow nginx's timers.
fn parse_timeout(word: &[u8]) -> Option<usize> {
    let ms = parse_time(word)?;
    (1..=i32::MAX as u64).contains(&ms).then_some(ms as usize)
}

/// Refuses a configuration whose passthroughs have no zone, no stream listener, or no connections.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn check(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise.
    let (all, log) = unsafe { (all(cycle), (*cycle).log) };
    for passthroughs in all {
        // SAFETY: they live as long as the configuration.
        let Passthroughs { zone, listener, .. } = unsafe { passthroughs.as_ref() };
        check_declared(log, "ingress_passthrough", *zone)?;
        // SAFETY: the caller's promise.
        let (has_stream, has_own) = unsafe {
            let has_stream = !listeners::of_stream(cycle, listener).is_null();
            (has_stream, listeners::of_server(cycle, *passthroughs).next().is_some())
        };
        let listener = listener.escape_ascii();
        let lacks = match (has_stream, has_own) {
            (true, true) => continue,
            (false, _) => {
                format!("there is no server that listens on \"{listener}\" in \"stream\"")
            }
            (_, false) => "its server block is the default one of no address with \"ssl\"".into(),
        };
        let line = format_args!("\"ingress_passthrough\" cannot work: {lacks}");
        log::write(log, NGX_LOG_EMERG as usize, line);
        return None;
    }
    Some(())
}

/// Whether a server name is somebody else's by TCP at the address that a client has connected to. QUIC cannot be handed on.
///
/// # Safety
/// `connection` was accepted by a listener of HTTP.
pub unsafe fn is_of_others(connection: Connection, name: Option<&[u8]>) -> bool {
    let c = connection.as_ptr();
    // SAFETY: the caller's promise.
    let Some((_, passthroughs)) = (unsafe { listeners::of_connection(c) }) else { return false };
    // SAFETY: a live connection has its listener's address.
    let port = passthroughs.port(unsafe { ngx_inet_get_port((*(*c).listening).sockaddr) });
    Destination::of(connection, passthroughs, port, name).is_some()
}

/// All of a configuration.
///
/// # Safety
/// `cycle` is live and its configuration was read.
unsafe fn all<'a>(cycle: *const ngx_cycle_t) -> &'a [NonNull<Passthroughs>] {
    // SAFETY: the caller's promise.
    let main = unsafe { http_main_of_cycle::<MainConf>(cycle, MODULE.get()) };
    main.map_or(&[], |all| &all.0)
}

/// Puts ours in the place of HTTP's handler, once all listeners are there, those of `reuseport` among them.
///
/// # Safety
/// `cycle` comes into force; its passthroughs live as long.
unsafe fn take_listeners(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise.
    unsafe {
        for passthroughs in all(cycle) {
            let Passthroughs { listener, stream, .. } = passthroughs.as_ref();
            stream.set(listeners::of_stream(cycle, listener));
            for own in listeners::of_server(cycle, *passthroughs) {
                (*own).handler = Some(opening::accepted);
            }
        }
    }
}
