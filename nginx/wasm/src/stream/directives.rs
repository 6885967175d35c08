//! `proxy_wasm` and `wasm_upstream_select` in `stream`.

use ngx::ffi::{
    NGX_STREAM_UPSTREAM_BACKUP, NGX_STREAM_UPSTREAM_CREATE, NGX_STREAM_UPSTREAM_DOWN,
    NGX_STREAM_UPSTREAM_FAIL_TIMEOUT, NGX_STREAM_UPSTREAM_MAX_CONNS, NGX_STREAM_UPSTREAM_MAX_FAILS,
    NGX_STREAM_UPSTREAM_WEIGHT, ngx_stream_upstream_srv_conf_t,
};
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::stream::complex::Complex;
use wick_native::stream::{upstream_ctx_index, variable};

use super::conf::SrvConf;
use super::upstream;
use crate::conf::upstream::Text;
use crate::directives::chain::push;
use crate::directives::select::{self, Compiler};

const COMPILER: Compiler = Compiler {
    index: variable::index,
    text: |cf, text| Complex::compile(cf, text).map(Text::OfSessions),
};

/// What stands further out holds where nothing stands further in.
pub fn merge(outer: &SrvConf, inner: &mut SrvConf) {
    if inner.chain.is_null() {
        inner.chain = outer.chain;
    }
}

/// `proxy_wasm MODULE [CONFIG]`
pub fn proxy_wasm(cf: Conf, conf: &mut SrvConf) -> Answer {
    push(cf, &mut conf.chain)
}

/// `wasm_upstream_select [max_tries=N] [key=$VARIABLE] [fallback=KEY]`
pub fn wasm_upstream_select(cf: Conf, conf: &mut SrvConf) -> Answer {
    // SAFETY: the parser is inside `upstream { }`, and nobody else uses the configurations.
    unsafe {
        let upstream = cf.stream_srv(upstream_ctx_index());
        set(cf, conf, &mut *upstream)
    }
}

fn set(cf: Conf, conf: &mut SrvConf, upstream: &mut ngx_stream_upstream_srv_conf_t) -> Answer {
    let has_other = upstream.peer.init_upstream.is_some();
    let answer = select::begin(cf, &mut conf.upstream, conf.is_ours, has_other);
    if answer != CONF_OK {
        return answer;
    }
    for word in cf.words().skip(1) {
        let answer = select::option(cf, &mut conf.upstream, &COMPILER, word);
        if answer != CONF_OK {
            return answer;
        }
    }
    conf.is_ours = true;
    upstream.peer.init_upstream = Some(upstream::init_upstream);
    upstream.flags = (NGX_STREAM_UPSTREAM_CREATE
        | NGX_STREAM_UPSTREAM_WEIGHT
        | NGX_STREAM_UPSTREAM_MAX_CONNS
        | NGX_STREAM_UPSTREAM_MAX_FAILS
        | NGX_STREAM_UPSTREAM_FAIL_TIMEOUT
        | NGX_STREAM_UPSTREAM_DOWN
        | NGX_STREAM_UPSTREAM_BACKUP) as usize;
    CONF_OK
}
