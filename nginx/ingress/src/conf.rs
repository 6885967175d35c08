//! The directive `ingress_route ZONE [server=NAME] [scheme=VALUE] [host=VALUE] [explain=POLICY]`, and what is worked out from it once the
//! configuration was read.

use std::ffi::{c_char, c_void};
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_LOG_EMERG, ngx_array_push, ngx_command_t, ngx_conf_t, ngx_cycle_t, ngx_http_conf_ctx_t,
    ngx_http_core_main_conf_t, ngx_http_core_module, ngx_http_handler_pt, ngx_http_module,
    ngx_http_phases_NGX_HTTP_REWRITE_PHASE, ngx_int_t, ngx_log_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::complex::Complex;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::guard::{guard, log_panics};
use wick_native::log;
use wick_native::module::{core_conf, create_conf};
use wick_native::zone::SharedZone;

use crate::complaints::Complaints;
use crate::overrides::Patches;
use crate::patterns::Matching;
use crate::policies::Place;
use crate::route_variables::RouteVariables;
use crate::table::RouteTable;
use crate::templates::Scratch;
use crate::variables::Variables;
use crate::{jump, redirect, this};

/// One configuration's routes; dropped with it.
#[derive(Default)]
pub struct MainConf {
    /// One per `ingress_route`; they live in the configuration's pool.
    tables: Vec<NonNull<RouteTable>>,
    /// What directives refer to, whose `shm_kv` may stand behind them.
    zones: Vec<ZoneUse>,
    pub variables: Variables,
    pub route_variables: RouteVariables,
    pub patches: Patches,
    pub matching: Matching,
    pub scratch: Scratch,
    /// About requests that get an error.
    pub complaints: Complaints,
    /// About texts that are no patterns: each is looked at once, so its line must not wait behind those of requests.
    pub bad_patterns: Complaints,
}

/// A directive and the zone that it names.
struct ZoneUse {
    directive: &'static str,
    zone: SharedZone,
}

/// What the module keeps per location; all zero is an ordinary location.
#[repr(C)]
pub struct LocConf {
    /// Set where `ingress_route` stands.
    pub table: Option<NonNull<RouteTable>>,
    /// A policy, and where its server block's routes are.
    pub routes: Option<NonNull<RouteTable>>,
}

pub unsafe extern "C" fn create_main_conf(cf: *mut ngx_conf_t) -> *mut c_void {
    guard(null_mut(), || {
        log_panics();
        // SAFETY: nginx's parser is calling.
        unsafe { create_conf::<MainConf>(cf) }
    })
}

pub unsafe extern "C" fn create_loc_conf(cf: *mut ngx_conf_t) -> *mut c_void {
    // SAFETY: nginx's parser is calling; all zero is a valid LocConf.
    let zeroed = guard(None, || unsafe { Conf::from_raw(cf).pool().zeroed::<LocConf>() });
    zeroed.map_or(null_mut(), |conf| conf.as_ptr().cast())
}

/// # Safety
/// The parser is inside `http`; no other reference to the configuration is alive.
unsafe fn main_conf<'a>(conf: Conf) -> &'a mut MainConf {
    // SAFETY: what create_main_conf returned.
    unsafe { &mut *conf.http_main::<MainConf>(this()) }
}

/// Refers to a zone for a directive of this module. `None`: nginx refuses the name, and the log says why.
///
/// # Safety
/// The parser is inside `http`; no other reference to the configuration is alive.
pub unsafe fn refer_zone(conf: Conf, directive: &'static str, name: &[u8]) -> Option<SharedZone> {
    let zone = SharedZone::refer(conf, name)?;
    // SAFETY: the caller's promise.
    unsafe { main_conf(conf) }.zones.push(ZoneUse { directive, zone });
    Some(zone)
}

/// `ingress_route ZONE [server=NAME] [scheme=VALUE] [host=VALUE] [explain=POLICY]`
pub unsafe extern "C" fn ingress_route(
    cf: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    loc: *mut c_void,
) -> *mut c_char {
    guard(CONF_ERROR, || {
        // SAFETY: nginx's parser is calling, inside a location, with what create_loc_conf returned.
        let (conf, loc) = unsafe { (Conf::from_raw(cf), &mut *loc.cast::<LocConf>()) };
        if loc.table.is_some() {
            return refuse(c"is duplicate");
        }
        // SAFETY: as above.
        let place = unsafe { Place::of(conf) };
        if place.is_named() {
            return refuse(
                c"is not allowed in a named location: policies are entered, not searched",
            );
        }
        set_route(conf, loc, place)
    })
}

fn set_route(conf: Conf, loc: &mut LocConf, place: Place) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    let Some(parameters) = Parameters::read(conf, &words[2..]) else { return CONF_ERROR };
    // SAFETY: the parser is inside `http`.
    let zone = unsafe { refer_zone(conf, "ingress_route", words[1]) };
    let Some(zone) = zone else { return CONF_ERROR };
    loc.table = conf.pool().keep(RouteTable::new(zone, parameters, place));
    let Some(table) = loc.table else { return CONF_ERROR };
    // SAFETY: the parser is inside `http`.
    unsafe { main_conf(conf) }.tables.push(table);
    CONF_OK
}

