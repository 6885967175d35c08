//! The routes behind one `ingress_route`: its zone, its server's policies, and what this worker has read so far.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use ngx::ffi::ngx_exiting;
use wick_hosts::{Hosts, Prepare};
use wick_native::complex::Complex;
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::zone::SharedZone;
use wick_routes::{HostRoutes, RecordError, Route};

use super::clients::Clients;
use super::overrides::LocConfs;
use super::parameters::Parameters;
use super::patterns::Patterns;
use super::policies::{Place, Policies, Policy};
use super::templates::Templates;
use crate::headers::RouteHeaders;
use crate::zone::OpenZone;

pub struct RouteTable {
    zone: SharedZone,
    place: Place,
    policies: Policies,
    scheme: Complex,
    host: Complex,
    explain: Option<Box<[u8]>>,
    /// Opened at the first request: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    hosts: RefCell<Hosts<Host>>,
}

/// A host as its record has it, or why the record cannot be read.
pub type Host = Result<ReadyHost, RecordError>;

/// The routes of a host, each with its policy.
pub struct ReadyHost {
    /// `None`: nothing is asked of clients.
    pub clients: Option<Box<Clients>>,
    pub routes: HostRoutes,
    /// Parallel to `routes.routes()`. `None`: this configuration has no such policy, or the route must not be served.
    pub targets: Box<[Option<Target>]>,
    pub patterns: Patterns,
}

/// Where a route leads.
pub struct Target {
    pub policy: Policy,
    /// The policy's configurations with the route's numbers in force, once they were needed.
    pub patched: Cell<Option<LocConfs>>,
    /// `None`: the route has none.
    pub templates: Option<Box<Templates>>,
    /// `None`: the route has none.
    pub headers: Option<Rc<RouteHeaders>>,
}

impl RouteTable {
    pub fn new(zone: SharedZone, parameters: Parameters<'_>, place: Place) -> RouteTable {
        let Parameters { server, scheme, host, explain } = parameters;
        let prefix = [b"routes/", server, b"/"].concat();
        let (hosts, explain) = (RefCell::new(Hosts::new(&prefix)), explain.map(Box::from));
        let (policies, open) = (Policies::default(), OnceCell::new());
        RouteTable { zone, place, policies, scheme, host, explain, open, hosts }
    }

    /// Answers say which route was found.
    pub fn explains(&self) -> bool {
        self.explain.is_some()
    }

    /// Finds the policies, once all locations are known. `None`: the configuration is refused, and the log says why.
    pub fn resolve(&mut self, conf: Conf) -> Option<()> {
        if self.place.limits_methods() {
            conf.error(format_args!(
                "\"limit_except\" and \"ingress_route\" cannot be in one location"
            ));
            return None;
        }
        self.policies = Policies::of(self.place);
        let Some(policy) = &self.explain else { return Some(()) };
        let lead = self.policies.lead_to(policy);
        if lead.is_none() {
            let policy = policy.escape_ascii();
            conf.error(format_args!(
                "\"ingress_route\" cannot explain routes: there is no location \"@{policy}\" in its server block"
            ));
        }
        lead
    }

    /// The policies of its server block, once they were found.
    pub fn policies(&self) -> impl Iterator<Item = Policy> + '_ {
        self.policies.iter()
    }

    /// Whether the request came in plain text, as far as `scheme=` knows.
    pub fn is_plain(&self, r: Request) -> bool {
        self.scheme.evaluate(r) == Some(b"http")
    }

    /// The value of `host=`; `None`: out of memory.
    pub fn redirect_host(&self, r: Request) -> Option<&'static [u8]> {
        self.host.evaluate(r)
    }

    /// What serves a requested host (lower-case, without port); `None` when nothing does.
    pub fn host(&self, host: &[u8]) -> Option<Rc<Host>> {
        let zone = self.open.get_or_init(|| OpenZone::new(self.zone));
        self.hosts.borrow_mut().find(zone, &self.policies, host)
    }
}

impl Prepare for Policies {
    type Host = Host;

    fn prepare(&self, name: &[u8], record: &[u8]) -> Host {
        let routes = HostRoutes::decode(name, record)?;
        let target = |route: &Route| {
            if route.unknown.is_some() {
                return None;
            }
            let policy = self.get(route.policy())?;
            let (templates, headers) = (Templates::of(route), RouteHeaders::of(route));
            Some(Target { policy, patched: Cell::new(None), templates, headers })
        };
        let targets = routes.routes().iter().map(target).collect();
        let clients = Clients::of(name, &routes);
        Ok(ReadyHost { clients, patterns: Patterns::new(routes.patterns()), routes, targets })
    }

    /// A worker that is about to exit serves its last requests under an older configuration, while records already
    /// speak of the policies of the next one.
    fn keeps_old(&self, old: &Host, new: &Host) -> bool {
        // SAFETY: a word that nginx sets in this very thread.
        unsafe { ngx_exiting != 0 && old.is_ok() && !is_complete(new) && !is_closed(new) }
    }
}

fn is_complete(host: &Host) -> bool {
    host.as_ref().is_ok_and(|host| host.targets.iter().all(Option::is_some))
}

/// Something in it must be understood, and is not: what it said before may be more than it allows now.
fn is_closed(host: &Host) -> bool {
    match host {
        Ok(host) => host.routes.routes().iter().any(|route| route.unknown.is_some()),
        Err(error) => matches!(error, RecordError::Critical(_)),
    }
}
