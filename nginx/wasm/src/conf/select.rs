//! `wasm_upstream_select`: an upstream whose peers are chosen by the location's filters.

use std::ffi::{c_char, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_HTTP_UPSTREAM_BACKUP, NGX_HTTP_UPSTREAM_CREATE, NGX_HTTP_UPSTREAM_DOWN,
    NGX_HTTP_UPSTREAM_FAIL_TIMEOUT, NGX_HTTP_UPSTREAM_MAX_CONNS, NGX_HTTP_UPSTREAM_MAX_FAILS,
    NGX_HTTP_UPSTREAM_WEIGHT, ngx_command_t, ngx_conf_t, ngx_http_upstream_init_peer_pt,
    ngx_http_upstream_init_pt, ngx_http_upstream_init_round_robin, ngx_http_upstream_module,
    ngx_http_upstream_srv_conf_t,
};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_time, refuse};
use wick_native::guard::guard;
use wick_native::variable;

use super::block::lossy;
use super::{MainConf, of_cycle};
use crate::ngx_http_wasm_module;
use crate::upstream::{self, Idle, Limits, Sessions};

const DEFAULT_MAX_TRIES: usize = 3;
/// More connections than a worker can have.
const MAX_IDLE: usize = 1 << 20;

/// An `upstream { }` block's part of the configuration.
#[repr(C)]
pub struct SrvConf {
    /// The block's own method, which serves when no filter chooses. `None`: not ours.
    pub init_upstream: ngx_http_upstream_init_pt,
    pub init: ngx_http_upstream_init_peer_pt,
    /// The block itself.
    pub block: *mut ngx_http_upstream_srv_conf_t,
    /// Most attempts per request; nginx's own limits apply as well.
    pub max_tries: usize,
    /// `fallback=KEY`: the shared key of the backend record that serves while the filter cannot.
    pub fallback: Option<Complex>,
    /// `key=$VARIABLE`: index of the variable that the filter finds in its attempt record.
    pub key: Option<usize>,
    /// `keepalive=N`: connections that wait for their next request.
    pub idle: Option<NonNull<Idle>>,
    /// What handshakes with the upstream's endpoints left.
    pub sessions: Option<NonNull<Sessions>>,
    pub main: Option<NonNull<MainConf>>,
}

pub unsafe extern "C" fn create(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: called by nginx's parser.
    guard(null_mut(), || unsafe {
        let empty = SrvConf {
            init_upstream: None,
            init: None,
            block: null_mut(),
            max_tries: 0,
            fallback: None,
            key: None,
            idle: None,
            sessions: None,
            main: None,
        };
        Conf::from_raw(cf).pool().put(empty).map_or(null_mut(), |conf| conf.as_ptr().cast())
    })
}

/// Our part of an upstream's configuration.
///
/// # Safety
/// `upstream` is a live configuration of the running (or parsed) cycle.
pub unsafe fn of_upstream<'a>(upstream: *mut ngx_http_upstream_srv_conf_t) -> &'a mut SrvConf {
    // SAFETY: the caller's promise; `create` made it.
    unsafe {
        let slot = ngx_http_wasm_module.ctx_index;
        &mut *(*(*upstream).srv_conf.add(slot)).cast::<SrvConf>()
    }
}

/// `wasm_upstream_select [max_tries=N] [key=$VARIABLE] [fallback=KEY] [keepalive=N …]`
pub unsafe extern "C" fn wasm_upstream_select(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    conf: *mut c_void,
) -> *mut c_char {
    // SAFETY: called by nginx's parser inside `upstream { }`; `conf` came from `create`.
    guard(CONF_ERROR, || unsafe {
        let cf = Conf::from_raw(cf);
        let upstream = cf.http_srv(ngx_http_upstream_module.ctx_index);
        set(cf, of_cycle(cf.cycle()), &mut *conf.cast::<SrvConf>(), &mut *upstream)
    })
}

