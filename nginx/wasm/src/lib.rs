//! ngx_http_wasm_module: hosts Proxy-Wasm filters in a stock nginx and lets them choose upstream peers.
//!
//! In come the directives `wasm { }`, `proxy_wasm` and `wasm_upstream_select`; filters see requests in
//! `phases`, responses in `filters`, and choose peers in `upstream`. The module knows neither Ingresses
//! nor balancing algorithms. docs/abi.md says what it adds to Proxy-Wasm 0.2.1.

mod cache;
mod conf;
mod counters;
mod epoch;
mod exports;
mod fault;
mod filters;
mod guest;
mod host;
mod instance;
#[cfg(feature = "measure")]
mod measure;
mod phases;
mod process;
mod request;
mod upstream;
mod vm;
mod worker;

use std::ffi::c_char;
use std::ptr::{null, null_mut};

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_ANY, NGX_CONF_BLOCK, NGX_CONF_NOARGS, NGX_CONF_TAKE1, NGX_CONF_TAKE4,
    NGX_CONF_TAKE12, NGX_CONF_TAKE23, NGX_CORE_MODULE, NGX_HTTP_LOC_CONF, NGX_HTTP_LOC_CONF_OFFSET,
    NGX_HTTP_MAIN_CONF, NGX_HTTP_MODULE, NGX_HTTP_SRV_CONF, NGX_HTTP_SRV_CONF_OFFSET,
    NGX_HTTP_UPS_CONF, NGX_MAIN_CONF, ngx_array_push, ngx_command_t, ngx_conf_t, ngx_core_module_t,
    ngx_http_core_main_conf_t, ngx_http_core_module, ngx_http_handler_pt, ngx_http_module_t,
    ngx_http_phases_NGX_HTTP_LOG_PHASE, ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE,
    ngx_http_phases_NGX_HTTP_REWRITE_PHASE, ngx_int_t, ngx_module_t, ngx_uint_t,
};
use ngx::ngx_string;
use wick_native::code::{ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::module::tables::command;

/// What this module allocates stays out of nginx's heap. Compiling filters leaves thousands of holes, and glibc then searched
/// for each of nginx's own blocks, the pools of requests above all, among them: 600 instructions per proxied request.
#[global_allocator]
static MEMORY: dlmalloc::GlobalDlmalloc = dlmalloc::GlobalDlmalloc;

/// Hooks the handlers in, when there is a filter at all.
unsafe extern "C" fn postconfiguration(cf: *mut ngx_conf_t) -> ngx_int_t {
    // SAFETY: nginx calls this at the end of `http { }`.
    guard(ERROR, || unsafe {
        if conf::of_cycle((*cf).cycle).roots.is_empty() {
            return OK;
        }
        let core: *mut ngx_http_core_main_conf_t =
            Conf::from_raw(cf).http_main(ngx_http_core_module.ctx_index);
        let handlers: [(_, ngx_http_handler_pt); 3] = [
            (ngx_http_phases_NGX_HTTP_REWRITE_PHASE, Some(phases::rewrite)),
            (ngx_http_phases_NGX_HTTP_PRECONTENT_PHASE, Some(phases::precontent)),
            (ngx_http_phases_NGX_HTTP_LOG_PHASE, Some(phases::log)),
        ];
        for (phase, handler) in handlers {
            let place = ngx_array_push(&mut (*core).phases[phase as usize].handlers);
            if place.is_null() {
                return ERROR;
            }
            *place.cast::<ngx_http_handler_pt>() = handler;
        }
        filters::install();
        OK
    })
}

const IN_HTTP: u32 = NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF;

const fn inner(arguments: u32) -> ngx_uint_t {
    conf::block::PLACE | arguments as ngx_uint_t
}

static mut CORE_COMMANDS: [ngx_command_t; 2] = [
    command(
        ngx_string!("wasm"),
        (NGX_MAIN_CONF | NGX_CONF_BLOCK | NGX_CONF_NOARGS) as ngx_uint_t,
        conf::block::wasm,
        0,
    ),
    ngx_command_t::empty(),
];

static mut WASM_COMMANDS: [ngx_command_t; 21] = [
    command(ngx_string!("module"), inner(NGX_CONF_TAKE23), conf::block::module, 0),
    command(ngx_string!("shm_kv"), inner(NGX_CONF_TAKE23 | NGX_CONF_TAKE4), conf::block::shm_kv, 0),
    command(
        ngx_string!("callback_deadline"),
        inner(NGX_CONF_TAKE1),
        conf::block::callback_deadline,
        0,
    ),
    command(ngx_string!("memory_limit"), inner(NGX_CONF_TAKE1), conf::block::memory_limit, 0),
    command(ngx_string!("compiler"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("backtraces"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("resolver"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("resolver_timeout"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(
        ngx_string!("socket_connect_timeout"),
        inner(NGX_CONF_1MORE),
        conf::ignored::directive,
        0,
    ),
    command(ngx_string!("socket_send_timeout"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("socket_read_timeout"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("socket_buffer_size"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("socket_buffer_reuse"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(
        ngx_string!("socket_large_buffers"),
        inner(NGX_CONF_1MORE),
        conf::ignored::directive,
        0,
    ),
    command(
        ngx_string!("tls_trusted_certificate"),
        inner(NGX_CONF_1MORE),
        conf::ignored::directive,
        0,
    ),
    command(ngx_string!("tls_verify_cert"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("tls_verify_host"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(ngx_string!("tls_no_verify_warn"), inner(NGX_CONF_1MORE), conf::ignored::directive, 0),
    command(
        ngx_string!("wasmtime"),
        inner(NGX_CONF_BLOCK | NGX_CONF_NOARGS),
        conf::ignored::block,
        0,
    ),
    command(
        ngx_string!("metrics"),
        inner(NGX_CONF_BLOCK | NGX_CONF_NOARGS),
        conf::ignored::block,
        0,
    ),
    ngx_command_t::empty(),
];

static mut HTTP_COMMANDS: [ngx_command_t; 7] = [
    command(
        ngx_string!("proxy_wasm"),
        (IN_HTTP | NGX_CONF_1MORE) as ngx_uint_t,
        conf::chain::proxy_wasm,
        NGX_HTTP_LOC_CONF_OFFSET,
    ),
    command(
        ngx_string!("wasm_upstream_select"),
        (NGX_HTTP_UPS_CONF | NGX_CONF_ANY) as ngx_uint_t,
        conf::select::wasm_upstream_select,
        NGX_HTTP_SRV_CONF_OFFSET,
    ),
    command(
        ngx_string!("proxy_wasm_isolation"),
        (IN_HTTP | NGX_CONF_TAKE1) as ngx_uint_t,
        conf::ignored::fixed,
        NGX_HTTP_LOC_CONF_OFFSET,
    ),
    command(
        ngx_string!("proxy_wasm_request_headers_in_access"),
        (IN_HTTP | NGX_CONF_TAKE1) as ngx_uint_t,
        conf::ignored::fixed,
        NGX_HTTP_LOC_CONF_OFFSET,
    ),
    command(
        ngx_string!("proxy_wasm_log_dispatch_errors"),
        (IN_HTTP | NGX_CONF_TAKE12) as ngx_uint_t,
        conf::ignored::directive,
        NGX_HTTP_LOC_CONF_OFFSET,
    ),
    command(
        ngx_string!("proxy_wasm_lua_resolver"),
        (IN_HTTP | NGX_CONF_TAKE12) as ngx_uint_t,
        conf::ignored::directive,
        NGX_HTTP_LOC_CONF_OFFSET,
    ),
    ngx_command_t::empty(),
];

static mut CORE_CONTEXT: ngx_core_module_t = ngx_core_module_t {
    name: ngx_string!("wasm"),
    create_conf: Some(conf::create),
    init_conf: Some(conf::init),
};

static mut WASM_CONTEXT: ngx_core_module_t =
    ngx_core_module_t { name: ngx_string!("wasm_block"), create_conf: None, init_conf: None };

static mut HTTP_CONTEXT: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: Some(counters::add_variables),
    postconfiguration: Some(postconfiguration),
    create_main_conf: None,
    init_main_conf: None,
    create_srv_conf: Some(conf::select::create),
    merge_srv_conf: None,
    create_loc_conf: Some(conf::chain::create),
    merge_loc_conf: Some(conf::chain::merge),
};

/// Owns `wasm { }` and what follows from it.
#[unsafe(no_mangle)]
pub static mut ngx_wasm_core_module: ngx_module_t = ngx_module_t {
    ctx: (&raw mut CORE_CONTEXT).cast(),
    commands: (&raw mut CORE_COMMANDS).cast(),
    type_: NGX_CORE_MODULE as ngx_uint_t,
    init_process: Some(process::init_process),
    exit_process: Some(process::exit_process),
    ..ngx_module_t::default()
};

/// Owns the directives inside of it: of a type of its own, so that they mean nothing elsewhere.
#[unsafe(no_mangle)]
pub static mut ngx_wasm_block_module: ngx_module_t = ngx_module_t {
    ctx: (&raw mut WASM_CONTEXT).cast(),
    commands: (&raw mut WASM_COMMANDS).cast(),
    type_: conf::block::MODULE_TYPE,
    ..ngx_module_t::default()
};

#[unsafe(no_mangle)]
pub static mut ngx_http_wasm_module: ngx_module_t = ngx_module_t {
    ctx: (&raw mut HTTP_CONTEXT).cast(),
    commands: (&raw mut HTTP_COMMANDS).cast(),
    type_: NGX_HTTP_MODULE as ngx_uint_t,
    ..ngx_module_t::default()
};

// What nginx looks up when it loads the file. The order puts our filters where those of optional
// modules stand: behind nginx's `copy` filter, before `add_header`, compression and chunking.
#[unsafe(no_mangle)]
pub static mut ngx_modules: [*mut ngx_module_t; 4] = [
    &raw mut ngx_wasm_core_module,
    &raw mut ngx_wasm_block_module,
    &raw mut ngx_http_wasm_module,
    null_mut(),
];

#[unsafe(no_mangle)]
pub static mut ngx_module_names: [*const c_char; 4] = [
    c"ngx_wasm_core_module".as_ptr(),
    c"ngx_wasm_block_module".as_ptr(),
    c"ngx_http_wasm_module".as_ptr(),
    null(),
];

#[unsafe(no_mangle)]
pub static mut ngx_module_order: [*const c_char; 3] =
    [c"ngx_http_wasm_module".as_ptr(), c"ngx_http_copy_filter_module".as_ptr(), null()];
