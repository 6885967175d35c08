//! The directive `ingress_route ZONE [server=NAME] [ports=PORT,…] [scheme=VALUE] [host=VALUE] [explain=LOCATION] [locations=SERVER_NAME]`, and what
//! is worked out from it once the configuration was read.

use std::ptr::NonNull;

use ngx::ffi::ngx_http_phases_NGX_HTTP_REWRITE_PHASE;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::phase::add_handler;

use super::backend_tls::Means;
use super::conf::{LocConf, MODULE, MainConf};
use super::error_pages;
use super::jump;
use super::locations::Place;
use super::overrides::Patches;
use super::parameters::Parameters;
use super::table::RouteTable;
use super::variables::route::RouteVariables;
use super::variables::{Variables, redirect};

pub fn ingress_route(conf: Conf, loc: &mut LocConf) -> Answer {
    if loc.table.is_some() {
        return refuse(c"is duplicate");
    }
    // SAFETY: the directive stands in a location.
    let place = unsafe { Place::of(conf) };
    if place.is_named() {
        return refuse(c"is not allowed in a named location: those are entered, not searched");
    }
    set(conf, loc, place)
}

fn set(conf: Conf, loc: &mut LocConf, place: Place) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    let Some(parameters) = Parameters::read(conf, &words[2..]) else { return CONF_ERROR };
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    let main = unsafe { &mut *main_conf(conf) };
    let zone = main.zones.refer(conf, "ingress_route", words[1]);
    let Some(zone) = zone else { return CONF_ERROR };
    loc.table = conf.pool().keep(RouteTable::new(zone, parameters, place));
    let Some(table) = loc.table else { return CONF_ERROR };
    main.tables.push(table);
    CONF_OK
}

/// `ingress_route_page`
pub fn page(conf: Conf, loc: &mut LocConf) -> Answer {
    // SAFETY: the directive stands in a location.
    if !unsafe { Place::of(conf) }.is_named() {
        return refuse(c"is allowed in a named location only");
    }
    loc.enters_page = true;
    CONF_OK
}

/// `ingress_route_max_overrides NUMBER`
pub fn max_overrides(conf: Conf) -> Answer {
    let number = conf.words().nth(1).and_then(|word| std::str::from_utf8(word).ok()?.parse().ok());
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    let main = unsafe { &mut *main_conf(conf) };
    if main.max_overrides.is_some() {
        return refuse(c"is duplicate");
    }
    main.max_overrides = number.filter(|number| *number > 0);
    if main.max_overrides.is_some() { CONF_OK } else { refuse(c"takes a number from 1 on") }
}

/// `ingress_backend_tls ZONE`
pub fn backend_tls(conf: Conf) -> Answer {
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    let main = unsafe { &mut *main_conf(conf) };
    if main.backend_tls.is_some() {
        return refuse(c"is duplicate");
    }
    let zone = conf.words().nth(1);
    let zone = zone.and_then(|zone| main.zones.refer(conf, "ingress_backend_tls", zone));
    main.backend_tls = zone.and_then(|zone| Means::new(conf, zone));
    if main.backend_tls.is_some() { CONF_OK } else { CONF_ERROR }
}

/// # Safety
/// The parser is inside `http`.
unsafe fn main_conf(conf: Conf) -> *mut MainConf {
    // SAFETY: the module's main configuration.
    unsafe { conf.http_main::<MainConf>(MODULE.get()) }
}

pub fn preconfiguration(conf: Conf) -> Option<()> {
    let variables = Variables::declare(conf)?;
    RouteVariables::declare(conf)?;
    redirect::declare(conf)?;
    error_pages::declare(conf)?;
    // SAFETY: the parser is inside `http`.
    unsafe { (*main_conf(conf)).variables = variables };
    Some(())
}

pub fn postconfiguration(conf: Conf) -> Option<()> {
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    let main = unsafe { &mut *main_conf(conf) };
    if main.tables.is_empty() {
        return Some(());
    }
    main.route_variables = RouteVariables::used(conf);
    for table in &mut main.tables {
        // SAFETY: tables live in the configuration's pool, and nobody else refers to them yet.
        unsafe {
            table.as_mut().resolve(conf)?;
            mark_locations(*table);
        }
    }
    // SAFETY: the parser is inside `http`.
    main.patches = unsafe { Patches::measure(conf, main.max_overrides, main.backend_tls.take()) };
    add_handler(conf, ngx_http_phases_NGX_HTTP_REWRITE_PHASE, jump::rewrite)
}

/// Tells the module which locations are named ones of `table`.
///
/// # Safety
/// The parser is running, the table has found its named locations, and nothing else refers to a LocConf.
unsafe fn mark_locations(table: NonNull<RouteTable>) {
    // SAFETY: the caller's promise; each array has a slot for us.
    unsafe {
        for location in table.as_ref().locations() {
            let location = location.as_ref();
            for slots in [location.loc_conf, location.limit_except_loc_conf] {
                if !slots.is_null() {
                    (*(*slots.add(MODULE.get())).cast::<LocConf>()).routes = Some(table);
                }
            }
        }
    }
}
