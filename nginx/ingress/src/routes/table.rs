//! The routes behind one `ingress_route`: its zone, its server's named locations, and what this worker has read so far.

use std::cell::{OnceCell, RefCell};
use std::rc::Rc;

use wick_hosts::{Hosts, Listener};
use wick_native::complex::Complex;
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::zone::SharedZone;

use super::locations::{Location, Locations, Place, named_locations};
use super::parameters::Parameters;
use super::ready::Host;
use super::ready::prepare::Means;
use crate::zone::OpenZone;

pub struct RouteTable {
    zone: SharedZone,
    place: Place,
    means: Means,
    /// Those of its own server; `None`: all, and listeners have no hosts of their own.
    ports: Option<Box<[u16]>>,
    scheme: Complex,
    host: Complex,
    explain: Option<Box<[u8]>>,
    /// The `server_name` of the server block whose named locations are entered; `None`: its own.
    entered: Option<Box<[u8]>>,
    /// Opened at the first request: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    hosts: RefCell<Hosts<Host>>,
}

impl RouteTable {
    pub fn new(zone: SharedZone, parameters: Parameters<'_>, place: Place) -> RouteTable {
        let Parameters { server, ports, scheme, host, explain, locations } = parameters;
        let hosts = RefCell::new(Hosts::of_server(b"routes/", server));
        let (explain, entered) = (explain.map(Box::from), locations.map(Box::from));
        let (means, open) = (Means::default(), OnceCell::new());
        RouteTable { zone, place, means, ports, scheme, host, explain, entered, open, hosts }
    }

    /// Answers say which route was found.
    pub fn explains(&self) -> bool {
        self.explain.is_some()
    }

    /// Finds the named locations, once all are known. `None`: the configuration is refused, and the log says why.
    pub fn resolve(&mut self, conf: Conf) -> Option<()> {
        if self.place.limits_methods() {
            conf.error(format_args!(
                "\"limit_except\" and \"ingress_route\" cannot be in one location"
            ));
            return None;
        }
        self.means = Means::new(Locations::of(self.entered_place(conf)?));
        let Some(location) = &self.explain else { return Some(()) };
        let lead = self.means.locations.lead_to(location);
        if lead.is_none() {
            let location = location.escape_ascii();
            conf.error(format_args!(
                "\"ingress_route\" cannot explain routes: there is no location \"@{location}\" in its server block"
            ));
        }
        lead
    }

    /// Around which the named locations stand that requests enter. `None`: there is no such server block, and the log says so.
    fn entered_place(&self, conf: Conf) -> Option<Place> {
        let Some(name) = &self.entered else { return Some(self.place) };
        let place = self.place.in_server(conf, name);
        if place.is_none() {
            let name = name.escape_ascii();
            conf.error(format_args!(
                "\"ingress_route\" cannot enter locations of another server block: none is called \"{name}\""
            ));
        }
        place
    }

    /// The named locations of its own server block, once all are known.
    pub fn locations(&self) -> impl Iterator<Item = Location> {
        named_locations(self.place)
    }

    /// Whether the request came in plain text, as far as `scheme=` knows.
    pub fn is_plain(&self, r: Request) -> bool {
        self.scheme.evaluate(r) == Some(b"http")
    }

    /// The value of `host=`; `None`: out of memory.
    pub fn redirect_host<'r>(&self, r: Request<'r>) -> Option<&'r [u8]> {
        self.host.evaluate(r)
    }

    /// What serves the requested host; `None` when nothing does.
    #[inline(always)] // Called once, but for error pages.
    pub fn host(&self, r: Request) -> Option<Rc<Host>> {
        let zone = self.open.get_or_init(|| OpenZone::new(self.zone));
        match &self.ports {
            None => self.hosts.borrow_mut().find(zone, &self.means, r.host()),
            Some(ports) => self.host_at(r, zone, ports),
        }
    }

    /// On a unix socket all hosts are those of the own server.
    fn host_at(&self, r: Request, zone: &OpenZone, ports: &[u16]) -> Option<Rc<Host>> {
        let mut hosts = self.hosts.borrow_mut();
        let Some(at) = r.local_address() else { return hosts.find(zone, &self.means, r.host()) };
        let (listener, is_own) =
            (Listener::new(r.is_tls(), at.ip(), at.port()), ports.contains(&at.port()));
        hosts.find_at(zone, &self.means, &listener, is_own, r.host())
    }
}
