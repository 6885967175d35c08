//! What becomes of a request that is in its route's location: a redirect, a status, or the location's own answer.

use ngx::ffi::{
    NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_MOVED_PERMANENTLY, NGX_HTTP_NOT_FOUND,
    NGX_HTTP_SERVICE_UNAVAILABLE, ngx_http_request_t, ngx_int_t,
};
use wick_native::code::DECLINED;
use wick_native::request::Request;
use wick_routes::{Action, Redirect, Replacement, Route};

use super::split::Drawn;
use super::table::RouteTable;
use super::templates::{Filling, Prepared, Purpose, Templates};
use super::{readings, redirect, replacement, rewrite};
use crate::limited_log::shown;

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
const NOT_FOUND: ngx_int_t = NGX_HTTP_NOT_FOUND as ngx_int_t;
const UNAVAILABLE: ngx_int_t = NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t;
const MOVED: ngx_int_t = NGX_HTTP_MOVED_PERMANENTLY as ngx_int_t;

/// What becomes of a request next.
pub enum Next {
    /// For nginx: a status, or `DECLINED` to go on.
    Answer(ngx_int_t),
    /// Its path leads to another route.
    Search,
}

/// `is_own`: what the route has of the rewrite module counts.
///
/// `is_checked`: somebody may refuse the request, and is asked before a status that stands in the place of a backend.
#[expect(clippy::too_many_arguments, reason = "all that is known of a request at this point")]
#[inline(always)] // Called once.
pub fn answer(
    action: Action,
    is_own: bool,
    route: &Route,
    drawn: Drawn<'_>,
    templates: Option<&Templates>,
    table: &RouteTable,
    filling: &Filling<'_, '_>,
    is_checked: bool,
) -> Next {
    let r = filling.r;
    if action == Action::AddSlash {
        let answer = redirect::set_path(r, route.slashed_path()).map_or(INTERNAL_ERROR, |()| MOVED);
        return Next::Answer(answer);
    }
    let answer = redirected(is_own, route, templates, table, filling);
    Next::Answer(
        answer.unwrap_or_else(|| serve(is_own, route, drawn, templates, filling, is_checked)),
    )
}

/// Of a request that the route's script leads to another route: a redirect of this one comes before.
#[cold]
pub fn lead_away(
    is_own: bool,
    route: &Route,
    templates: Option<&Templates>,
    table: &RouteTable,
    filling: &Filling<'_, '_>,
) -> Next {
    let answer = redirected(is_own, route, templates, table, filling);
    answer.map_or(Next::Search, Next::Answer)
}

/// For nginx; `None`: the request gets no redirect of its route.
#[inline(always)] // Called once, but for scripts.
fn redirected(
    is_own: bool,
    route: &Route,
    templates: Option<&Templates>,
    table: &RouteTable,
    filling: &Filling<'_, '_>,
) -> Option<ngx_int_t> {
    let (redirect, prepared) =
        redirect_of(route, templates?, is_own, || table.is_plain(filling.r))?;
    Some(lead(route, redirect, prepared, filling).unwrap_or(INTERNAL_ERROR))
}

/// For nginx: a status, or `DECLINED` to go on.
#[inline(always)] // Called once.
fn serve(
    is_own: bool,
    route: &Route,
    drawn: Drawn<'_>,
    templates: Option<&Templates>,
    filling: &Filling<'_, '_>,
    is_checked: bool,
) -> ngx_int_t {
    let r = filling.r;
    if let Some(status) = route.status.map(|status| status.get() as ngx_int_t).or(status_of(drawn))
    {
        return match in_place_of_backend(status, route.status.is_none()).filter(|_| is_checked) {
            None => status,
            handler => {
                // SAFETY: a live request, whose location has set its own handler before.
                unsafe { (*r.as_ptr()).content_handler = handler };
                begin_phase_again(r)
            }
        };
    }
    if let Some(templates) = templates
        && is_own
        && let Err(status) = rewrite_path(route, templates, filling)
    {
        return status;
    }
    if let Some(replacement) = replacement::of(route, drawn).filter(|_| is_own)
        && let Err(status) = replace_path(r, route, replacement)
    {
        return status;
    }
    begin_phase_again(r)
}

