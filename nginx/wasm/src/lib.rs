//! ngx_http_wasm_module: hosts Proxy-Wasm filters in a stock nginx and lets them choose upstream peers.
//!
//! In come the directives `wasm { }`, `proxy_wasm` and `wasm_upstream_select`; filters see requests in
//! `http::phases`, responses in `http::filters`, and choose peers in `upstream`. The module knows neither Ingresses
//! nor balancing algorithms. docs/abi.md says what it adds to Proxy-Wasm 0.2.1.
//!
//! From what knows little to what knows much: `subject` is a request or a session, `conf` what the configuration says,
//! `environment` what a worker's filters share, `attempts` what a subject has tried, `host` the functions that a filter calls,
//! `instance` one filter's memory and callbacks, `worker` all instances and the one way to call them, `upstream` how filters
//! choose an endpoint. None of these knows what HTTP makes of it: that is `http`, and `stream` of sessions. `runtime` and this file stand on top. A test
//! has the whole order (test/unit/imports-rust.test.ts).

mod attempts;
mod cache;
mod clock;
mod conf;
mod contexts;
mod counters;
mod directives;
mod environment;
mod exports;
mod fault;
mod host;
mod http;
mod instance;
#[cfg(feature = "measure")]
mod measure;
mod module;
mod policy;
mod runtime;
mod stream;
mod subject;
mod upstream;
mod vm;
mod worker;
mod zones;

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_ANY, NGX_CONF_BLOCK, NGX_CONF_NOARGS, NGX_CONF_TAKE1, NGX_CONF_TAKE4,
    NGX_CONF_TAKE5, NGX_CONF_TAKE12, NGX_CONF_TAKE23, NGX_HTTP_LOC_CONF, NGX_HTTP_MAIN_CONF,
    NGX_HTTP_SRV_CONF, NGX_HTTP_UPS_CONF, NGX_MAIN_CONF, NGX_STREAM_MAIN_CONF, NGX_STREAM_SRV_CONF,
    NGX_STREAM_UPS_CONF, ngx_http_phases_NGX_HTTP_LOG_PHASE,
    ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE, ngx_http_phases_NGX_HTTP_REWRITE_PHASE, ngx_uint_t,
};
use wick_native::conf::Conf;
use wick_native::phase::add_handler;
use wick_native::{core_module, http_module, loadable_modules, stream_module};

use directives::{block, ignored, policy as policies};
use http::{chain, filters, phases, upstream_select, variables};

/// What this module allocates stays out of nginx's heap. Compiling filters leaves thousands of holes, and glibc then searched
/// for each of nginx's own blocks, the pools of requests above all, among them: 600 instructions per proxied request.
#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Hooks the handlers in, when there is a filter at all.
fn postconfiguration(conf: Conf) -> Option<()> {
    http::upstream::sole::check(conf)?;
    // SAFETY: the configuration is only read.
    if unsafe { (*conf::of_cycle(conf.cycle())).roots.is_empty() } {
        return Some(());
    }
    add_handler(conf, ngx_http_phases_NGX_HTTP_REWRITE_PHASE, phases::rewrite)?;
    add_handler(conf, ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE, phases::precontent)?;
    add_handler(conf, ngx_http_phases_NGX_HTTP_LOG_PHASE, phases::log)?;
    filters::install();
    Some(())
}

const IN_HTTP: u32 = NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF;

const fn inner(arguments: u32) -> ngx_uint_t {
    block::PLACE | arguments as ngx_uint_t
}

core_module! {
    /// Owns `wasm { }`.
    static WASM: "wasm";
    directives {
        "wasm": NGX_MAIN_CONF | NGX_CONF_BLOCK | NGX_CONF_NOARGS => block::wasm;
    }
    conf: conf::MainConf => module::CORE,
}

