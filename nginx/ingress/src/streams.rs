//! Ports of TCP and UDP: the directive `ingress_stream_route tcp:PORT [by_address]`, `udp:PORT`, or `handed`, in a server of `stream`; and
//! `ingress_stream_log_line` beside the servers.
//!
//! A session finds the record of its port in the shared zone, with `by_address` first that of the address which the client has connected to. The record says which clients may come, and gives the session its variables, among
//! them the name of its backend, and the numbers that nginx proxies it by. Where there is no record, or none that can be read, the session is
//! closed at once. A module of its own: it knows nothing of requests, and of endpoints only what nginx notes of attempts.

mod admission;
mod conf;
mod counters;
mod draining;
mod handshakes;
mod log_line;
mod memory;
mod open_sessions;
mod opening;
mod ready;
mod record;
mod reencryption;
mod refusal;
mod route;
mod session;
mod settings;
mod termination;
mod variables;

use std::ptr::NonNull;

use ngx::ffi::{
    NGX_CONF_NOARGS, NGX_CONF_TAKE1, NGX_CONF_TAKE12, NGX_CONF_TAKE23, NGX_HTTP_MAIN_CONF,
    NGX_STREAM_MAIN_CONF, NGX_STREAM_SRV_CONF, ngx_int_t, ngx_stream_session_t,
};
use wick_native::code::{DECLINED, ERROR, OK};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::guard::guard;
use wick_native::stream::phase::{Phase, add_handler};
use wick_native::stream::session::Session;
use wick_native::zone::SharedZone;
use wick_native::{http_module, stream_module};

use self::conf::{HTTP, MODULE, MainConf, SrvConf, StreamConf};
use self::counters::Counters;
use self::reencryption::Reencryption;
use self::route::{Ports, StreamRoute};
use self::session::Kept;
use self::settings::SrvConfs;
use self::termination::{NO_CONTEXT, Termination};

stream_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_stream_route": NGX_STREAM_SRV_CONF | NGX_CONF_TAKE12, srv_conf => ingress_stream_route;
        "ingress_stream_certificates": NGX_STREAM_SRV_CONF | NGX_CONF_TAKE1, main_conf => ingress_stream_certificates;
        "ingress_stream_log_line": NGX_STREAM_MAIN_CONF | NGX_CONF_TAKE23 => log_line::ingress_stream_log_line;
    }
    main_conf: StreamConf,
    srv_conf: SrvConf,
    postconfiguration: install,
    init_module: memory::widen,
}

http_module! {
    pub static OF_HTTP at HTTP;
    directives {
        "ingress_stream_counters": NGX_HTTP_MAIN_CONF | NGX_CONF_NOARGS, main_conf => ingress_stream_counters;
    }
    main_conf: MainConf,
    preconfiguration: variables::declare_in_http,
}

/// Where records of streams lie (docs/wire.md 2), and those of their backends.
const ZONE: &[u8] = b"routes";
const BACKENDS: &[u8] = b"backends";

fn ingress_stream_route(conf: Conf, srv: &mut SrvConf) -> Answer {
    if srv.route.is_some() {
        return refuse(c"is duplicate");
    }
    let words: Vec<&[u8]> = conf.words().skip(1).collect();
    let is_by_address = words.len() == 2;
    let Some(ports) = Ports::read(words[0], is_by_address) else {
        return refuse(c"takes tcp: or udp: and a port from 1 to 65535, or \"handed\"");
    };
    if is_by_address && words[1] != b"by_address" {
        return refuse(c"takes \"by_address\" beside a port");
    }
    let zones = SharedZone::refer(conf, ZONE).zip(SharedZone::refer(conf, BACKENDS));
    let parts = zones.zip(Counters::declare(conf));
    let Some(((zone, backends), counters)) = parts else { return CONF_ERROR };
    // SAFETY: the parser is inside `stream`, and what it makes lives as long as the configuration.
    let route = unsafe {
        let stream = &mut *conf.stream_main::<StreamConf>(MODULE.get());
        let (structure, confs) = (stream.structure(conf), conf.stream_srv_confs());
        stream.routed.get_or_insert(confs);
        StreamRoute::new(ports, [zone, backends], counters, confs, structure)
    };
    srv.route = conf.pool().keep(route);
    if srv.route.is_some() { CONF_OK } else { CONF_ERROR }
}

