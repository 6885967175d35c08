//! A host as a worker keeps it: its routes, each with its location, in one piece or in parts.

pub mod prepare;

use std::cell::Cell;
use std::rc::Rc;

use wick_native::pattern::GaveUp;
use wick_routes::{Action, Asks, Condition, HostRoutes, PartIndex, RecordError, Route, Span};

use super::actions::ReadyActions;
use super::clients::Clients;
use super::locations::Location;
use super::overrides::LocConfs;
use super::patterns::{Patterns, Search};
use super::split::SplitTarget;
use super::templates::Templates;
use crate::access::Checks;
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
    #[inline]
    fn found(&self, route: usize, action: Action, part: usize) -> Found<'_> {
        let (target, slot) = (self.targets[route].as_ref(), &self.slots[route]);
        Found { route: &self.routes.routes()[route], target, action, slot, at: (part, route) }
    }
}

impl Parts {
    fn find(&self, search: &mut Search<'_>) -> Result<Option<Found<'_>>, GaveUp> {
        let part = |index: usize| &self.parts[index].routes;
        let path = search.path();
        let asks = &mut Asking { search, part };
        let found = self.index.find(|index| &part(index).routes, path, asks)?;
        Ok(found.map(|at| part(at.part).found(at.found.route, at.found.action, at.part)))
    }
}
