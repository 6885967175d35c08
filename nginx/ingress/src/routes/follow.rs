//! What a request meets in the route that was found for it, in order, before the handlers of the route's location are called.

use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_NO_CONTENT, NGX_HTTP_REQUEST_ENTITY_TOO_LARGE,
    NGX_HTTP_SERVICE_UNAVAILABLE, NGX_LOG_ERR, ngx_http_discard_request_body, ngx_int_t,
};
use wick_native::bits;
use wick_native::code::DONE;
use wick_native::log;
use wick_native::request::Request;
use wick_routes::{Action, RecordError, Route};

use super::actions::act;
use super::answer::{Next, answer, lead_away};
use super::conf::MainConf;
use super::explain;
use super::patterns::Search;
use super::ready::{Found, Target};
use super::route_script::{RouteScript, Scripted};
use super::split::Drawn;
use super::table::RouteTable;
use super::templates::{Filling, Purpose};
use super::way::{Way, enter, prepare_service};
use crate::loops::{self, Passed};
use crate::metrics::Slot;
use crate::waf::ReadyWaf;
use crate::{access, headers, limits, metrics, tracing, waf};

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
const NO_CONTENT: ngx_int_t = NGX_HTTP_NO_CONTENT as ngx_int_t;
const UNAVAILABLE: ngx_int_t = NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t;
/// RFC 5842; nginx has no name for it.
const LOOP_DETECTED: ngx_int_t = 508;
const TOO_LARGE: ngx_int_t = NGX_HTTP_REQUEST_ENTITY_TOO_LARGE as ngx_int_t;

/// Leads the request into the location of its route. `is_scripted`: the host has scripts.
///
/// # Errors: the answer for nginx. Where what the route brings along cannot be made, the log says why.
pub fn follow<'r>(
    r: Request<'r>,
    found: &Found<'_>,
    is_scripted: bool,
    search: &mut Search<'r>,
    table: &RouteTable,
    main: &MainConf,
) -> Result<Next, ngx_int_t> {
    let Found { route, target, slot, action, .. } = *found;
    let explains = table.explains();
    await_rules(r, target, explains)?;
    let followed = Followed { r, path: r.uri(), route, drawn: draw(route, target), explains, main };
    followed.note(slot);
    let filling = Filling::new(r, &main.worker, route, is_scripted);
    followed.write_values().ok_or(INTERNAL_ERROR)?;
    followed.trace(target, is_scripted, &filling).ok_or(INTERNAL_ERROR)?;
    let Some(target) = target else { return Err(without_target(r, route, main)) };
    let templates = target.templates.as_deref();
    followed.enter(target, &filling)?;
    followed.answer_early(target, &filling)?;
    let Scripted { filling, is_own, leads_away } =
        followed.run_script(action, target, filling, search)?;
    if leads_away {
        return Ok(lead_away(is_own, route, templates, table, &filling));
    }
    followed.act(target).ok_or(INTERNAL_ERROR)?;
    followed.keep(target)?;
    let refuses = target.checks.is_some() || target.limits.is_some() || target.waf.is_some();
    let is_checked = !explains && refuses;
    let drawn = followed.drawn;
    Ok(answer(action, is_own, route, drawn, templates, table, &filling, is_checked))
}

/// # Errors: the answer for nginx, or that the request waits.
#[inline(always)] // Called once, as each step below.
fn await_rules(r: Request, target: Option<&Target>, explains: bool) -> Result<(), ngx_int_t> {
    let waf = target.and_then(|target| target.waf.as_ref());
    match waf.filter(|_| !explains) {
        Some(waf) if !waf::is_ready(r, waf)? => Err(DONE),
        _ => Ok(()),
    }
}

#[inline(always)]
fn draw<'h>(route: &'h Route, target: Option<&'h Target>) -> Drawn<'h> {
    match (&route.split, target.and_then(|target| target.split.as_deref())) {
        (Some(split), Some(of_target)) => of_target.draw(split),
        _ => Drawn::Whole,
    }
}

