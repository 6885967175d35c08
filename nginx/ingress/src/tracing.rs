//! Tracing: a route's requests go on in their traces, and leave spans for the exporter.
//!
//! `ingress_tracing` declares the ring of finished spans (wick-tracing has it) and says what is sampled; routes say that they are traced.
//! The handler of routes begins the request's span and has the backend told of it, the log phase writes the span into the ring if it is
//! sampled, and a location with `ingress_spans_read` hands finished ones out. Nothing here waits for anything, and nothing is sent.

mod attempts;
mod b3;
mod begin;
mod conf;
mod directive;
mod finish;
mod index;
mod read;
mod variables;

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_NOARGS, NGX_HTTP_LOC_CONF, NGX_HTTP_MAIN_CONF,
    ngx_http_phases_NGX_HTTP_LOG_PHASE,
};
use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::phase::add_handler;

pub use self::begin::begin;
use self::conf::MainConf;
pub use self::conf::has_begun;
use self::index::MODULE;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_tracing": NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, main_conf => directive::ingress_tracing;
        "ingress_spans_read": NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS => read::ingress_spans_read;
    }
    main_conf: MainConf,
    preconfiguration: variables::declare,
    postconfiguration: install,
}

fn install(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`; our configuration was created.
    match unsafe { &(*conf.http_main::<MainConf>(MODULE.get())).0 } {
        Some(_) => add_handler(conf, ngx_http_phases_NGX_HTTP_LOG_PHASE, finish::log),
        None => Some(()),
    }
}
