//! `wasm_upstream_select`: an upstream whose peers are chosen by the location's filters.

use ngx::ffi::{
    NGX_HTTP_UPSTREAM_BACKUP, NGX_HTTP_UPSTREAM_CREATE, NGX_HTTP_UPSTREAM_DOWN,
    NGX_HTTP_UPSTREAM_FAIL_TIMEOUT, NGX_HTTP_UPSTREAM_MAX_CONNS, NGX_HTTP_UPSTREAM_MAX_FAILS,
    NGX_HTTP_UPSTREAM_WEIGHT, ngx_http_upstream_init_round_robin, ngx_http_upstream_module,
    ngx_http_upstream_srv_conf_t,
};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, parse_time, refuse};
use wick_native::variable;

use super::lossy;
use crate::conf::upstream::SrvConf;
use crate::conf::{MainConf, of_cycle};
use crate::upstream;
use crate::upstream::idle::{Idle, Limits};
use crate::upstream::sessions::Sessions;

const DEFAULT_MAX_TRIES: usize = 3;
/// More connections than a worker can have.
const MAX_IDLE: usize = 1 << 20;

/// `wasm_upstream_select [max_tries=N] [key=$VARIABLE] [fallback=KEY] [keepalive=N …]`
pub fn wasm_upstream_select(cf: Conf, conf: &mut SrvConf) -> Answer {
    // SAFETY: the parser is inside `upstream { }`, and nobody else uses the configurations.
    unsafe {
        let upstream = cf.http_srv(ngx_http_upstream_module.ctx_index);
        set(cf, &*of_cycle(cf.cycle()), conf, &mut *upstream)
    }
}

fn set(
    cf: Conf,
    main: &MainConf,
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
        return refuse(c"must be the only one that chooses or keeps connections: leave \"keepalive\" and other methods out");
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
