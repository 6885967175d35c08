//! A host as a worker keeps it: its routes, each with its location, in one piece or in parts.

use std::cell::Cell;
use std::collections::HashMap;
use std::rc::Rc;

use ngx::ffi::ngx_exiting;
use wick_hosts::{Prepare, ReadOther};
use wick_native::pattern::GaveUp;
use wick_routes::{
    Action, Asks, Condition, HostRoutes, PartIndex, RecordError, Route, Span, Value, Wanted,
};

use super::actions::ReadyActions;
use super::clients::Clients;
use super::locations::{Location, Locations};
use super::overrides::LocConfs;
use super::patterns::{Patterns, Search};
use super::split::SplitTarget;
use super::templates::Templates;
use crate::access::{Checks, Lists};
use crate::headers::RouteHeaders;
use crate::limits::RouteLimits;
use crate::metrics::Slot;
use crate::script::ReadyScript;
use crate::waf::ReadyWaf;

/// A host as its record has it, or why the record cannot be read.
pub type Host = Result<ReadyHost, RecordError>;

/// The routes of a host, each with its location.
pub struct ReadyHost {
    /// Whose host it is, of those listeners that share an address and a port. `None`: nobody asks.
    pub listener: Option<Box<[u8]>>,
    /// `None`: nothing is asked of clients.
    pub clients: Option<Rc<Clients>>,
    /// Run before a route is looked for; `None`, as for most: nothing is.
    pub script: Option<Rc<ReadyScript>>,
    /// It has a script, or a route of its has.
    pub is_scripted: bool,
    routes: Routes,
}

enum Routes {
    Whole(ReadyRoutes),
    Parts(Parts),
    /// Those of the host that its record names; not looked up yet.
    Alias(Box<[u8]>),
    /// Those of another host, which has its own.
    Of(Rc<Host>),
}

struct ReadyRoutes {
    routes: HostRoutes,
    /// Parallel to `routes.routes()`. `None`: this configuration has no such named location, or the route must not be served.
    targets: Box<[Option<Target>]>,
    /// Parallel to both: where requests are counted.
    slots: Box<[Slot]>,
    patterns: Patterns,
    /// Parallel to them: the patterns of their conditions. Empty: no condition has one.
    conditions: Box<[Patterns]>,
    /// One of them has a script.
    is_scripted: bool,
}

struct Parts {
    parts: Box<[Rc<Part>]>,
    index: PartIndex,
}

struct Part {
    id: Box<[u8]>,
    span: Span,
    routes: ReadyRoutes,
}

/// Where a route leads.
pub struct Target {
    pub location: Location,
    /// The location's configurations with what the route says in force, once that was needed.
    pub patched: Cell<Option<LocConfs>>,
    /// `None`: the route has none.
    pub templates: Option<Box<Templates>>,
    /// `None`: the route has none.
    pub headers: Option<Rc<RouteHeaders>>,
    /// `None`: the route has none, everybody may request it.
    pub checks: Option<Rc<Checks>>,
    /// `None`: the route has none.
    pub limits: Option<Rc<RouteLimits>>,
    /// `None`: the route has one backend.
    pub split: Option<Box<SplitTarget>>,
    /// `None`: the route has none.
    pub script: Option<Rc<ReadyScript>>,
    /// `None`: nothing is done but what one of several backends says.
    pub actions: Option<Box<ReadyActions>>,
    /// `None`: the route has none.
    pub waf: Option<Rc<ReadyWaf>>,
}

/// A route that was found.
pub struct Found<'h> {
    pub route: &'h Route,
    pub target: Option<&'h Target>,
    pub action: Action,
    pub slot: &'h Slot,
    /// Its part and its place there, for [`ReadyHost::place`].
    at: (usize, usize),
}

