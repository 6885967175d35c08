//! Makes a host ready from its record.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use ngx::ffi::ngx_exiting;
use wick_hosts::{Prepare, ReadOther};
use wick_routes::{Condition, HostRoutes, PartIndex, RecordError, Route, Span, Value, Wanted};

use super::{Host, Part, Parts, ReadyHost, ReadyRoutes, Routes, Target};
use crate::access::{Checks, Lists};
use crate::headers::RouteHeaders;
use crate::limits::RouteLimits;
use crate::metrics::Slot;
use crate::routes::actions::ReadyActions;
use crate::routes::clients::Clients;
use crate::routes::locations::{Location, Locations};
use crate::routes::patterns::Patterns;
use crate::routes::split::{NoLocation, SplitTarget};
use crate::routes::templates::Templates;
use crate::script::ReadyScript;
use crate::waf::ReadyWaf;

/// Where the parts of hosts lie (docs/wire.md 2).
const PARTS: &[u8] = b"routes/:parts/";

/// What the hosts of one `ingress_route` are made ready with.
#[derive(Default)]
pub struct Means {
    pub locations: Locations,
    lists: Lists,
}

impl Means {
    pub fn new(locations: Locations) -> Means {
        Means { locations, lists: Lists::default() }
    }

    /// `None`: see `ReadyRoutes::targets`.
    fn target(
        &self,
        route: &Route,
        others: &mut ReadOther<'_>,
    ) -> Result<Option<Target>, RecordError> {
        if route.unknown.is_some() {
            return Ok(None);
        }
        let Some(location) = self.locations.get(route.location()) else { return Ok(None) };
        let Ok(service) = self.service(route) else { return Ok(None) };
        let namespace = route.value(Value::Namespace);
        let checks = |access| Checks::of(access, namespace, service, &self.lists, others);
        let checks = route.access.as_deref().map(checks).transpose()?;
        let limits = RouteLimits::of(route, &self.lists, others)?;
        let (templates, headers) = (Templates::of(route), RouteHeaders::of(route));
        let split = route.split.as_deref();
        let split = split.map(|split| SplitTarget::of(route, split, &self.locations)).transpose();
        let Ok(split) = split else { return Ok(None) };
        let (patched, script) = (Cell::new(None), route.script.as_ref().map(ReadyScript::new));
        let find = |name: &[u8]| self.locations.get(name);
        Ok(Some(Target {
            location,
            patched,
            templates,
            headers,
            checks,
            limits,
            split,
            script,
            actions: ReadyActions::of(route.actions.as_deref(), find),
            waf: ReadyWaf::of(route),
        }))
    }

    /// Where its authentication service is asked, and who asks; `None`: it has none.
    fn service(&self, route: &Route) -> Result<Option<(Location, Vec<u8>)>, NoLocation> {
        let access = route.access.as_deref();
        let Some(asked) = access.and_then(|access| access.external.as_deref()) else {
            return Ok(None);
        };
        let location = self.locations.service(&asked.location).ok_or(NoLocation)?;
        Ok(Some((location, route.identity())))
    }

    /// Those of another host are looked up when all are ready.
    fn routes(
        &self,
        name: &[u8],
        host: HostRoutes,
        old: Option<&Host>,
        others: &mut ReadOther<'_>,
    ) -> Result<Routes, RecordError> {
        if let Some(of) = host.alias_of() {
            return Ok(Routes::Alias(of.into()));
        }
        if host.parts().is_empty() {
            return ReadyRoutes::new(host, self, others).map(Routes::Whole);
        }
        let old = match old {
            Some(Ok(ReadyHost { routes: Routes::Parts(parts), .. })) => Some(parts),
            _ => None,
        };
        Parts::read(host.parts(), old, |id| self.part(name, id, others)).map(Routes::Parts)
    }

    fn part(&self, host: &[u8], id: &[u8], read: &mut ReadOther<'_>) -> Result<Part, RecordError> {
        let mut record = Vec::new();
        if !read(&[PARTS, id].concat(), &mut record) {
            return Err(RecordError::Absent);
        }
        let routes = HostRoutes::decode_part(host, &record)?;
        let span = Span::of(&routes);
        Ok(Part { id: id.into(), span, routes: ReadyRoutes::new(routes, self, read)? })
    }
}

impl Prepare for Means {
    type Host = Host;

    fn prepare(
        &self,
        name: &[u8],
        record: &[u8],
        old: Option<&Host>,
        others: &mut ReadOther<'_>,
    ) -> Host {
        let host = HostRoutes::decode(name, record)?;
        let (clients, listener) = (Clients::of(name, &host), host.listener().map(Box::from));
        let script = host.script().map(ReadyScript::new);
        let routes = self.routes(name, host, old, others)?;
        let is_scripted = script.is_some() || routes.is_scripted();
        Ok(ReadyHost { listener, clients, script, is_scripted, routes })
    }

