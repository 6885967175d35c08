//! Request metrics: what becomes of each request, counted in shared memory when its log line would be written.
//!
//! `ingress_metrics` declares the table (wick-metrics has it), `ingress_count_requests` says where requests are counted, and a location
//! with `ingress_metrics_read` prints the numbers. `ingress_endpoint_metrics` declares another one, for each endpoint's attempts. The handler of routes notes with the request which set of labels its route has, a
//! number: so a request costs no text.

mod attempt;
mod canaries;
mod conf;
mod count;
mod directive;
mod endpoint_count;
mod endpoint_directive;
mod endpoint_read;
mod endpoint_table;
mod index;
mod noted;
mod parameters;
mod read;
pub mod session_count;
mod shared;
mod table;

use std::cell::Cell;

use ngx::ffi::{
    NGX_CONF_1MORE, NGX_CONF_FLAG, NGX_CONF_NOARGS, NGX_HTTP_LOC_CONF, NGX_HTTP_MAIN_CONF,
    NGX_HTTP_SRV_CONF, ngx_cycle_t, ngx_http_phases_NGX_HTTP_LOG_PHASE,
};
use wick_metrics::{Handle, Labels};
use wick_native::conf::Conf;
use wick_native::http_module;
use wick_native::module::http_main_of_cycle;
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_routes::{Route, Value};

use self::conf::{LocConf, MainConf};
use self::index::MODULE;
use self::noted::{UNCOUNTED, metrics, note};
use self::table::Metrics;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_metrics": NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, main_conf => directive::ingress_metrics;
        "ingress_count_requests": NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF | NGX_CONF_FLAG, loc_conf
            => directive::ingress_count_requests;
        "ingress_metrics_read": NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS => read::ingress_metrics_read;
        "ingress_endpoint_metrics": NGX_HTTP_MAIN_CONF | NGX_CONF_1MORE, main_conf
            => endpoint_directive::ingress_endpoint_metrics;
        "ingress_endpoint_metrics_read": NGX_HTTP_LOC_CONF | NGX_CONF_NOARGS
            => endpoint_read::ingress_endpoint_metrics_read;
    }
    main_conf: MainConf,
    loc_conf: LocConf,
    merge_loc_conf: LocConf::inherit,
    postconfiguration: install,
}

fn install(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`; our configuration was created.
    let main = unsafe { &*conf.http_main::<MainConf>(MODULE.get()) };
    if main.requests.is_none() && main.endpoints.is_none() {
        return Some(());
    }
    let is_native = main.requests.as_ref().is_some_and(|metrics| metrics.settings.is_native);
    let log = if is_native { count::log::<true> } else { count::log::<false> };
    add_handler(conf, ngx_http_phases_NGX_HTTP_LOG_PHASE, log)
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

/// Where a route keeps its set of labels, once it was looked for.
#[derive(Default)]
pub struct Slot(Cell<Option<Handle>>);

/// The request has found its route.
#[inline]
pub fn note_route(r: Request, slot: &Slot, route: &Route) {
    note_service(r, slot, route, route.value(Value::ServiceName));
}

/// The request has found its route, and which of several Services it is for.
#[inline]
pub fn note_service(r: Request, slot: &Slot, route: &Route, service: &[u8]) {
    if let Some(metrics) = metrics(r) {
        let known = slot.0.get().filter(|handle| metrics.table().is_current(*handle));
        let bits = known.map_or_else(|| find(metrics, slot, route, service), Handle::to_bits);
        note(r, metrics, bits);
    }
}

/// There is none for the request.
#[cold]
pub fn note_no_route(r: Request) {
    if let Some(metrics) = metrics(r) {
        note(r, metrics, of_nobody(metrics));
    }
}

#[cold]
fn find(metrics: &Metrics, slot: &Slot, route: &Route, service: &[u8]) -> u64 {
    let value = |value| route.value(value);
    if value(Value::Namespace).is_empty() {
        return of_nobody(metrics);
    }
    let handle = metrics.set(&Labels {
        namespace: value(Value::Namespace),
        ingress: value(Value::IngressName),
        service,
        canary: b"",
        path: value(Value::LocationPath),
        rule: route.rule(),
        host: metrics.settings.has_host.then(|| value(Value::Host)),
    });
    slot.0.set(Some(handle));
    handle.to_bits()
}

/// Of requests that no Ingress is for.
fn of_nobody(metrics: &Metrics) -> u64 {
    if metrics.settings.counts_undefined { metrics.nobody().to_bits() } else { UNCOUNTED }
}
