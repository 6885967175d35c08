//! The handler of the rewrite phase: from the location with `ingress_route` into the named one of the request's route.
//!
//! The request takes on that location's configurations as nginx's own `if` does it, and the phase begins again. Unlike an
//! internal redirect this spends nothing, clears nothing and leaves `r->internal` alone.

use std::ffi::c_void;

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_HTTP_NOT_FOUND,
    NGX_HTTP_SERVICE_UNAVAILABLE, NGX_LOG_ERR, NGX_LOG_INFO, ngx_http_request_t,
    ngx_http_update_location_config, ngx_int_t,
};
use wick_native::code::{DECLINED, DONE};
use wick_native::guard::guard;
use wick_native::log;
use wick_native::pattern::GaveUp;
use wick_native::request::Request;

use super::answer::Next;
use super::conf::{LocConf, MODULE, MainConf};
use super::follow::{follow, unavailable};
use super::patterns::Search;
use super::ready::{Found, ReadyHost};
use super::table::RouteTable;
use super::{accel, clients, explain, readings, scripts};
use crate::limited_log::shown;
use crate::script;
use crate::{headers, metrics, waf};

const BAD_REQUEST: ngx_int_t = NGX_HTTP_BAD_REQUEST as ngx_int_t;
const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;
const NOT_FOUND: ngx_int_t = NGX_HTTP_NOT_FOUND as ngx_int_t;
const UNAVAILABLE: ngx_int_t = NGX_HTTP_SERVICE_UNAVAILABLE as ngx_int_t;

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
    let state = script::find(r).filter(|_| r.is_main());
    let led = state.and_then(|state| Some((state, state.take_page()?)));
    let (Some((state, name)), Some(host)) = (led, table.host(r)) else { return NOT_FOUND };
    let Ok(host) = &*host else { return UNAVAILABLE };
    let mut search = Search::new(r, &main.worker);
    search.set_path(name);
    let Ok(found) = host.find(&mut search) else { return INTERNAL_ERROR };
    let is_meant =
        |found: &Found| found.route.path() == name && main.variables.may_go_to(r, found.route);
    match found.filter(is_meant) {
        Some(found) => {
            let answer = enter_from(found, r, host, &mut search, table, main);
            if answer == DONE {
                // It waits, and comes here again. SAFETY: a name that the state has given out.
                unsafe { state.lead_to(name) };
            }
            answer
        }
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
#[inline(always)] // Called once, but for error pages.
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
            Ok(Next::Answer(answer)) | Err(answer) => return answer,
            Ok(Next::Search) => {
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

#[cold]
fn ambiguous(r: Request) -> ngx_int_t {
    let line = "client sent a path that could be another route's to a backend";
    log::write(r.log(), NGX_LOG_INFO as usize, format_args!("{line}"));
    metrics::note_no_route(r);
    BAD_REQUEST
}
