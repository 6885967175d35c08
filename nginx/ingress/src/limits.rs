//! How much a client may request: the phase before access, of requests whose route has limits.
//!
//! What clients have requested lies in a zone that the directive `ingress_limits` declares (wick-limits has the arithmetic), common
//! to all workers and kept over reloads. The handler of routes leaves the route's limits with the request. A request that
//! nginx redirects inside is not counted again, as with nginx's own modules, which are asked after ours.
//! `$ingress_limits_shortages` says how often the zone was too small.

mod asked;
mod directive;
mod headers;
mod route;
mod zone;

use std::cell::Cell;
use std::rc::Rc;

use ngx::ffi::{
    NGX_CONF_TAKE4, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_MAIN_CONF,
    NGX_HTTP_SERVICE_UNAVAILABLE, NGX_LOG_ERR, ngx_cycle, ngx_http_phases_NGX_HTTP_PREACCESS_PHASE,
    ngx_http_request_t, ngx_int_t,
};
use wick_limits::{Answer, Connection};
use wick_native::code::DECLINED;
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::module::http_main_of_cycle;
use wick_native::phase::add_handler;
use wick_native::request::Request;
use wick_native::variable::{Printed, declare_printed};
use wick_native::{http_module, log};

use self::directive::{MODULE, MainConf};
pub use self::route::{RouteLimits, hash};
pub use self::zone::LimitZone;

http_module! {
    pub static TABLE at MODULE;
    directives {
        "ingress_limits": NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE4, main_conf => directive::ingress_limits;
    }
    main_conf: MainConf,
    preconfiguration: declare,
    postconfiguration: install,
}

fn declare(conf: Conf) -> Option<()> {
    asked::declare(conf)?;
    declare_printed::<Shortages>(conf, b"ingress_limits_shortages")
}

struct Shortages;

impl Printed for Shortages {
    type Value = u64;

    fn get(r: Request) -> Option<u64> {
        // SAFETY: the module's main configuration.
        let main = unsafe { &*r.main_conf::<MainConf>(MODULE.get()) };
        main.zone.map(LimitZone::shortages)
    }
}

/// The table of the configuration in force; `None`: it has none.
pub fn zone() -> Option<LimitZone> {
    // SAFETY: the cycle in force; the module's main configuration.
    unsafe { http_main_of_cycle::<MainConf>(ngx_cycle, MODULE.get()) }.and_then(|main| main.zone)
}

fn install(conf: Conf) -> Option<()> {
    add_handler(conf, ngx_http_phases_NGX_HTTP_PREACCESS_PHASE, preaccess)
}

/// What a request has of its route's limits.
struct Kept {
    limits: Rc<RouteLimits>,
    /// The decoded path that the route was found by. It lives as long as the request.
    path: *const [u8],
    /// Given back at its end.
    connection: Cell<Option<(LimitZone, Connection)>>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some((zone, connection)) = self.connection.get() {
            zone.give_back(connection);
        }
    }
}

/// Has the request counted when it gets to its phase. `path`: that it asks for, which may have been rewritten by then. `None`: out of memory.
#[inline(never)] // most requests have none
pub fn keep<'r>(r: Request<'r>, limits: &Rc<RouteLimits>, path: &'r [u8]) -> Option<()> {
    let kept = Kept { limits: limits.clone(), path, connection: Cell::new(None) };
    let kept = r.pool().keep(kept)?;
    // SAFETY: a registered HTTP module.
    unsafe { r.set_ctx(MODULE.get(), kept.as_ptr()) };
    Some(())
}

// Most requests have no limits. Theirs go on before anything is set up that only the others need.
unsafe extern "C" fn preaccess(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: handlers get live requests; the type is what `keep` stored.
    let (r, kept) = unsafe {
        let r = Request::from_raw(r);
        (r, r.ctx::<Kept>(MODULE.get()).as_ref())
    };
    kept.map_or(DECLINED, |kept| limit(r, kept))
}

#[inline(never)]
fn limit(r: Request, kept: &Kept) -> ngx_int_t {
    if asked::was(r) || kept.limits.exempts(r) {
        return DECLINED;
    }
    // SAFETY: the module's main configuration; a path that lives as long as the request.
    let (main, path) = unsafe { (&*r.main_conf::<MainConf>(MODULE.get()), &*kept.path) };
    guard(NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t, || {
        let Some(zone) = main.zone else { return NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t };
        let RouteLimits { limits, namespace, .. } = &*kept.limits;
        match zone.ask(limits, *namespace, |seed| kept.limits.client(r, path, seed)) {
            Answer::Granted(connection, standing) => {
                kept.connection.set(connection.map(|connection| (zone, connection)));
                asked::pass(r, connection.is_some());
                headers::granted(r, &kept.limits.limits, standing);
                DECLINED
            }
            Answer::TooFast(nth, excess) => too_fast(r, kept, main, nth, excess),
            Answer::TooMany => too_many(r, kept, main),
        }
    })
}

// The words of nginx's own modules, which tools look for in the log.

#[cold]
fn too_fast(r: Request, kept: &Kept, main: &MainConf, nth: usize, excess: u64) -> ngx_int_t {
    let (name, suffix) = (&kept.limits.name, ["rps", "rpm"][nth]);
    let (whole, thousandths) = (excess / 1000, excess % 1000);
    let line = format_args!(
        "limiting requests, excess: {whole}.{thousandths:03} by zone \"{name}_{suffix}\""
    );
    log::write(r.log(), NGX_LOG_ERR as usize, line);
    asked::refuse_request(r);
    headers::refused(r, &kept.limits.limits, nth, excess);
    kept.limits.request_status.unwrap_or(main.request_status)
}

#[cold]
fn too_many(r: Request, kept: &Kept, main: &MainConf) -> ngx_int_t {
    let line = format_args!("limiting connections by zone \"{}_conn\"", kept.limits.name);
    log::write(r.log(), NGX_LOG_ERR as usize, line);
    asked::refuse_connection(r);
    kept.limits.connection_status.unwrap_or(main.connection_status)
}