core_module! {
    /// Owns the directives inside of it: of a type of its own, so that they mean nothing elsewhere.
    static BLOCK: "wasm_block";
    directives {
        "module": inner(NGX_CONF_TAKE23) => block::module;
        "shm_kv": inner(NGX_CONF_TAKE23 | NGX_CONF_TAKE4 | NGX_CONF_TAKE5) => block::shm_kv;
        "callback_deadline": inner(NGX_CONF_TAKE1) => block::callback_deadline;
        "memory_limit": inner(NGX_CONF_TAKE1) => block::memory_limit;
        "compilation_cache": inner(NGX_CONF_TAKE1) => block::compilation_cache;
        "policy_directory": inner(NGX_CONF_TAKE1) => policies::directory;
        "policy_memory_limit": inner(NGX_CONF_TAKE1) => policies::memory_limit;
        "policy_deadline": inner(NGX_CONF_TAKE1) => policies::deadline;
        "policy_readable_headers": inner(NGX_CONF_1MORE) => policies::readable_headers;
        "compiler": inner(NGX_CONF_1MORE) => ignored::directive;
        "backtraces": inner(NGX_CONF_1MORE) => ignored::directive;
        "resolver": inner(NGX_CONF_1MORE) => ignored::directive;
        "resolver_timeout": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_connect_timeout": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_send_timeout": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_read_timeout": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_buffer_size": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_buffer_reuse": inner(NGX_CONF_1MORE) => ignored::directive;
        "socket_large_buffers": inner(NGX_CONF_1MORE) => ignored::directive;
        "tls_trusted_certificate": inner(NGX_CONF_1MORE) => ignored::directive;
        "tls_verify_cert": inner(NGX_CONF_1MORE) => ignored::directive;
        "tls_verify_host": inner(NGX_CONF_1MORE) => ignored::directive;
        "tls_no_verify_warn": inner(NGX_CONF_1MORE) => ignored::directive;
        "wasmtime": inner(NGX_CONF_BLOCK | NGX_CONF_NOARGS) => ignored::block;
        "metrics": inner(NGX_CONF_BLOCK | NGX_CONF_NOARGS) => ignored::block;
    }
    type: block::MODULE_TYPE,
}

core_module! {
    /// Compiles the filters that `wasm { }` names, and runs them in each worker.
    static RUNTIME: "wasm_runtime";
    conf: runtime::Runtime => module::RUNTIME,
    init_conf: runtime::compile,
    init_process: runtime::start,
    exit_process: runtime::end,
}

http_module! {
    static HTTP at module::HTTP;
    directives {
        "proxy_wasm": IN_HTTP | NGX_CONF_1MORE, loc_conf => chain::proxy_wasm;
        "wasm_upstream_select": NGX_HTTP_UPS_CONF | NGX_CONF_ANY, srv_conf => upstream_select::wasm_upstream_select;
        "proxy_wasm_isolation": IN_HTTP | NGX_CONF_TAKE1 => ignored::fixed;
        "proxy_wasm_request_headers_in_access": IN_HTTP | NGX_CONF_TAKE1 => ignored::fixed;
        "proxy_wasm_log_dispatch_errors": IN_HTTP | NGX_CONF_TAKE12 => ignored::directive;
        "proxy_wasm_lua_resolver": IN_HTTP | NGX_CONF_TAKE12 => ignored::directive;
    }
    srv_conf: http::conf::SrvConf,
    loc_conf: http::conf::LocConf,
    merge_loc_conf: chain::merge,
    preconfiguration: variables::declare,
    postconfiguration: postconfiguration,
}

stream_module! {
    static STREAM at module::STREAM;
    directives {
        "proxy_wasm": NGX_STREAM_MAIN_CONF | NGX_STREAM_SRV_CONF | NGX_CONF_1MORE, srv_conf
            => stream::directives::proxy_wasm;
        "wasm_upstream_select": NGX_STREAM_UPS_CONF | NGX_CONF_ANY, srv_conf
            => stream::directives::wasm_upstream_select;
    }
    srv_conf: stream::conf::SrvConf,
    merge_srv_conf: stream::directives::merge,
}

// The order puts our filters where those of optional modules stand: behind nginx's `copy` filter, before `add_header`,
// compression and chunking.
loadable_modules! {
    "ngx_wasm_core_module": WASM,
    "ngx_wasm_block_module": BLOCK,
    "ngx_wasm_runtime_module": RUNTIME,
    "ngx_http_wasm_module": HTTP,
    "ngx_stream_wasm_module": STREAM,
    order: ["ngx_http_wasm_module", "ngx_http_copy_filter_module"],
}