/// `ingress_stream_certificates ZONE`: the server has what all handshakes of streams have in common.
fn ingress_stream_certificates(conf: Conf, stream: &mut StreamConf) -> Answer {
    if stream.certificates.is_some() {
        return refuse(c"is duplicate");
    }
    let Some(zone) = SharedZone::refer(conf, conf.words().nth(1).unwrap_or_default()) else {
        return CONF_ERROR;
    };
    // SAFETY: the parser is inside `stream`.
    stream.certificates = Some((unsafe { conf.stream_srv_confs() }, zone));
    CONF_OK
}

/// Has `$ingress_stream_counters` say what was counted.
fn ingress_stream_counters(conf: Conf, main: &mut MainConf) -> Answer {
    if main.counters.is_some() {
        return refuse(c"is duplicate");
    }
    main.counters = Counters::declare(conf);
    if main.counters.is_some() { CONF_OK } else { CONF_ERROR }
}

fn install(conf: Conf) -> Option<()> {
    variables::declare(conf)?;
    terminate(conf)?;
    add_handler(conf, Phase::PostAccept, arrive)?;
    add_handler(conf, Phase::PreAccess, admit)?;
    add_handler(conf, Phase::Log, end)
}

/// All servers have their contexts by now. `None`: one lacks its own, and the log says so.
fn terminate(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `stream`, and nothing else refers to our configuration.
    unsafe {
        let stream = &mut *conf.stream_main::<StreamConf>(MODULE.get());
        let Some((server, zone)) = stream.certificates else { return Some(()) };
        let Some(termination) = Termination::new(conf, server, zone) else {
            conf.error(format_args!("{NO_CONTEXT}"));
            return None;
        };
        let kept = conf.pool().keep(termination)?;
        stream.termination = Some(kept);
        handshakes::terminate(kept.as_ref())?;
        stream.reencryption = reencrypt(conf, stream, server, kept.as_ref());
    }
    Some(())
}

/// `None`: endpoints cannot be spoken to in TLS, as the server has no `proxy_ssl` or no `proxy_ssl_protocols`, or this nginx's is not known.
///
/// # Safety
/// The parser is inside `stream`, whose configurations are merged.
unsafe fn reencrypt(
    conf: Conf,
    stream: &StreamConf,
    server: SrvConfs,
    termination: &Termination,
) -> Option<NonNull<Reencryption>> {
    // SAFETY: the caller's promise; configurations live as long as what is kept in their pool.
    unsafe {
        let context = stream.structure(conf)?.tls_context(server, stream.routed?)?;
        let kept = conf.pool().keep(Reencryption::new(context, termination.shelf.clone()))?;
        handshakes::reencrypt(kept.as_ref())?;
        Some(kept)
    }
}

/// The session's record is looked up, and what the client has to send first is waited for: nginx takes its address from a PROXY header in this
/// phase.
unsafe extern "C" fn arrive(s: *mut ngx_stream_session_t) -> ngx_int_t {
    // SAFETY: handlers get live sessions.
    guard(ERROR, || unsafe {
        let s = Session::from_raw(s);
        let Some(route) = conf::route_of(s).filter(|route| route.is_for(s)) else {
            return DECLINED;
        };
        // Phases begin anew when something was waited for.
        let Some(kept) = session::kept(s).or_else(|| Kept::begin(s, route)) else { return ERROR };
        kept.awaits(s).map_or(DECLINED, |awaited| opening::begin(s, kept, awaited))
    })
}

/// By now the client's address is known.
unsafe extern "C" fn admit(s: *mut ngx_stream_session_t) -> ngx_int_t {
    // SAFETY: handlers get live sessions.
    guard(ERROR, || unsafe {
        let s = Session::from_raw(s);
        session::kept(s).map_or(DECLINED, |kept| admission::admit(s, kept))
    })
}

unsafe extern "C" fn end(s: *mut ngx_stream_session_t) -> ngx_int_t {
    // SAFETY: handlers get live sessions.
    guard((), || unsafe {
        let s = Session::from_raw(s);
        if let Some(kept) = session::kept(s) {
            kept.count_end(s);
        }
    });
    OK
}
