//! ngx_http_ingress_module: routes and certificates of shared zones, found and put in force.
//!
//! In comes a request in a location that carries `ingress_route`; the record of its host in the shared zone says which
//! location, a named one of the same server block, serves it (`routes`). The request goes on there, with the route's
//! values as variables and the route's numbers in force. TLS handshakes get their certificates the same way (`tls`). The
//! crate knows neither Wasm nor Kubernetes objects, and not who fills the zones.
//!
//! Each of the modules below is one of nginx's, with its own directives, configuration and place in nginx's order, unless
//! it says otherwise. What is new and stands by itself becomes one more, in a file like `forwarded`.

mod accept;
mod access;
mod attempts;
mod client_headers; // part of `forwarded`
mod client_pause; // installed by `forwarded`
mod cors; // part of `headers`
mod drain;
mod escaped_log;
mod forwarded;
mod geo;
mod grpc_refusal; // installed by `forwarded`
mod headers;
mod hide;
mod host; // part of `forwarded`
mod http_listeners; // for those who come before HTTP
mod limited_log; // for all of them
mod limits;
mod literals; // for `routes` and `mirrors`
mod log_line;
mod loops;
mod matching; // for `routes` and `script`
mod metrics;
mod mirrors;
mod passthrough;
mod plain_http2;
mod proxy_header; // for those who peek
mod quic;
mod random; // for all of them
mod request_id;
mod routes;
mod script;
mod streams;
mod switching; // part of `forwarded`
mod template; // for all of them
mod tls;
mod tracing;
mod waf;
mod zone; // for all of them

use ngx::ffi::ngx_cycle_t;
use wick_native::{core_module, loadable_modules};

core_module! {
    /// Looks at the configuration once all of it, inside and outside `http`, was read; and has workers' logs escaped.
    static CHECK: "ingress";
    init_conf: check,
    init_process: escaped_log::begin,
    exit_process: end,
    exit_master: escaped_log::end,
}

/// A worker exits.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn end(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise.
    unsafe {
        waf::end(cycle);
        escaped_log::end(cycle);
    }
}

/// Refuses what only shows when the whole configuration is known.
///
/// # Safety
/// `cycle` is live and its configuration was read.
unsafe fn check(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        escaped_log::begin_early(cycle);
        routes::check(cycle)?;
        tls::check(cycle)?;
        metrics::check(cycle)?;
        passthrough::check(cycle)
    }
}

// `hide` is ahead of the thread pools'. `quic` is behind `accept`, which says whether this nginx reads anything. The filter of `headers` is ahead of `add_header`'s module in nginx's list, so that it is called after it. The others
// come last in the list, so that their handlers are called first.
loadable_modules! {
    "ngx_http_ingress_module": routes::TABLE,
    "ngx_http_ingress_access_module": access::TABLE,
    "ngx_http_ingress_auth_cache_module": access::KEPT,
    "ngx_http_ingress_clients_module": access::CLIENTS,
    "ngx_http_ingress_digest_module": access::NONCES,
    "ngx_http_ingress_attempts_module": attempts::TABLE,
    "ngx_http_ingress_mirrors_module": mirrors::TABLE,
    "ngx_http_ingress_waf_module": waf::TABLE,
    "ngx_http_ingress_limits_module": limits::TABLE,
    "ngx_http_ingress_log_line_module": log_line::TABLE,
    "ngx_http_ingress_loops_module": loops::TABLE,
    "ngx_http_ingress_metrics_module": metrics::TABLE,
    "ngx_http_ingress_script_module": script::TABLE,
    "ngx_http_ingress_tracing_module": tracing::TABLE,
    "ngx_http_ingress_geo_module": geo::TABLE,
    "ngx_http_ingress_headers_module": headers::TABLE,
    "ngx_http_ingress_effects_module": script::effects::TABLE,
    "ngx_http_ingress_drain_module": drain::TABLE,
    "ngx_http_ingress_forwarded_module": forwarded::TABLE,
    "ngx_http_ingress_passthrough_module": passthrough::TABLE,
    "ngx_http_ingress_plain_http2_module": plain_http2::TABLE,
    "ngx_stream_ingress_metrics_module": metrics::session_count::TABLE,
    "ngx_stream_ingress_streams_module": streams::TABLE,
    "ngx_http_ingress_streams_module": streams::OF_HTTP,
    "ngx_http_ingress_tls_module": tls::TABLE,
    "ngx_http_ingress_request_id_module": request_id::TABLE,
    "ngx_ingress_accept_module": accept::TABLE,
    "ngx_ingress_quic_module": quic::TABLE,
    "ngx_ingress_hide_module": hide::TABLE,
    "ngx_ingress_check_module": CHECK,
    order: ["ngx_ingress_hide_module", "ngx_thread_pool_module", "ngx_http_ingress_headers_module", "ngx_http_headers_filter_module"],
}