impl ReadyHost {
    /// The route of the path that is looked for.
    /// # Errors
    /// The patterns take too long. The log says so.
    #[inline]
    pub fn find(&self, search: &mut Search<'_>) -> Result<Option<Found<'_>>, GaveUp> {
        match &self.routes {
            Routes::Whole(routes) => {
                let path = search.path();
                let found = routes.routes.find(path, &mut Asking { search, part: |_| routes })?;
                Ok(found.map(|found| routes.found(found.route, found.action, 0)))
            }
            Routes::Parts(parts) => parts.find(search),
            Routes::Of(host) => find_in(host, search),
            Routes::Alias(_) => Ok(None),
        }
    }

    /// Whether all of these paths have the same route, or none.
    /// # Errors
    /// As for [`ReadyHost::find`].
    #[cold]
    pub fn is_one_route<'p>(
        &self,
        search: &mut Search<'p>,
        paths: impl IntoIterator<Item = &'p [u8]>,
    ) -> Result<bool, GaveUp> {
        let mut first = None;
        for path in paths {
            search.set_path(path);
            let place = self.find(search)?.map(|found| found.at);
            if *first.get_or_insert(place) != place {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The route's place among all of the host.
    #[cold]
    pub fn place(&self, found: &Found<'_>) -> usize {
        let (part, route) = found.at;
        self.all().take(part).map(|routes| routes.targets.len()).sum::<usize>() + route
    }

    fn own_routes(&self) -> &Routes {
        match &self.routes {
            Routes::Of(host) => (**host).as_ref().map_or(&self.routes, |host| &host.routes),
            own => own,
        }
    }

    fn all(&self) -> impl Iterator<Item = &ReadyRoutes> {
        let (whole, parts) = match self.own_routes() {
            Routes::Whole(routes) => (Some(routes), &[][..]),
            Routes::Parts(Parts { parts, .. }) => (None, &parts[..]),
            Routes::Alias(_) | Routes::Of(_) => (None, &[][..]),
        };
        whole.into_iter().chain(parts.iter().map(|part| &part.routes))
    }
}

/// Answers what is asked about a request while its route is looked for.
struct Asking<'a, 'w, F> {
    search: &'a mut Search<'w>,
    /// A part of the host by its number.
    part: F,
}

impl<'h, F: Fn(usize) -> &'h ReadyRoutes> Asks for Asking<'_, '_, F> {
    type Error = GaveUp;

    #[inline]
    fn is_match(&mut self, part: usize, nth: usize, route: &Route) -> Result<bool, GaveUp> {
        self.search.matches(&(self.part)(part).patterns, nth, route)
    }

    fn meets(
        &mut self,
        part: usize,
        route: usize,
        conditions: &[Condition],
    ) -> Result<bool, GaveUp> {
        self.search.meets((self.part)(part).conditions.get(route), conditions)
    }
}

#[inline(never)] // Most hosts are no aliases: theirs is the straight way.
fn find_in<'h>(host: &'h Host, search: &mut Search<'_>) -> Result<Option<Found<'h>>, GaveUp> {
    host.as_ref().map_or(Ok(None), |host| host.find(search))
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

    #[inline]
    fn found(&self, route: usize, action: Action, part: usize) -> Found<'_> {
        let (target, slot) = (self.targets[route].as_ref(), &self.slots[route]);
        Found { route: &self.routes.routes()[route], target, action, slot, at: (part, route) }
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

    fn find(&self, search: &mut Search<'_>) -> Result<Option<Found<'_>>, GaveUp> {
        let part = |index: usize| &self.parts[index].routes;
        let path = search.path();
        let asks = &mut Asking { search, part };
        let found = self.index.find(|index| &part(index).routes, path, asks)?;
        Ok(found.map(|at| part(at.part).found(at.found.route, at.found.action, at.part)))
    }
}

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
        let access = route.access.as_deref();
        let asked = access.and_then(|access| access.external.as_deref());
        let service = asked.map(|asked| self.locations.service(&asked.location));
        if service == Some(None) {
            return Ok(None);
        }
        let service = service.flatten().map(|location| (location, route.identity()));
        let namespace = route.value(Value::Namespace);
        let checks = |access| Checks::of(access, namespace, service, &self.lists, others);
        let checks = access.map(checks).transpose()?;
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
        let mut is_scripted = script.is_some();
        if let Some(of) = host.alias_of() {
            let routes = Routes::Alias(of.into());
            return Ok(ReadyHost { listener, clients, script, is_scripted, routes });
        }
        if host.parts().is_empty() {
            let routes = ReadyRoutes::new(host, self, others)?;
            is_scripted |= routes.is_scripted;
            let routes = Routes::Whole(routes);
            return Ok(ReadyHost { listener, clients, script, is_scripted, routes });
        }
        let old = match old {
            Some(Ok(ReadyHost { routes: Routes::Parts(parts), .. })) => Some(parts),
            _ => None,
        };
        let parts = Parts::read(host.parts(), old, |id| self.part(name, id, others))?;
        is_scripted |= parts.parts.iter().any(|part| part.routes.is_scripted);
        let routes = Routes::Parts(parts);
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
