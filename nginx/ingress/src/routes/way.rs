//! How a request is in its route's location: with which numbers and which TLS to the backend, of the route or of the backend that was drawn.
//!
//! nginx reads both from the location's configurations. `overrides` makes copies that say them; here the request takes one on.

use std::cell::Cell;
use std::ptr::NonNull;

use ngx::ffi::ngx_http_update_location_config;
use wick_native::request::Request;
use wick_routes::{BackendTls, Overrides, Route};

use super::backend_tls::SpokenTo;
use super::locations::Location;
use super::overrides::{LocConfs, Patches, Unpatched, Wanted};
use super::ready::Target;
use super::split::Drawn;
use crate::access;

/// How the backend of a request is reached.
pub struct Way<'h> {
    location: Location,
    backend_tls: Option<&'h BackendTls>,
    patched: &'h Cell<Option<LocConfs>>,
}

impl<'h> Way<'h> {
    #[inline]
    pub fn of(route: &'h Route, target: &'h Target, drawn: Drawn<'h>) -> Way<'h> {
        let of_route = route.backend_tls.as_deref();
        let Some((backend, share)) = drawn.one() else {
            let (location, patched) = (target.location, &target.patched);
            return Way { location, backend_tls: of_route, patched };
        };
        let of_route = of_route.filter(|_| share.location.is_none());
        let backend_tls = backend.backend_tls.as_deref().or(of_route);
        let location = share.location.unwrap_or(target.location);
        Way { location, backend_tls, patched: &share.patched }
    }
}

/// From here on the request is in the route's location: limits, error pages and the rest are that one's.
///
/// # Errors: what is to be in force there cannot be.
pub fn enter(r: Request, way: &Way<'_>, route: &Route, patches: &Patches) -> Result<(), Unpatched> {
    // SAFETY: a live request and a location of its server. nginx sets content_handler again, or it stays unset.
    unsafe {
        (*r.as_ptr()).content_handler = None;
        (*r.as_ptr()).loc_conf = way.location.as_ref().loc_conf;
        ngx_http_update_location_config(r.as_ptr());
    }
    let wanted = Wanted {
        numbers: route.overrides.as_deref(),
        backend_tls: way.backend_tls,
        spoken_to: SpokenTo::Backend,
    };
    if wanted.is_nothing() { Ok(()) } else { put_in_force(r, way, wanted, patches) }
}

fn put_in_force(
    r: Request,
    way: &Way<'_>,
    wanted: Wanted,
    patches: &Patches,
) -> Result<(), Unpatched> {
    // SAFETY: loc_conf of a live request is never null.
    let base = unsafe { NonNull::new_unchecked((*r.as_ptr()).loc_conf) };
    // SAFETY: a live configuration.
    let is_whole = base.as_ptr() == unsafe { way.location.as_ref() }.loc_conf;
    let patched = match way.patched.get() {
        Some(patched) if is_whole => patched,
        _ => patches.of(base, wanted)?,
    };
    if is_whole {
        way.patched.set(Some(patched));
    }
    // SAFETY: copies live as long as the configuration.
    unsafe { (*r.as_ptr()).loc_conf = patched.as_ptr() };
    Ok(())
}

/// Sees to it that the route's authentication service, if it has one, is asked with the route's numbers, and in TLS as is said of it.
///
/// # Errors: what is to be in force there cannot be.
pub fn prepare_service(
    checks: &access::Checks,
    route: &Route,
    patches: &Patches,
) -> Result<(), Unpatched> {
    let Some(service) = checks.external.as_ref() else { return Ok(()) };
    if service.confs().get().is_some() {
        return Ok(());
    }
    // SAFETY: a live location, whose configurations are never null.
    let base = unsafe { NonNull::new_unchecked(service.location().as_ref().loc_conf) };
    let numbers = route.overrides.as_deref().map(Overrides::of_services).unwrap_or_default();
    let wanted = Wanted {
        numbers: Some(&numbers).filter(|numbers| !numbers.is_empty()),
        backend_tls: service.backend_tls(),
        spoken_to: SpokenTo::Service,
    };
    let confs = if wanted.is_nothing() { base } else { patches.of(base, wanted)? };
    service.confs().set(Some(confs));
    Ok(())
}