fn set(
    cf: Conf,
    main: &mut MainConf,
    conf: &mut SrvConf,
    upstream: &mut ngx_http_upstream_srv_conf_t,
) -> Answer {
    if !main.declared {
        return cf.error(format_args!(
            "[wasm] \"wasm_upstream_select\" directive is specified but config has no \"wasm\" section"
        ));
    }
    if conf.init_upstream.is_some() {
        return refuse(c"is duplicate");
    }
    if upstream.peer.init_upstream.is_some() {
        return refuse(c"must come before \"keepalive\" and any load balancing method");
    }
    conf.max_tries = DEFAULT_MAX_TRIES;
    let mut limits = Limits::default();
    for word in cf.words().skip(1) {
        let answer = option(cf, conf, &mut limits, word);
        if answer != CONF_OK {
            return answer;
        }
    }
    if limits.max_idle > 0 {
        conf.idle = cf.pool().keep(Idle::new(limits));
    }
    conf.sessions = cf.pool().keep(Sessions::default());
    conf.main = Some(NonNull::from(main));
    conf.init_upstream = Some(ngx_http_upstream_init_round_robin);
    upstream.peer.init_upstream = Some(upstream::init_upstream);
    upstream.flags = (NGX_HTTP_UPSTREAM_CREATE
        | NGX_HTTP_UPSTREAM_WEIGHT
        | NGX_HTTP_UPSTREAM_MAX_CONNS
        | NGX_HTTP_UPSTREAM_MAX_FAILS
        | NGX_HTTP_UPSTREAM_FAIL_TIMEOUT
        | NGX_HTTP_UPSTREAM_DOWN
        | NGX_HTTP_UPSTREAM_BACKUP) as usize;
    CONF_OK
}

fn option(cf: Conf, conf: &mut SrvConf, limits: &mut Limits, word: &[u8]) -> Answer {
    if let Some(number) = word.strip_prefix(b"max_tries=") {
        return match lossy(number).parse() {
            Ok(n @ 1..) => {
                conf.max_tries = n;
                CONF_OK
            }
            _ => cf.error(format_args!("[wasm] invalid max_tries value in \"{}\"", lossy(word))),
        };
    }
    if word.starts_with(b"keepalive") {
        return match limit(limits, word) {
            Some(()) => CONF_OK,
            None => cf.error(format_args!("[wasm] invalid parameter \"{}\"", lossy(word))),
        };
    }
    if let Some(name) = word.strip_prefix(b"key=$").filter(|name| is_name(name)) {
        conf.key = variable::index(cf, name);
        return if conf.key.is_some() { CONF_OK } else { CONF_ERROR };
    }
    match word.strip_prefix(b"fallback=") {
        Some(key) if !key.is_empty() => {
            conf.fallback = Complex::compile(cf, key);
            if conf.fallback.is_some() { CONF_OK } else { CONF_ERROR }
        }
        _ => cf.error(format_args!("[wasm] invalid parameter \"{}\"", lossy(word))),
    }
}

/// `keepalive=N`, `keepalive_requests=N`, `keepalive_time=TIME`, `keepalive_timeout=TIME`, as the directives of these names.
fn limit(limits: &mut Limits, word: &[u8]) -> Option<()> {
    let at = word.iter().position(|byte| *byte == b'=')?;
    let (name, value) = (&word[..at], &word[at + 1..]);
    let number = || lossy(value).parse().ok();
    let time = || parse_time(value)?.try_into().ok();
    match name {
        b"keepalive" => limits.max_idle = number().filter(|max| *max <= MAX_IDLE)?,
        b"keepalive_requests" => limits.requests = number()?,
        b"keepalive_time" => limits.time_ms = time()?,
        b"keepalive_timeout" => limits.timeout_ms = time()?,
        _ => return None,
    }
    Some(())
}

/// One variable and nothing else: its value is there without being put together.
fn is_name(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(|c| c.is_ascii_alphanumeric() || *c == b'_')
}
