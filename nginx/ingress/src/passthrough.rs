//! The directive `ingress_passthrough ZONE unix:PATH [proxy_protocol_timeout=TIME]`: TLS connections that are handed on
//! as they are, by their server name.
//!
//! A module of its own: it comes before HTTP, where connections are accepted, and knows nothing of requests. What it
//! hands on is served by the stream module, whose listener it borrows; nothing of that module is linked.

mod listeners;
mod opening;

use std::cell::{Cell, OnceCell, RefCell};
use std::ffi::{c_char, c_void};
use std::net::SocketAddr;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_CONF_TAKE2, NGX_CONF_TAKE3, NGX_HTTP_MODULE, NGX_HTTP_SRV_CONF, NGX_LOG_EMERG,
    ngx_command_t, ngx_conf_t, ngx_cycle_t, ngx_http_conf_ctx_t, ngx_http_module,
    ngx_http_module_t, ngx_int_t, ngx_listening_t, ngx_log_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_kv::Store;
use wick_native::code::OK;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_time, refuse};
use wick_native::guard::guard;
use wick_native::log;
use wick_native::module::{NO_HOOKS, command, core_conf, create_conf};
use wick_native::zone::{SharedZone, ZoneLock};

use crate::complaints::Complaints;
use crate::conf::refuse_zone;

static mut COMMANDS: [ngx_command_t; 2] = [
    command(
        ngx_string!("ingress_passthrough"),
        (NGX_HTTP_SRV_CONF | NGX_CONF_TAKE2 | NGX_CONF_TAKE3) as usize,
        directive,
        std::mem::offset_of!(ngx_http_conf_ctx_t, srv_conf),
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    create_main_conf: Some(create_conf::<MainConf>),
    create_srv_conf: Some(create_srv_conf),
    ..NO_HOOKS
};

pub static mut MODULE: ngx_module_t = ngx_module_t {
    ctx: (&raw mut HTTP).cast(),
    commands: (&raw mut COMMANDS).cast(),
    type_: NGX_HTTP_MODULE as usize,
    init_module: Some(take_listeners),
    ..ngx_module_t::default()
};

fn module() -> &'static ngx_module_t {
    let module = &raw const MODULE;
    // SAFETY: nginx writes the indexes before it calls any of our functions, and nothing afterwards.
    unsafe { &*module }
}

/// One per directive; they live in the configuration's pool.
#[derive(Default)]
struct MainConf(Vec<NonNull<Passthroughs>>);

/// All zero is a server block without the directive.
#[repr(C)]
struct SrvConf {
    passthroughs: Option<NonNull<Passthroughs>>,
}

/// What a server block hands on, and to whom.
pub struct Passthroughs {
    zone: SharedZone,
    /// Name of the stream module's listener, as nginx prints it: `unix:PATH`.
    listener: Box<[u8]>,
    proxy_protocol_timeout_ms: usize,
    /// The stream module's listener; null until the configuration is in force.
    stream: Cell<*mut ngx_listening_t>,
    /// Opened at the first connection: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<(Store, ZoneLock)>,
    /// Where the beginning of a connection is looked at.
    peeked: RefCell<Vec<u8>>,
    turn: Cell<usize>,
    complaints: Complaints,
}

/// Of `proxy-protocol-header-timeout` in ingress-nginx.
const DEFAULT_PROXY_PROTOCOL_TIMEOUT_MS: usize = 5_000;

impl Passthroughs {
    /// Whether nobody wants any connection. One load.
    #[inline]
    fn is_empty(&self) -> bool {
        self.store().0.is_empty()
    }

    #[inline]
    fn store(&self) -> &(Store, ZoneLock) {
        self.open.get_or_init(|| (self.zone.store(), self.zone.lock()))
    }

