//! `wasm_upstream_select` in `http`: an upstream whose peers are chosen by the location's filters.

use ngx::ffi::{
    NGX_HTTP_UPSTREAM_BACKUP, NGX_HTTP_UPSTREAM_CREATE, NGX_HTTP_UPSTREAM_DOWN,
    NGX_HTTP_UPSTREAM_FAIL_TIMEOUT, NGX_HTTP_UPSTREAM_MAX_CONNS, NGX_HTTP_UPSTREAM_MAX_FAILS,
    NGX_HTTP_UPSTREAM_WEIGHT, ngx_http_upstream_init_round_robin, ngx_http_upstream_module,
    ngx_http_upstream_srv_conf_t,
};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_OK, Conf, parse_time};
use wick_native::variable;

use super::conf::SrvConf;
use super::upstream;
use super::upstream::idle::{Idle, Limits};
use super::upstream::sessions::Sessions;
use crate::conf::upstream::Text;
use crate::directives::lossy;
use crate::directives::select::{self, Compiler};

/// More connections than a worker can have.
const MAX_IDLE: usize = 1 << 20;

const COMPILER: Compiler = Compiler {
    index: variable::index,
    text: |cf, text| Complex::compile(cf, text).map(Text::OfRequests),
};

/// `wasm_upstream_select [max_tries=N] [key=$VARIABLE] [fallback=KEY] [keepalive=N …]`
pub fn wasm_upstream_select(cf: Conf, conf: &mut SrvConf) -> Answer {
    // SAFETY: the parser is inside `upstream { }`, and nobody else uses the configurations.
    unsafe {
        let upstream = cf.http_srv(ngx_http_upstream_module.ctx_index);
        set(cf, conf, &mut *upstream)
    }
}

fn set(cf: Conf, conf: &mut SrvConf, upstream: &mut ngx_http_upstream_srv_conf_t) -> Answer {
    let (is_second, has_other) =
        (conf.init_upstream.is_some(), upstream.peer.init_upstream.is_some());
    let answer = select::begin(cf, &mut conf.upstream, is_second, has_other);
    if answer != CONF_OK {
        return answer;
    }
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
    if !word.starts_with(b"keepalive") {
        return select::option(cf, &mut conf.upstream, &COMPILER, word);
    }
    match limit(limits, word) {
        Some(()) => CONF_OK,
        None => cf.error(format_args!("[wasm] invalid parameter \"{}\"", lossy(word))),
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
