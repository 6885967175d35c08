//! The module of `ingress_route`: finds a request's route and lets its named location serve it.
//!
//! `directive` reads the configuration into `conf`. `jump` is what a request meets: it checks the client (`clients`), and asks `table` for
//! the host and the route. `follow` is what it meets in that route: it fills in `variables`, enters the location with the route's
//! numbers (`way`, `overrides`), runs its script, and `answer` says how the request goes on.

mod accel;
mod actions;
mod answer;
mod backend_tls;
mod clients;
mod conf;
mod directive;
mod error_pages;
mod explain;
mod follow;
mod head;
mod jump;
mod locations;
pub mod overrides;
mod parameters;
mod patterns;
mod readings;
mod ready;
mod redirect;
mod replacement;
mod rewrite;
mod route_script;
mod scripts;
mod split;
mod table;
mod templates;
mod variables;
mod way;
mod worker;

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_NOARGS, NGX_CONF_TAKE1, NGX_CONF_TAKE2, NGX_CONF_TAKE5,
    NGX_CONF_TAKE6, NGX_CONF_TAKE1234, NGX_HTTP_LOC_CONF, NGX_HTTP_MAIN_CONF, ngx_cycle_t,
};
use wick_native::http_module;
use wick_native::module::http_main_of_cycle;

use self::conf::{LocConf, MODULE, MainConf};
use self::variables::defaults;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_route": NGX_HTTP_LOC_CONF | NGX_CONF_TAKE1234 | NGX_CONF_TAKE5 | NGX_CONF_TAKE6, loc_conf
            => directive::ingress_route;
        "ingress_route_max_overrides": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1 => directive::max_overrides;
        "ingress_route_page": NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS, loc_conf => directive::page;
        "ingress_backend_tls": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1 => directive::backend_tls;
        "ingress_error_pages": NGX_HTTP_LOC_CONF | NGX_CONF_1MORE => error_pages::directive;
        "ingress_route_default": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE2 => defaults::ingress_route_default;
    }
    main_conf: MainConf,
    // Nothing is handed down: a named location that inherited `ingress_route` would send its requests round for ever.
    loc_conf: LocConf,
    preconfiguration: directive::preconfiguration,
    postconfiguration: directive::postconfiguration,
}

/// Refuses a configuration that names a zone it does not have.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn check(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise.
    let (main, log) =
        unsafe { (http_main_of_cycle::<MainConf>(cycle, MODULE.get()), (*cycle).log) };
    main.map_or(Some(()), |main| main.zones.check(log))
}