    /// Where the next connection with this server name goes; `None`: it is no passthrough's.
    fn target(&self, name: &[u8], log: *mut ngx_log_t) -> Option<SocketAddr> {
        let (store, lock) = self.store();
        let turn = self.turn.get();
        let key = [b"passthroughs/", name].concat();
        let address = |record: &[u8], _| {
            wick_tls::Passthrough::decode(record).map(|passthrough| passthrough.address(turn))
        };
        match store.read(lock, &key, address)? {
            Ok(address) => {
                self.turn.set(turn.wrapping_add(1));
                Some(address)
            }
            Err(error) => {
                let name = name.escape_ascii();
                self.complaints.complain_in(
                    log,
                    format_args!("Cannot read the record of passthrough \"{name}\": {error}"),
                );
                None
            }
        }
    }
}

unsafe extern "C" fn create_srv_conf(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: nginx's parser is calling; all zero is a valid SrvConf.
    let zeroed = guard(None, || unsafe { Conf::from_raw(cf).pool().zeroed::<SrvConf>() });
    zeroed.map_or(null_mut(), |conf| conf.as_ptr().cast())
}

unsafe extern "C" fn directive(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    srv: *mut c_void,
) -> *mut c_char {
    guard(CONF_ERROR, || {
        // SAFETY: nginx's parser is calling, inside a server block, with what create_srv_conf returned.
        let (conf, srv) = unsafe { (Conf::from_raw(cf), &mut *srv.cast::<SrvConf>()) };
        if srv.passthroughs.is_some() { refuse(c"is duplicate") } else { set(conf, srv) }
    })
}

fn set(conf: Conf, srv: &mut SrvConf) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    let timeout_ms = match words.get(3) {
        Some(word) => word.strip_prefix(b"proxy_protocol_timeout=").and_then(parse_timeout),
        None => Some(DEFAULT_PROXY_PROTOCOL_TIMEOUT_MS),
    };
    let Some(proxy_protocol_timeout_ms) = timeout_ms else {
        return refuse(c"takes a proxy_protocol_timeout= of 1ms to 24d beside zone and listener");
    };
    if !words[2].starts_with(b"unix:") {
        return refuse(c"hands connections to a listener at unix:PATH");
    }
    let Some(zone) = SharedZone::refer(conf, words[1]) else { return CONF_ERROR };
    srv.passthroughs = conf.pool().keep(Passthroughs {
        zone,
        listener: words[2].into(),
        proxy_protocol_timeout_ms,
        stream: Cell::new(null_mut()),
        open: OnceCell::new(),
        peeked: RefCell::default(),
        turn: Cell::default(),
        complaints: Complaints::default(),
    });
    let Some(passthroughs) = srv.passthroughs else { return CONF_ERROR };
    // SAFETY: the parser is inside `http`, and no other reference to the configuration is alive.
    unsafe { (*conf.http_main::<MainConf>(module())).0.push(passthroughs) };
    CONF_OK
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
        if !zone.is_declared() {
            return refuse_zone(log, "ingress_passthrough", *zone);
        }
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

/// All of a configuration.
///
/// # Safety
/// `cycle` is live and its configuration was read.
unsafe fn all<'a>(cycle: *const ngx_cycle_t) -> &'a [NonNull<Passthroughs>] {
    let http = &raw const ngx_http_module;
    // SAFETY: the http module keeps an ngx_http_conf_ctx_t; our slot has what create_main_conf returned.
    unsafe {
        let Some(http) = core_conf::<ngx_http_conf_ctx_t>(cycle, &*http).as_ref() else {
            return &[];
        };
        (*http.main_conf.add(module().ctx_index))
            .cast::<MainConf>()
            .as_ref()
            .map_or(&[], |all| &all.0)
    }
}

/// Puts ours in the place of HTTP's handler, once all listeners are there, those of `reuseport` among them.
unsafe extern "C" fn take_listeners(cycle: *mut ngx_cycle_t) -> ngx_int_t {
    guard((), || {
        // SAFETY: nginx calls with the cycle that comes into force; its passthroughs live as long.
        unsafe {
            for passthroughs in all(cycle) {
                let Passthroughs { listener, stream, .. } = passthroughs.as_ref();
                stream.set(listeners::of_stream(cycle, listener));
                for own in listeners::of_server(cycle, *passthroughs) {
                    (*own).handler = Some(opening::accepted);
                }
            }
        }
    });
    OK
}
