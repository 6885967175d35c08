//! A request comes to a route with a firewall.

use std::rc::Rc;

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_SERVICE_UNAVAILABLE, ngx_int_t};
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::{Route, Waf};
use wick_waf::transaction_id;

use super::conf::{MODULE, MainConf};
use super::inspection::{Inspection, Step};
use super::request::inspect_head;
use super::sets::{self, Set};
use crate::limited_log::LimitedLog;
use crate::template::Prepared;

/// What a route says, as a worker keeps it.
pub struct ReadyWaf {
    pub said: Rc<Waf>,
    pub transaction_id: Prepared,
}

impl ReadyWaf {
    /// `None`: the route has none.
    pub fn of(route: &Route) -> Option<Rc<ReadyWaf>> {
        let said = route.waf.clone()?;
        Some(Rc::new(ReadyWaf { said, transaction_id: Prepared::default() }))
    }
}

thread_local! {
    static ERRORS: LimitedLog = LimitedLog::default();
}

/// Inspects the request's line and headers; what can only be done later is done in the phase before access.
///
/// # Errors: the answer for nginx.
pub fn begin(r: Request, waf: &Rc<ReadyWaf>, id: Option<&[u8]>) -> Result<(), ngx_int_t> {
    if let Some(inspection) = Inspection::of(r) {
        // It has been led here inside: what is left to inspect is inspected here.
        inspection.put_here(r);
        return Ok(());
    }
    let id = id.filter(|id| !id.is_empty()).or_else(|| Variable::resolve(r, b"req_id").get(r));
    let id = transaction_id(id.unwrap_or_default());
    let step = Step::Waits { since_ms: sets::now_ms() };
    let inspection = Inspection::new(r, waf.clone(), id, step).keep(r);
    let inspection = inspection.ok_or(NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t)?;
    inspection.put_here(r);
    match ask(r, waf) {
        Set::Ready(set) => inspect_head(r, inspection, &set),
        Set::Wait => Ok(()),
        Set::Failed(why) => without(r, inspection, &why),
    }
}

pub fn ask(r: Request, waf: &ReadyWaf) -> Set {
    // SAFETY: the module's main configuration.
    let main = unsafe { &*r.main_conf::<MainConf>(MODULE.get()) };
    match &main.places {
        Some(places) => sets::ask(places, &waf.said),
        None => Set::Failed("the configuration has no \"ingress_modsecurity\"".into()),
    }
}

/// Nobody can inspect the request.
///
/// # Errors: it must not pass without.
#[cold]
pub fn without(r: Request, inspection: &Inspection, why: &str) -> Result<(), ngx_int_t> {
    ERRORS.with(|errors| {
        errors.cannot_serve(r, format_args!("nothing can inspect its requests: {why}"));
    });
    inspection.step.set(Step::Over);
    match inspection.waf.said.fails_open {
        true => Ok(()),
        false => Err(NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t),
    }
}