    /// A worker that is about to exit serves its last requests under an older configuration, while records already
    /// speak of the locations of the next one.
    fn keeps_old(&self, old: &Host, new: &Host) -> bool {
        // SAFETY: a word that nginx sets in this very thread.
        unsafe { ngx_exiting != 0 && old.is_ok() && !is_complete(new) && !is_closed(new) }
    }

    fn alias_of<'h>(&self, host: &'h Host) -> Option<&'h [u8]> {
        match host {
            Ok(ReadyHost { routes: Routes::Alias(of), .. }) => Some(of),
            _ => None,
        }
    }

    /// With its own demands on clients, and the routes and the script of the other one.
    fn resolved(&self, alias: Rc<Host>, of: Option<Rc<Host>>) -> Rc<Host> {
        let Ok(ReadyHost { listener, clients, .. }) = &*alias else { return alias };
        let routes = match of {
            None => Err(RecordError::Absent),
            Some(of) => match &*of {
                Ok(host) if matches!(host.routes, Routes::Whole(_) | Routes::Parts(_)) => {
                    Ok((host.script.clone(), host.is_scripted, of.clone()))
                }
                Ok(_) => Err(RecordError::Alias),
                Err(error) => Err(*error),
            },
        };
        Rc::new(routes.map(|(script, is_scripted, of)| {
            let (listener, clients) = (listener.clone(), clients.clone());
            ReadyHost { listener, clients, script, is_scripted, routes: Routes::Of(of) }
        }))
    }
}

impl Routes {
    fn is_scripted(&self) -> bool {
        match self {
            Routes::Whole(routes) => routes.is_scripted,
            Routes::Parts(parts) => parts.parts.iter().any(|part| part.routes.is_scripted),
            Routes::Alias(_) | Routes::Of(_) => false,
        }
    }
}

impl ReadyRoutes {
    /// # Errors: what protects a route cannot be read.
    fn new(
        routes: HostRoutes,
        means: &Means,
        others: &mut ReadOther<'_>,
    ) -> Result<ReadyRoutes, RecordError> {
        let target = |route| means.target(route, others);
        let targets: Box<[_]> = routes.routes().iter().map(target).collect::<Result<_, _>>()?;
        let slots = targets.iter().map(|_| Slot::default()).collect();
        let (patterns, conditions) = (Patterns::new(routes.patterns()), conditions(&routes));
        let is_scripted = routes.routes().iter().any(|route| route.script.is_some());
        Ok(ReadyRoutes { routes, targets, slots, patterns, conditions, is_scripted })
    }
}

/// Room for the patterns of all conditions; empty if there are none.
fn conditions(routes: &HostRoutes) -> Box<[Patterns]> {
    let is_pattern = |condition: &Condition| matches!(condition.wanted, Wanted::Pattern(_));
    let has_some = routes.routes().iter().any(|route| route.conditions.iter().any(is_pattern));
    let all = routes.routes().iter().filter(|_| has_some);
    all.map(|route| Patterns::new(route.conditions.len())).collect()
}

impl Parts {
    /// Those that `old` has are taken over: a part never changes.
    fn read(
        ids: &[Box<[u8]>],
        old: Option<&Parts>,
        mut read: impl FnMut(&[u8]) -> Result<Part, RecordError>,
    ) -> Result<Parts, RecordError> {
        let old = old.into_iter().flat_map(|old| &old.parts);
        let known: HashMap<&[u8], &Rc<Part>> = old.map(|part| (&*part.id, part)).collect();
        let mut part = |id: &[u8]| match known.get(id) {
            Some(part) => Ok(Rc::clone(part)),
            None => read(id).map(Rc::new),
        };
        let parts = ids.iter().map(|id| part(id)).collect::<Result<Box<[_]>, _>>()?;
        let index = PartIndex::new(parts.iter().map(|part| (&part.routes.routes, &part.span)))?;
        Ok(Parts { parts, index })
    }
}

fn is_complete(host: &Host) -> bool {
    host.as_ref().is_ok_and(|host| host.all().all(|part| part.targets.iter().all(Option::is_some)))
}

/// Something in it must be understood, and is not: what it said before may be more than it allows now.
fn is_closed(host: &Host) -> bool {
    let is_unknown =
        |part: &ReadyRoutes| part.routes.routes().iter().any(|route| route.unknown.is_some());
    match host {
        Ok(host) => host.all().any(is_unknown),
        Err(error) => matches!(error, RecordError::Critical(_) | RecordError::Closed),
    }
}
