//! A request comes to a route with a firewall.

use std::rc::Rc;

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_SERVICE_UNAVAILABLE, ngx_int_t};
use wick_metrics::Outcome;
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_native::wake::Wake;
use wick_waf::transaction_id;

use super::conf::{MODULE, MainConf};
use super::inspection::{Inspection, Step};
use super::ready::ReadyWaf;
use super::request::inspect_head;
use super::sets::{self, Set};
use crate::limited_log::LimitedLog;

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

thread_local! {
    static ERRORS: LimitedLog = LimitedLog::default();
}

/// How long a request waits for its rules.
const PATIENCE_MS: u64 = 10_000;

/// Whether the request's rules are there, or cannot be; it may go on then. Else its handler is called again when it is worth asking.
///
/// # Errors: out of memory.
pub fn is_ready(r: Request, waf: &Rc<ReadyWaf>) -> Result<bool, ngx_int_t> {
    let inspection = match Inspection::of(r) {
        Some(inspection) => inspection,
        None => Inspection::new(r, waf.clone(), sets::now_ms()).keep(r).ok_or(INTERNAL_ERROR)?,
    };
    let Step::Waits { since_ms } = inspection.step.get() else { return Ok(true) };
    if !matches!(ask(r, waf), Set::Wait) || sets::now_ms() >= since_ms + PATIENCE_MS {
        return Ok(true);
    }
    // SAFETY: the inspection has it, which the request keeps.
    sets::wait(inspection.wake.get_or_init(|| unsafe { Wake::of(r) }));
    Ok(false)
}

/// Whether the request is called again because it has waited.
pub fn has_waited(r: Request) -> bool {
    Inspection::of(r).is_some_and(|it| matches!(it.step.get(), Step::Waits { .. }))
}

/// What became of a request that rules were to look at; `None`: there were none, or it left before.
#[inline]
pub fn outcome(r: Request) -> Option<Outcome> {
    Inspection::of(r)?.outcome.get()
}

/// Inspects the request's line and headers, once [`is_ready`]; the body is in the phase before access. `id`: what logs call it.
///
/// # Errors: the answer for nginx.
pub fn begin(r: Request, id: Option<&[u8]>) -> Result<(), ngx_int_t> {
    let Some(inspection) = Inspection::of(r) else { return Err(INTERNAL_ERROR) };
    // It may have been led here inside: what is left to inspect is inspected here.
    inspection.put_here(r);
    if !matches!(inspection.step.get(), Step::Waits { .. }) {
        return Ok(());
    }
    match ask(r, &inspection.waf) {
        Set::Ready(set) => {
            let own = || Variable::resolve(r, b"req_id").get(r);
            let id = id.filter(|id| !id.is_empty()).or_else(own);
            inspect_head(r, inspection, &set, &transaction_id(id.unwrap_or_default()))
        }
        Set::Wait => without(r, inspection, "its rules take too long to compile"),
        Set::Failed(why) => without(r, inspection, &why),
    }
}

fn ask(r: Request, waf: &ReadyWaf) -> Set {
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
fn without(r: Request, inspection: &Inspection, why: &str) -> Result<(), ngx_int_t> {
    ERRORS.with(|errors| {
        errors.cannot_serve(r, format_args!("nothing can inspect its requests: {why}"));
    });
    inspection.step.set(Step::Over);
    let (outcome, result) = match inspection.waf.said.fails_open {
        true => (Outcome::Unseen, Ok(())),
        false => (Outcome::Closed, Err(NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t)),
    };
    inspection.outcome.set(Some(outcome));
    result
}