/// # Errors: as of [`rewrite_path`].
#[inline(never)] // Most routes have none.
fn replace_path(r: Request, route: &Route, replacement: &Replacement) -> Result<(), ngx_int_t> {
    let path = replacement::path(r, route, replacement);
    if readings::leaves_dots(&path) {
        return Err(readings::refuse_dots(r));
    }
    let path = r.pool().copy(&path).ok_or(INTERNAL_ERROR)?;
    // SAFETY: in the request's memory.
    unsafe { r.set_uri(path) };
    r.pass_path_as_it_is();
    Ok(())
}

type ContentHandler = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// What the request gets that has drawn no backend.
fn status_of(drawn: Drawn<'_>) -> Option<ngx_int_t> {
    match drawn {
        Drawn::Whole => None,
        Drawn::One(backend, _) => backend.status.map(|status| status.get() as ngx_int_t),
        Drawn::Nothing => Some(INTERNAL_ERROR),
    }
}

/// What answers with this status where a backend would, if there was one. `is_drawn`: it is that of one of several backends.
fn in_place_of_backend(status: ngx_int_t, is_drawn: bool) -> Option<ContentHandler> {
    match status {
        NOT_FOUND => Some(not_found),
        UNAVAILABLE => Some(unavailable),
        INTERNAL_ERROR if is_drawn => Some(failed),
        _ => None,
    }
}

unsafe extern "C" fn failed(_: *mut ngx_http_request_t) -> ngx_int_t {
    INTERNAL_ERROR
}

unsafe extern "C" fn not_found(_: *mut ngx_http_request_t) -> ngx_int_t {
    NOT_FOUND
}

unsafe extern "C" fn unavailable(_: *mut ngx_http_request_t) -> ngx_int_t {
    UNAVAILABLE
}

/// The redirect that the request gets. `is_own`: one of the rewrite module counts; `is_plain` tells whether the request came without TLS.
fn redirect_of<'r>(
    route: &'r Route,
    templates: &'r Templates,
    is_own: bool,
    is_plain: impl FnOnce() -> bool,
) -> Option<(&'r Redirect, &'r Prepared)> {
    if let Some(redirect) = route.redirect.as_deref().filter(|_| is_own) {
        return Some((redirect, &templates.redirect));
    }
    let redirect = route.https_redirect.as_deref()?;
    is_plain().then_some((redirect, &templates.https_redirect))
}

/// nginx's own `return` would put the address into a body where the code is 300, 304, 305 or 306.
fn lead(
    route: &Route,
    redirect: &Redirect,
    prepared: &Prepared,
    filling: &Filling<'_, '_>,
) -> Option<ngx_int_t> {
    let location = filling.fill(prepared, &redirect.to, Purpose::Header)?;
    match route.actions.as_deref().and_then(|actions| actions.path.as_ref()) {
        Some(replacement) => {
            let path = replacement::path(filling.r, route, replacement);
            redirect::set_location_with(filling.r, location, &path)?;
        }
        None => redirect::set_location(filling.r, location)?,
    }
    Some(redirect.code as ngx_int_t)
}

/// # Errors: with this status; the log says why. What a pattern has found in a request may be one half of a part, so that dots
/// are left that lead out of what the route is for.
fn rewrite_path(
    route: &Route,
    templates: &Templates,
    filling: &Filling<'_, '_>,
) -> Result<(), ngx_int_t> {
    let Some(template) = &route.rewrite else { return Ok(()) };
    let raw = if route.rewrites_raw { filling.with_escapes(route, templates) } else { None };
    let (filling, purpose) = match &raw {
        Some(raw) => (raw, Purpose::RawPath),
        None => (filling, Purpose::Path),
    };
    let path = filling.fill(&templates.rewrite, template, purpose).ok_or(INTERNAL_ERROR)?;
    if readings::has_dots(path) || raw.is_some() && readings::has_escaped_dots(path) {
        return Err(readings::refuse_dots(filling.r));
    }
    if route.logs_rewrite {
        let pattern = shown(route.path());
        rewrite::note_match(filling.r, format_args!("(?i){pattern}"), filling.r.uri(), true);
    }
    if !rewrite::rewrite(filling.r, path, route.logs_rewrite) {
        return Err(INTERNAL_ERROR);
    }
    if raw.is_some() {
        filling.r.pass_path_as_it_is();
    }
    Ok(())
}

/// The rewrite phase runs once more, with the location's directives.
fn begin_phase_again(r: Request) -> ngx_int_t {
    // SAFETY: a live request. nginx adds one after a handler that declined.
    unsafe {
        let first = r.core_main().as_ref().phase_engine.location_rewrite_index;
        (*r.as_ptr()).phase_handler = first as ngx_int_t - 1;
    }
    DECLINED
}