/// What `ingress_route` is told besides its zone.
pub struct Parameters<'w> {
    pub server: &'w [u8],
    /// Decides about redirects to HTTPS.
    pub scheme: Complex,
    /// What `$redirect_host` is made of.
    pub host: Complex,
    /// The policy that every request enters, whatever its route names; the answer says which route was found.
    pub explain: Option<&'w [u8]>,
}

impl<'w> Parameters<'w> {
    /// `None`: a word is wrong, and the log says so.
    fn read(conf: Conf, words: &[&'w [u8]]) -> Option<Parameters<'w>> {
        let (mut server, mut scheme, mut host, mut explain) = (None, None, None, None);
        for word in words {
            let fresh = match parameter(word) {
                (b"server=", name) if is_server_name(name) => server.replace(name).is_none(),
                (b"scheme=", value) if !value.is_empty() => scheme.replace(value).is_none(),
                (b"host=", value) if !value.is_empty() => host.replace(value).is_none(),
                (b"explain=", name) if !name.is_empty() => explain.replace(name).is_none(),
                _ => false,
            };
            if !fresh {
                let word = word.escape_ascii();
                conf.error(format_args!("invalid parameter \"{word}\" in \"ingress_route\""));
                return None;
            }
        }
        Some(Parameters {
            server: server.unwrap_or(b"main"),
            scheme: Complex::compile(conf, scheme.unwrap_or(b"$scheme"))?,
            host: Complex::compile(conf, host.unwrap_or(b"$host"))?,
            explain,
        })
    }
}

/// A word up to its first `=`, and what follows.
fn parameter(word: &[u8]) -> (&[u8], &[u8]) {
    word.split_at(word.iter().position(|byte| *byte == b'=').map_or(0, |at| at + 1))
}

/// Server names as docs/wire.md 1 has them.
fn is_server_name(name: &[u8]) -> bool {
    let allowed = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-');
    (1..=63).contains(&name.len()) && name.iter().all(allowed)
}

pub unsafe extern "C" fn preconfiguration(cf: *mut ngx_conf_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx's parser is calling, inside `http`.
        let conf = unsafe { Conf::from_raw(cf) };
        let Some(variables) = Variables::declare(conf) else { return ERROR };
        if RouteVariables::declare(conf).and_then(|()| redirect::declare_variables(conf)).is_none()
        {
            return ERROR;
        }
        // SAFETY: as above.
        unsafe { main_conf(conf) }.variables = variables;
        OK
    })
}

pub unsafe extern "C" fn postconfiguration(cf: *mut ngx_conf_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx's parser is calling, inside `http`.
        let conf = unsafe { Conf::from_raw(cf) };
        // SAFETY: as above.
        let main = unsafe { main_conf(conf) };
        if main.tables.is_empty() {
            return OK;
        }
        main.route_variables = RouteVariables::used(conf);
        for table in &main.tables {
            // SAFETY: tables live in the configuration's pool, and nobody else refers to them yet.
            if unsafe { (*table.as_ptr()).resolve(conf, *table) }.is_none() {
                return ERROR;
            }
        }
        // SAFETY: as above.
        main.patches = unsafe { Patches::measure(conf) };
        // SAFETY: as above.
        if unsafe { add_handler(conf) }.is_some() { OK } else { ERROR }
    })
}

/// # Safety
/// The parser is inside `http`.
unsafe fn add_handler(conf: Conf) -> Option<()> {
    let core = &raw const ngx_http_core_module;
    // SAFETY: the core module's main configuration; its arrays of handlers exist by now.
    unsafe {
        let core = conf.http_main::<ngx_http_core_main_conf_t>(&*core);
        let phase = &raw mut (*core).phases[ngx_http_phases_NGX_HTTP_REWRITE_PHASE as usize];
        let place = ngx_array_push(&raw mut (*phase).handlers).cast::<ngx_http_handler_pt>();
        NonNull::new(place)?.write(Some(jump::rewrite));
    }
    Some(())
}

/// Refuses a configuration that names a zone it does not have. Only now, because the zone may be declared below `http`.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn check_zones(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise.
    let main = unsafe { http_main(cycle) };
    let mut zones = main.map_or(&[][..], |main| &main.zones).iter();
    match zones.find(|used| !used.zone.is_declared()) {
        None => Some(()),
        // SAFETY: a live cycle.
        Some(used) => refuse_zone(unsafe { (*cycle).log }, used.directive, used.zone),
    }
}

/// Says that nobody declares the zone. Always `None`.
pub fn refuse_zone(log: *mut ngx_log_t, directive: &str, zone: SharedZone) -> Option<()> {
    let name = zone.name().escape_ascii();
    let line = format_args!(
        "\"{directive}\" uses the zone \"{name}\", which no \"shm_kv\" in \"wasm\" declares"
    );
    log::write(log, NGX_LOG_EMERG as usize, line);
    None
}

/// `None` without an `http` block.
///
/// # Safety
/// `cycle` is live and its configuration was read.
unsafe fn http_main<'a>(cycle: *const ngx_cycle_t) -> Option<&'a MainConf> {
    let http = &raw const ngx_http_module;
    // SAFETY: the http module keeps an ngx_http_conf_ctx_t; our slot has what create_main_conf returned.
    unsafe {
        let http = core_conf::<ngx_http_conf_ctx_t>(cycle, &*http).as_ref()?;
        (*http.main_conf.add(this().ctx_index)).cast::<MainConf>().as_ref()
    }
}