/// A request and its route.
struct Followed<'r, 'h> {
    r: Request<'r>,
    /// The path that the route was found by; scripts and rewriting may change the request's.
    path: &'r [u8],
    route: &'h Route,
    drawn: Drawn<'h>,
    /// It is only asked what would become of such a request.
    explains: bool,
    main: &'h MainConf,
}

impl<'r> Followed<'r, '_> {
    #[inline(always)]
    fn note(&self, slot: &Slot) {
        match self.drawn.one() {
            Some((backend, share)) => {
                metrics::note_service(self.r, &share.slot, self.route, &backend.service_name);
            }
            None => metrics::note_route(self.r, slot, self.route),
        }
    }

    /// Those of the route that the request had before are forgotten. `None`: out of memory.
    #[inline(always)]
    fn write_values(&self) -> Option<()> {
        let Followed { r, main, .. } = *self;
        if main.variables.are_written(r) {
            main.route_variables.clear(r);
        }
        main.variables.write(r, self.route)?;
        self.drawn.one().map_or(Some(()), |(backend, _)| main.variables.write_backend(r, backend))
    }

    /// `None`: as of [`Filling::fill`].
    #[inline(always)]
    fn trace(
        &self,
        target: Option<&Target>,
        is_scripted: bool,
        filling: &Filling<'_, 'r>,
    ) -> Option<()> {
        let Some(how) = &self.route.tracing else { return Some(()) };
        if self.explains || is_scripted && tracing::has_begun(self.r) {
            return Some(());
        }
        let templates = target.and_then(|target| target.templates.as_deref());
        let name = || match (&how.span_name, templates) {
            (Some(name), Some(templates)) => {
                filling.fill(&templates.span_name, name, Purpose::Path)
            }
            _ => Some(&b""[..]),
        };
        tracing::begin(self.r, how.begins_trace, name)
    }

    /// From here on limits, error pages and the rest are those of the route's location, and variables are what the route says.
    #[inline(always)]
    fn enter(&self, target: &Target, filling: &Filling<'_, 'r>) -> Result<(), ngx_int_t> {
        let Followed { r, route, main, .. } = *self;
        let way = Way::of(route, target, self.drawn);
        if let Err(why) = enter(r, &way, route, &main.patches) {
            return Err(unavailable(r, main, format_args!("{why}")));
        }
        if let Some(templates) = target.templates.as_deref() {
            main.route_variables.write(route, templates, filling).ok_or(INTERNAL_ERROR)?;
        }
        if let Some((_, share)) = self.drawn.one() {
            share.variables.write(r).ok_or(INTERNAL_ERROR)?;
        }
        Ok(())
    }

    /// What answers before scripts are run: rules of the firewall, CORS to a preflight, the limit of a body to its length.
    #[inline(always)]
    fn answer_early(&self, target: &Target, filling: &Filling<'_, '_>) -> Result<(), ngx_int_t> {
        let r = self.r;
        let headers = self.drawn.one().map_or(&target.headers, |(_, share)| &share.headers);
        if let Some(headers) = headers {
            headers::keep(r, headers).ok_or(INTERNAL_ERROR)?;
        }
        if let Some(waf) = target.waf.as_ref().filter(|_| !self.explains) {
            inspect(waf, filling)?;
        }
        if let Some(headers) = headers
            && headers.answer_preflight(r).ok_or(INTERNAL_ERROR)?
        {
            return Err(NO_CONTENT);
        }
        if body_is_too_large(r) { Err(too_large(r)) } else { Ok(()) }
    }

    /// Without a script nothing changes.
    #[inline(always)]
    fn run_script<'a>(
        &self,
        action: Action,
        target: &Target,
        filling: Filling<'a, 'r>,
        search: &mut Search<'r>,
    ) -> Result<Scripted<'a, 'r>, ngx_int_t> {
        let Some(script) = &target.script else { return Ok(Scripted::untouched(filling)) };
        let Followed { route, main, .. } = *self;
        let templates = target.templates.as_deref();
        let script = RouteScript { route, script, templates, main };
        let is_entered = action == Action::Enter;
        match self.explains {
            false => script.run(is_entered, filling, search),
            true if is_entered => script.explain(filling, search).ok_or(INTERNAL_ERROR),
            true => Ok(Scripted::untouched(filling)),
        }
    }

    /// `None`: out of memory.
    #[inline(always)]
    fn act(&self, target: &Target) -> Option<()> {
        let own = target.actions.as_deref();
        let of_drawn = self.drawn.one().and_then(|(_, share)| share.actions.as_deref());
        if own.is_none() && of_drawn.is_none() || self.explains {
            return Some(());
        }
        act(self.r, own, of_drawn, &self.main.patches)
    }

    /// Keeps with the request who checks it in later phases.
    #[inline(always)]
    fn keep(&self, target: &Target) -> Result<(), ngx_int_t> {
        let Followed { r, route, explains, main, .. } = *self;
        if let Some(checks) = &target.checks {
            let asks_service = !explains || explain::asks_service(r);
            if asks_service && let Err(why) = prepare_service(checks, route, &main.patches) {
                return Err(unavailable(r, main, format_args!("{why}")));
            }
            let kept = if explains {
                access::keep_explained(r, checks, asks_service)
            } else {
                access::keep(r, checks)
            };
            kept.ok_or(INTERNAL_ERROR)?;
        }
        if let Some(of_route) = target.limits.as_ref().filter(|_| !explains) {
            limits::keep(r, of_route, self.path).ok_or(INTERNAL_ERROR)?;
        }
        match loops::pass(r) {
            Passed::On => Ok(()),
            Passed::TooOften => Err(LOOP_DETECTED),
            Passed::OutOfMemory => Err(INTERNAL_ERROR),
        }
    }
}

