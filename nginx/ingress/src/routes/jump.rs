//! The handler of the rewrite phase: from the location with `ingress_route` into the named one of the request's route.
//!
//! The request takes on that location's configurations as nginx's own `if` does it, and the phase begins again. Unlike an
//! internal redirect this spends nothing, clears nothing and leaves `r->internal` alone.

use std::ffi::c_void;
use std::rc::Rc;

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_NO_CONTENT, NGX_HTTP_NOT_FOUND,
    NGX_HTTP_REQUEST_ENTITY_TOO_LARGE, NGX_HTTP_SERVICE_UNAVAILABLE, NGX_LOG_ERR, NGX_LOG_INFO,
    ngx_http_discard_request_body, ngx_http_request_t, ngx_http_update_location_config, ngx_int_t,
};
use wick_native::bits;
use wick_native::code::{DECLINED, DONE};
use wick_native::guard::guard;
use wick_native::log;
use wick_native::pattern::GaveUp;
use wick_native::request::Request;
use wick_routes::{Action, RecordError, Route, Tracing};

use super::actions::act;
use super::answer::{Next, answer, lead_away};
use super::conf::{LocConf, MODULE, MainConf};
use super::patterns::Search;
use super::ready::{Found, ReadyHost, Target};
use super::scripts::{self, Course, Ran};
use super::split::Drawn;
use super::table::RouteTable;
use super::templates::{Filling, Purpose, Templates};
use super::way::{Way, enter, prepare_service};
use super::{accel, clients, explain, readings};
use crate::limited_log::shown;
use crate::loops::{self, Passed};
use crate::script::{self, ReadyScript, State};
use crate::waf::ReadyWaf;
use crate::{access, headers, limits, metrics, tracing, waf};

const BAD_REQUEST: ngx_int_t = NGX_HTTP_BAD_REQUEST as ngx_int_t;
const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
const NO_CONTENT: ngx_int_t = NGX_HTTP_NO_CONTENT as ngx_int_t;
const NOT_FOUND: ngx_int_t = NGX_HTTP_NOT_FOUND as ngx_int_t;
const UNAVAILABLE: ngx_int_t = NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t;
/// RFC 5842; nginx has no name for it.
const LOOP_DETECTED: ngx_int_t = 508;
const TOO_LARGE: ngx_int_t = NGX_HTTP_REQUEST_ENTITY_TOO_LARGE as ngx_int_t;

pub unsafe extern "C" fn rewrite(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(INTERNAL_ERROR, || {
        // SAFETY: nginx calls with a live request; every location has our LocConf.
        let (r, loc) = unsafe {
            let r = Request::from_raw(r);
            (r, &*r.loc_conf::<LocConf>(MODULE.get()))
        };
        match loc.table {
            // SAFETY: tables live as long as the configuration; our main configuration exists with them.
            Some(table) => unsafe { route(r, table.as_ref(), &*r.main_conf(MODULE.get())) },
            None if loc.routes.is_some() && accel::entered_by_backend(r) => NOT_FOUND,
            None => match loc.routes.filter(|_| loc.enters_page) {
                // SAFETY: as above.
                Some(table) => unsafe { page(r, table.as_ref(), &*r.main_conf(MODULE.get())) },
                None => DECLINED,
            },
        }
    })
}

/// From an error to the route of the host that stands for the named location which it leads to. Nobody leads requests into another namespace's: only a
/// request that had no route yet, refused by the host itself, may go to any. What is done before a route is looked for has been done for the request.
#[cold]
fn page(r: Request, table: &RouteTable, main: &MainConf) -> ngx_int_t {
    let name = script::find(r).and_then(State::take_page).filter(|_| r.is_main());
    let (Some(name), Some(host)) = (name, table.host(r)) else { return NOT_FOUND };
    let Ok(host) = &*host else { return UNAVAILABLE };
    let mut search = Search::new(r, &main.worker);
    search.set_path(name);
    let Ok(found) = host.find(&mut search) else { return INTERNAL_ERROR };
    let is_meant =
        |found: &Found| found.route.path() == name && main.variables.may_go_to(r, found.route);
    match found.filter(is_meant) {
        Some(found) => enter_from(found, r, host, &mut search, table, main),
        None => {
            let line = format_args!("could not find named location \"{}\"", shown(name));
            log::write(r.log(), NGX_LOG_ERR as usize, line);
            INTERNAL_ERROR
        }
    }
}

