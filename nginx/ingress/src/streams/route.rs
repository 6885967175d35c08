//! A port, and the records that its sessions may have: that of the address which the client has connected to, else its own.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::net::IpAddr;
use std::rc::Rc;

use wick_native::stream::session::Session;
use wick_native::zone::SharedZone;
use wick_streams::Name;

use super::conf::tls_of;
use super::counters::Counters;
use super::ready::Server;
use super::record::{Found, Record};
use super::settings::{SrvConfs, Structure};
use crate::limited_log::LimitedLog;
use crate::zone::OpenZone;

/// Of one `ingress_stream_route`; in the configuration's pool.
pub struct StreamRoute {
    /// Of what clients can cause at will.
    pub errors: LimitedLog,
    zone: SharedZone,
    /// Where the endpoints of its backends are.
    pub backends: SharedZone,
    /// The configurations of its server.
    confs: SrvConfs,
    /// `None`: this nginx's is not known, and records cannot have numbers.
    structure: Option<Structure>,
    /// Opened at the first session: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    own: Rc<Record>,
    /// `None`: its addresses have no records.
    addresses: Option<Addresses>,
}

/// Records of a port's addresses.
struct Addresses {
    port: Name,
    counters: Counters,
    known: RefCell<HashMap<IpAddr, Rc<Record>>>,
}

/// More addresses than this are looked up at each session.
const MAX_KNOWN: usize = 1024;

impl StreamRoute {
    /// # Safety
    /// `confs` are those of the nginx that was measured, and live as long as the route.
    pub unsafe fn new(
        name: Name,
        is_by_address: bool,
        [zone, backends]: [SharedZone; 2],
        counters: Counters,
        confs: SrvConfs,
        structure: Option<Structure>,
    ) -> StreamRoute {
        let addresses = || Addresses { port: name, counters, known: RefCell::default() };
        StreamRoute {
            errors: LimitedLog::default(),
            zone,
            backends,
            confs,
            structure,
            open: OnceCell::new(),
            own: Rc::new(Record::new(name, counters.of(name))),
            addresses: is_by_address.then(addresses),
        }
    }

    /// Which record a session has, and what it says.
    #[inline]
    pub fn find(&self, s: Session<'_>) -> (Rc<Record>, Found) {
        let zone = self.open.get_or_init(|| OpenZone::new(self.zone));
        let (termination, reencryption) = tls_of(s);
        let server = Server {
            confs: self.confs,
            structure: self.structure.as_ref(),
            termination,
            reencryption,
            errors: &self.errors,
            log: s.log(),
        };
        if let Some(addresses) = &self.addresses
            && let Some(record) = addresses.of(s)
        {
            // SAFETY: what `new` was promised.
            let found = unsafe { record.find(zone, &server) };
            if found.is_some() {
                return (record, found);
            }
        }
        // SAFETY: as above.
        (self.own.clone(), unsafe { self.own.find(zone, &server) })
    }
}

impl Addresses {
    /// That of the address which the client has connected to, be there one in the zone or not.
    fn of(&self, s: Session<'_>) -> Option<Rc<Record>> {
        let address = s.connection().local_address()?.ip();
        let mut known = self.known.borrow_mut();
        if let Some(record) = known.get(&address) {
            return Some(record.clone());
        }
        let name = self.port.at(address);
        let record = Rc::new(Record::new(name, self.counters.of(name)));
        if known.len() < MAX_KNOWN {
            known.insert(address, record.clone());
        }
        Some(record)
    }
}