/// Has the firewall look at the request, before anything answers it.
///
/// # Errors: the answer for nginx.
#[inline(never)] // Most routes have none.
fn inspect(waf: &Rc<ReadyWaf>, filling: &Filling<'_, '_>) -> Result<(), ngx_int_t> {
    let template = waf.said.transaction_id.as_ref();
    let id = template.map(|id| filling.fill(&waf.transaction_id, id, Purpose::Path));
    waf::begin(filling.r, id.flatten())
}

/// nginx compares a body's announced length with the limit when it finds a location, which was not the route's.
fn body_is_too_large(r: Request) -> bool {
    // SAFETY: a live request.
    unsafe {
        let limit = r.core_loc().as_ref().client_max_body_size;
        let len = (*r.as_ptr()).headers_in.content_length_n;
        len != -1 && limit != 0 && limit < len && !bits::request::DISCARD_BODY.is_set(r.as_ptr())
    }
}

fn too_large(r: Request) -> ngx_int_t {
    // SAFETY: a live request.
    unsafe {
        let len = (*r.as_ptr()).headers_in.content_length_n;
        let line = format_args!("client intended to send too large body: {len} bytes");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
        bits::request::EXPECT_TESTED.set(r.as_ptr(), 1);
        ngx_http_discard_request_body(r.as_ptr());
    }
    TOO_LARGE
}

#[cold]
fn without_target(r: Request, route: &Route, main: &MainConf) -> ngx_int_t {
    if let Some(id) = route.unknown {
        return unavailable(r, main, format_args!("its route: {}", RecordError::Critical(id)));
    }
    let service = route.access.as_deref().and_then(|access| access.external.as_deref());
    let location = route.location().escape_ascii();
    match service.map(|service| service.location.escape_ascii()) {
        Some(service) => unavailable(
            r,
            main,
            format_args!("location \"{location}\" or \"{service}\" is not in the configuration"),
        ),
        None => unavailable(
            r,
            main,
            format_args!("location \"{location}\" is not in the configuration"),
        ),
    }
}

/// The answer to a request that cannot be served; the log says why.
#[cold]
pub fn unavailable(r: Request, main: &MainConf, why: std::fmt::Arguments<'_>) -> ngx_int_t {
    main.worker.errors.cannot_serve(r, why);
    UNAVAILABLE
}