/// Finds the route and enters its named location. The answer is for nginx: a status, or `DECLINED` to go on.
fn route(r: Request, table: &RouteTable, main: &MainConf) -> ngx_int_t {
    // A subrequest shares its parent's variables, so it must not be given another route.
    if !r.is_main() {
        return NOT_FOUND;
    }
    let Some(host) = table.host(r) else {
        metrics::note_no_route(r);
        return NOT_FOUND;
    };
    let host = match &*host {
        Ok(host) => host,
        Err(error) => return unavailable(r, main, format_args!("the record of its host: {error}")),
    };
    if let Some(listener) = &host.listener
        && !table.explains()
        && let Err(answer) = clients::check_listener(r, listener)
    {
        return answer;
    }
    if let Some(clients) = &host.clients
        && !table.explains()
        && let Err(answer) = clients.check(r, &main.worker)
    {
        return answer;
    }
    let readings = readings::others(r);
    let mut search = Search::new(r, &main.worker);
    if !readings.is_empty() {
        // The request's own last, too: what a pattern has found in it is kept.
        let own = std::iter::once(r.uri());
        match host.is_one_route(&mut search, readings.iter().map(Vec::as_slice).chain(own)) {
            Ok(true) => {}
            Ok(false) => return ambiguous(r),
            Err(GaveUp) => return INTERNAL_ERROR,
        }
    }
    if let Some(script) = &host.script {
        if table.explains() {
            let told = scripts::rehearse(r, None, script, &mut search)
                .and_then(|it| explain::tell_script(r, b"X-Wick-Host-Steps", &it));
            if told.is_none() {
                return INTERNAL_ERROR;
            }
        } else if !waf::has_waited(r)
            && let Err(answer) = scripts::run_of_host(r, script, &mut search)
        {
            metrics::note_no_route(r);
            return answer;
        }
    }
    find(r, host, &mut search, table, main)
}

/// Finds the route.
#[inline]
fn find<'r>(
    r: Request<'r>,
    host: &ReadyHost,
    search: &mut Search<'r>,
    table: &RouteTable,
    main: &MainConf,
) -> ngx_int_t {
    match host.find(search) {
        Ok(Some(found)) => enter_from(found, r, host, search, table, main),
        Ok(None) => {
            metrics::note_no_route(r);
            NOT_FOUND
        }
        Err(GaveUp) => INTERNAL_ERROR,
    }
}

/// Enters the route, and another one as often as a script leads there.
#[inline]
fn enter_from<'r, 'h>(
    mut found: Found<'h>,
    r: Request<'r>,
    host: &'h ReadyHost,
    search: &mut Search<'r>,
    table: &RouteTable,
    main: &MainConf,
) -> ngx_int_t {
    // SAFETY: a live request.
    let outer = unsafe { (*r.as_ptr()).loc_conf };
    loop {
        if table.explains() && explain::tell(r, host.place(&found), found.route).is_none() {
            return INTERNAL_ERROR;
        }
        match follow(r, &found, host.is_scripted, search, table, main) {
            None => return INTERNAL_ERROR,
            Some(Next::Answer(answer)) => return answer,
            Some(Next::Search) => {
                if let Err(answer) = leave(r, outer) {
                    return answer;
                }
                search.set_path(r.uri());
                found = match find_again(r, host, search) {
                    Ok(found) => found,
                    Err(answer) => return answer,
                };
            }
        }
    }
}

/// What a script has led to. No path begins as named locations do.
///
/// # Errors: the answer for nginx.
#[cold]
fn find_again<'h>(
    r: Request,
    host: &'h ReadyHost,
    search: &mut Search<'_>,
) -> Result<Found<'h>, ngx_int_t> {
    let found = if r.uri().starts_with(b"@") { Ok(None) } else { host.find(search) };
    found.map_err(|GaveUp| INTERNAL_ERROR)?.ok_or_else(|| {
        metrics::note_no_route(r);
        NOT_FOUND
    })
}

