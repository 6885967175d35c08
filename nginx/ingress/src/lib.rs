//! ngx_http_ingress_module: routes and certificates of shared zones, found and put in force.
//!
//! In comes a request in a location that carries `ingress_route`; the record of its host in the shared zone says which
//! policy, a named location of the same server block, serves it. The request goes on there, with the route's values as
//! variables and the route's numbers in force. TLS handshakes get their certificates the same way. The module knows
//! neither Wasm nor Kubernetes objects, and not who fills the zones.

mod accel;
mod answer;
mod clients;
mod complaints;
mod conf;
mod explain;
mod forwarded;
mod headers;
mod jump;
mod overrides;
mod passthrough;
mod patterns;
mod policies;
mod redirect;
mod rewrite;
mod route_defaults;
mod route_variables;
mod table;
mod templates;
mod tls;
mod variables;
mod zone;

use std::ffi::{CStr, c_char, c_void};
use std::ptr::{null, null_mut};

use ngx::ffi::{
    NGX_CONF_TAKE2, NGX_CONF_TAKE5, NGX_CONF_TAKE1234, NGX_CORE_MODULE, NGX_HTTP_LOC_CONF,
    NGX_HTTP_MAIN_CONF, NGX_HTTP_MODULE, ngx_command_t, ngx_core_module_t, ngx_cycle_t,
    ngx_http_module_t, ngx_module_t,
};
use ngx::ngx_string;
use wick_native::conf::{CONF_ERROR, CONF_OK};
use wick_native::guard::guard;
use wick_native::module::{NO_HOOKS, command};

/// Where a handler of an HTTP location's directive finds its configuration.
const LOC_CONF_OFFSET: usize = std::mem::offset_of!(ngx::ffi::ngx_http_conf_ctx_t, loc_conf);

static mut COMMANDS: [ngx_command_t; 3] = [
    command(
        ngx_string!("ingress_route"),
        (NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1234 | NGX_CONF_TAKE5) as usize,
        conf::ingress_route,
        LOC_CONF_OFFSET,
    ),
    command(
        ngx_string!("ingress_route_default"),
        (NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2) as usize,
        route_defaults::directive,
        0,
    ),
    ngx_command_t::empty(),
];

static mut HTTP: ngx_http_module_t = ngx_http_module_t {
    preconfiguration: Some(conf::preconfiguration),
    postconfiguration: Some(conf::postconfiguration),
    create_main_conf: Some(conf::create_main_conf),
    create_loc_conf: Some(conf::create_loc_conf),
    // Nothing is handed down: a policy that inherited `ingress_route` would send its requests round for ever.
    merge_loc_conf: None,
    ..NO_HOOKS
};

/// The module itself.
static mut INGRESS: ngx_module_t = ngx_module_t {
    ctx: (&raw mut HTTP).cast(),
    commands: (&raw mut COMMANDS).cast(),
    type_: NGX_HTTP_MODULE as usize,
    ..ngx_module_t::default()
};

static mut CORE: ngx_core_module_t =
    ngx_core_module_t { name: ngx_string!("ingress"), create_conf: None, init_conf: Some(check) };

/// Looks at the configuration once all of it, inside and outside `http`, was read.
static mut CHECK: ngx_module_t = ngx_module_t {
    ctx: (&raw mut CORE).cast(),
    commands: null_mut(),
    type_: NGX_CORE_MODULE as usize,
    ..ngx_module_t::default()
};

/// Refuses what only shows when the whole configuration is known.
unsafe extern "C" fn check(cycle: *mut ngx_cycle_t, _: *mut c_void) -> *mut c_char {
    guard(CONF_ERROR, || {
        // SAFETY: nginx calls with a cycle whose configuration was read.
        let holds = unsafe { conf::check_zones(cycle).and_then(|()| passthrough::check(cycle)) };
        holds.map_or(CONF_ERROR, |()| CONF_OK)
    })
}

/// The module, for finding its configurations and contexts.
pub(crate) fn this() -> &'static ngx_module_t {
    let module = &raw const INGRESS;
    // SAFETY: nginx writes the indexes before it calls any of our functions, and nothing afterwards.
    unsafe { &*module }
}

/// What `load_module` looks for.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_modules: [*const ngx_module_t; 7] = [
    &raw const INGRESS,
    &raw const headers::MODULE,
    &raw const forwarded::MODULE,
    &raw const passthrough::MODULE,
    &raw const tls::MODULE,
    &raw const CHECK,
    null(),
];

#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_module_names: [*const c_char; 7] = [
    c"ngx_http_ingress_module".as_ptr(),
    HEADERS.as_ptr(),
    c"ngx_http_ingress_forwarded_module".as_ptr(),
    c"ngx_http_ingress_passthrough_module".as_ptr(),
    c"ngx_http_ingress_tls_module".as_ptr(),
    c"ngx_ingress_check_module".as_ptr(),
    null(),
];

const HEADERS: &CStr = c"ngx_http_ingress_headers_module";

/// Ahead of `add_header`'s module in nginx's list, so that our filter is called after it. The others come last in the
/// list, so that their handlers are called first.
#[unsafe(no_mangle)]
#[allow(non_upper_case_globals)]
pub static mut ngx_module_order: [*const c_char; 3] =
    [HEADERS.as_ptr(), c"ngx_http_headers_filter_module".as_ptr(), null()];
