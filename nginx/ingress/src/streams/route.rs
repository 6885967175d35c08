//! A port, and the records that its sessions may have: that of the address which the client has connected to, else its own.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use wick_native::stream::session::Session;
use wick_native::zone::SharedZone;
use wick_streams::{Name, Protocol};

use super::conf::tls_of;
use super::counters::Counters;
use super::ready::Server;
use super::record::{Found, Record};
use super::settings::{SrvConfs, Structure};
use crate::limited_log::LimitedLog;
use crate::passthrough;
use crate::zone::OpenZone;

/// Of one `ingress_stream_route`; in the configuration's pool.
pub struct StreamRoute {
    /// Of what clients can cause at will.
    pub errors: LimitedLog,
    zone: SharedZone,
    /// The configurations of its server.
    confs: SrvConfs,
    /// `None`: this nginx's is not known, and records cannot have numbers.
    structure: Option<Structure>,
    /// Opened at the first session: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    counters: Counters,
    ports: Ports,
    /// `None`: its port is not known before a session comes.
    own: Option<Rc<Record>>,
    /// Of the port's addresses, and of ports.
    known: RefCell<HashMap<Name, Rc<Record>>>,
}

/// Whose sessions a server has.
#[derive(Clone, Copy)]
pub enum Ports {
    /// Of one port.
    One(Name),
    /// Of one port, whose addresses may have records of their own.
    ByAddress(Name),
    /// Of connections that HTTP has accepted on its own ports, whatever the port.
    Handed,
}

impl Ports {
    /// `None`: the word is none.
    pub fn read(word: &[u8], is_by_address: bool) -> Option<Ports> {
        match (word, is_by_address) {
            (b"handed", false) => Some(Ports::Handed),
            (_, true) => Name::read(word).map(Ports::ByAddress),
            (_, false) => Name::read(word).map(Ports::One),
        }
    }
}

/// More records than this are looked up at each session.
const MAX_KNOWN: usize = 1024;

impl StreamRoute {
    /// # Safety
    /// `confs` are those of the nginx that was measured, and live as long as the route.
    pub unsafe fn new(
        ports: Ports,
        zone: SharedZone,
        counters: Counters,
        confs: SrvConfs,
        structure: Option<Structure>,
    ) -> StreamRoute {
        let own = match ports {
            Ports::One(name) | Ports::ByAddress(name) => {
                Some(Rc::new(Record::new(name, counters.of(name))))
            }
            Ports::Handed => None,
        };
        StreamRoute {
            errors: LimitedLog::default(),
            zone,
            confs,
            structure,
            open: OnceCell::new(),
            counters,
            ports,
            own,
            known: RefCell::default(),
        }
    }

    /// Whether it says where the session goes: a connection that was handed on with its backend is nobody's.
    pub fn is_for(&self, s: Session<'_>) -> bool {
        !matches!(self.ports, Ports::Handed) || passthrough::stream_address(s).is_some()
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
        let (by_address, of_port) = self.records(s);
        if let Some(record) = by_address {
            // SAFETY: what `new` was promised.
            let found = unsafe { record.find(zone, &server) };
            if found.is_some() {
                return (record, found);
            }
        }
        // SAFETY: as above.
        let found = unsafe { of_port.find(zone, &server) };
        (of_port, found)
    }

    /// That of the address which the client has connected to, where such may be, and that of the port, be they in the zone or not.
    fn records(&self, s: Session<'_>) -> (Option<Rc<Record>>, Rc<Record>) {
        let (port, at) = match self.ports {
            Ports::One(port) => (port, None),
            Ports::ByAddress(port) => (port, s.connection().local_address()),
            Ports::Handed => {
                let at = passthrough::stream_address(s);
                let port = at.map_or(0, |at| at.port());
                (Name { protocol: Protocol::Tcp, address: None, port }, at)
            }
        };
        let by_address = at.map(|at| self.record(port.at(at.ip())));
        (by_address, self.own.clone().unwrap_or_else(|| self.record(port)))
    }

    fn record(&self, name: Name) -> Rc<Record> {
        let mut known = self.known.borrow_mut();
        if let Some(record) = known.get(&name) {
            return record.clone();
        }
        let record = Rc::new(Record::new(name, self.counters.of(name)));
        if known.len() < MAX_KNOWN {
            known.insert(name, record.clone());
        }
        record
    }
}