/// `None`: out of memory, or what the route brings along cannot be made, and the log says why.
fn follow<'r>(
    r: Request<'r>,
    found: &Found<'_>,
    is_scripted: bool,
    search: &mut Search<'r>,
    table: &RouteTable,
    main: &MainConf,
) -> Option<Next> {
    let Found { route, target, slot, .. } = *found;
    if let Some(waf) = target.and_then(|target| target.waf.as_ref())
        && !table.explains()
    {
        match waf::is_ready(r, waf) {
            Ok(true) => {}
            Ok(false) => return Some(Next::Answer(DONE)),
            Err(answer) => return Some(Next::Answer(answer)),
        }
    }
    let drawn = match (&route.split, target.and_then(|target| target.split.as_deref())) {
        (Some(split), Some(of_target)) => of_target.draw(split),
        _ => Drawn::Whole,
    };
    match drawn {
        Drawn::One(backend, share) => {
            metrics::note_service(r, &share.slot, route, &backend.service_name);
        }
        Drawn::Whole | Drawn::Nothing => metrics::note_route(r, slot, route),
    }
    let mut filling = Filling::new(r, &main.worker, route, is_scripted);
    write_values(r, route, main)?;
    if let Drawn::One(backend, _) = drawn {
        main.variables.write_backend(r, backend)?;
    }
    if let Some(how) = &route.tracing
        && !table.explains()
        && !(is_scripted && tracing::has_begun(r))
    {
        trace(how, target, &filling)?;
    }
    let Some(target) = target else { return Some(Next::Answer(without_target(r, route, main))) };
    let way = Way::of(route, target, drawn);
    if let Err(why) = enter(r, &way, route, &main.patches) {
        return Some(Next::Answer(unavailable(r, main, format_args!("{why}"))));
    }
    let templates = target.templates.as_deref();
    if let Some(templates) = templates {
        main.route_variables.write(route, templates, &filling)?;
    }
    if let Drawn::One(_, share) = drawn {
        share.variables.write(r)?;
    }
    let headers = match drawn {
        Drawn::One(_, share) => &share.headers,
        Drawn::Whole | Drawn::Nothing => &target.headers,
    };
    if let Some(headers) = headers {
        headers::keep(r, headers)?;
    }
    if let Some(waf) = &target.waf
        && !table.explains()
        && let Err(answer) = inspect(waf, &filling)
    {
        return Some(Next::Answer(answer));
    }
    if let Some(headers) = headers
        && headers.answer_preflight(r)?
    {
        return Some(Next::Answer(NO_CONTENT));
    }
    if body_is_too_large(r) {
        return Some(Next::Answer(too_large(r)));
    }
    // The rest of the rewrite module counts.
    let mut is_own = true;
    if table.explains() {
        if let Some(script) = target.script.as_ref().filter(|_| found.action == Action::Enter) {
            filling = explain_script(filling, route, script, templates, search)?;
        }
    } else if let Some(script) = &target.script {
        let has_steps = !script.script.is_empty();
        // Without steps there is nothing to run but what the path has matched, which settings may name.
        let runs = has_steps || route.path_match.is_pattern();
        let level = if found.action == Action::Enter && runs {
            let ran = match scripts::run_of_route(r, route, script, search) {
                Ok(ran) => ran,
                Err(answer) => return Some(Next::Answer(answer)),
            };
            let (behind, course) = behind_script(filling, &ran, route, templates);
            (filling, is_own) = (behind, !matches!(course, Course::Stopped | Course::Again));
            if course.leads_away() {
                ran.level.map_or(Some(()), |level| headers::leave_level(r, level))?;
                return Some(lead_away(is_own, route, templates, table, &filling));
            }
            ran.level
        } else {
            script.effects.first()
        };
        if let Some(level) = level {
            headers::begin_level(r, level, found.action != Action::Enter)?;
        }
        let may_differ = || has_steps || level.is_some_and(|it| it.input.is_some());
        if let Some(templates) = templates.filter(|_| may_differ()) {
            main.route_variables.write(route, templates, &filling)?;
        }
    }
    let of_share = match drawn {
        Drawn::One(_, share) => share.actions.as_deref(),
        Drawn::Whole | Drawn::Nothing => None,
    };
    if (target.actions.is_some() || of_share.is_some()) && !table.explains() {
        act(r, target.actions.as_deref(), of_share, &main.patches)?;
    }
    if let Some(answer) = keep(r, target, route, table, main)? {
        return Some(Next::Answer(answer));
    }
    let refuses = target.checks.is_some() || target.limits.is_some() || target.waf.is_some();
    let is_checked = !table.explains() && refuses;
    Some(answer(found.action, is_own, route, drawn, templates, table, &filling, is_checked))
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

/// Says what the route's script would do. What a pattern of it has matched does not count any more. `None`: out of memory.
#[cold]
fn explain_script<'a, 'r>(
    filling: Filling<'a, 'r>,
    route: &Route,
    script: &ReadyScript,
    templates: Option<&Templates>,
    search: &mut Search<'r>,
) -> Option<Filling<'a, 'r>> {
    let script = scripts::rehearse(filling.r, Some(route), script, search)?;
    explain::tell_script(filling.r, b"X-Wick-Steps", &script)?;
    let again = templates.filter(|_| script.has_matched);
    Some(again.and_then(|templates| filling.match_again(route, templates)).unwrap_or(filling))
}

/// Keeps with the request who checks it in later phases; the answer that it gets already.
#[inline(always)] // Called once.
fn keep(
    r: Request,
    target: &Target,
    route: &Route,
    table: &RouteTable,
    main: &MainConf,
) -> Option<Option<ngx_int_t>> {
    if let Some(checks) = &target.checks {
        let asks_service = !table.explains() || explain::asks_service(r);
        if asks_service && let Err(why) = prepare_service(checks, route, &main.patches) {
            return Some(Some(unavailable(r, main, format_args!("{why}"))));
        }
        if table.explains() {
            access::keep_explained(r, checks, asks_service)?;
        } else {
            access::keep(r, checks)?;
        }
    }
    if let Some(of_route) = &target.limits
        && !table.explains()
    {
        limits::keep(r, of_route)?;
    }
    match loops::pass(r) {
        Passed::On => Some(None),
        Passed::TooOften => Some(Some(LOOP_DETECTED)),
        Passed::OutOfMemory => None,
    }
}

/// Templates find the variables of scripts; a path that has changed may still be the route's to rewrite, else another route is looked for.
#[inline(never)] // Most routes have no script: theirs is the straight way.
fn behind_script<'a, 'r>(
    filling: Filling<'a, 'r>,
    ran: &Ran<'_>,
    route: &Route,
    templates: Option<&Templates>,
) -> (Filling<'a, 'r>, Course) {
    let filling = filling.behind_script(ran.has_matched);
    let Course::On { is_moved } = ran.course else { return (filling, ran.course) };
    let is_matched = (is_moved || ran.has_matched) && route.rewrite.is_some();
    let templates = templates.filter(|_| is_matched);
    let again = templates.and_then(|templates| filling.match_again(route, templates));
    let course = if is_moved && again.is_none() { Course::Moved } else { ran.course };
    (again.unwrap_or(filling), course)
}

/// The request has no route any more. Source: nginx, `ngx_http_core_post_rewrite_phase`.
///
/// # Errors: it was led on too often.
#[cold]
fn leave(r: Request, outer: *mut *mut c_void) -> Result<(), ngx_int_t> {
    if !r.spend_change() {
        let path = shown(r.uri());
        let line =
            format_args!("rewrite or internal redirection cycle while processing \"{path}\"");
        log::write(r.log(), NGX_LOG_ERR as usize, line);
        return Err(INTERNAL_ERROR);
    }
    headers::leave(r).ok_or(INTERNAL_ERROR)?;
    // SAFETY: a live request, and the location that it was in before.
    unsafe {
        (*r.as_ptr()).content_handler = None;
        (*r.as_ptr()).loc_conf = outer;
        ngx_http_update_location_config(r.as_ptr());
    }
    Ok(())
}

fn trace(how: &Tracing, target: Option<&Target>, filling: &Filling<'_, '_>) -> Option<()> {
    let templates = target.and_then(|target| target.templates.as_deref());
    let name = || match (&how.span_name, templates) {
        (Some(name), Some(templates)) => filling.fill(&templates.span_name, name, Purpose::Path),
        _ => Some(&b""[..]),
    };
    tracing::begin(filling.r, how.begins_trace, name)
}

fn write_values(r: Request, route: &Route, main: &MainConf) -> Option<()> {
    if main.variables.are_written(r) {
        main.route_variables.clear(r);
    }
    main.variables.write(r, route)
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

#[cold]
fn ambiguous(r: Request) -> ngx_int_t {
    let line = "client sent a path that could be another route's to a backend";
    log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{line}"));
    metrics::note_no_route(r);
    BAD_REQUEST
}

#[cold]
fn unavailable(r: Request, main: &MainConf, why: std::fmt::Arguments<'_>) -> ngx_int_t {
    main.worker.errors.cannot_serve(r, why);
    UNAVAILABLE
}
