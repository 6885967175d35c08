//! Ports of HTTP whose addresses may have streams of their own: which connections are theirs, by the server name that the client asks for.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::net::SocketAddr;
use std::rc::Rc;

use ngx::ffi::ngx_log_t;
use wick_hosts::{Listener, Records};
use wick_native::zone::SharedZone;
use wick_streams::{Name, Protocol, Stream};

use crate::limited_log::LimitedLog;
use crate::zone::OpenZone;

/// More addresses than this are looked up at each connection.
const MAX_KNOWN: usize = 1024;

/// One port.
pub struct SharedPort {
    pub number: u16,
    zone: SharedZone,
    /// Opened at the first connection: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    known: RefCell<HashMap<SocketAddr, Rc<Known>>>,
    errors: LimitedLog,
}

/// What the zone says of an address.
#[derive(Default)]
struct Known {
    /// The store's version at which this was read.
    version: u64,
    /// `None`: there is no record, or none that can be read.
    stream: Option<Stream>,
    /// HTTP has hosts there.
    has_hosts: bool,
}

impl SharedPort {
    /// `word`: `tcp:PORT`. `None`: it is not.
    pub fn read(word: &[u8], zone: SharedZone) -> Option<SharedPort> {
        let name = Name::read(word).filter(|name| name.protocol == Protocol::Tcp)?;
        Some(SharedPort {
            number: name.port,
            zone,
            open: OnceCell::new(),
            known: RefCell::default(),
            errors: LimitedLog::default(),
        })
    }

    /// Whether a connection to this address is a stream's. `name`: what the client asks for, if anything. Where HTTP has no hosts every one is.
    pub fn takes(&self, at: SocketAddr, name: Option<&[u8]>, log: *mut ngx_log_t) -> bool {
        let known = self.known(at, log);
        let Some(stream) = &known.stream else { return false };
        let is_named = stream.names.is_empty() || stream.names.find(name).is_some();
        is_named || !known.has_hosts
    }

    fn known(&self, at: SocketAddr, log: *mut ngx_log_t) -> Rc<Known> {
        let zone = self.open.get_or_init(|| OpenZone::new(self.zone));
        let now = zone.version();
        let mut all = self.known.borrow_mut();
        if let Some(known) = all.get(&at).filter(|known| known.version == now) {
            return known.clone();
        }
        let known = Rc::new(self.look(zone, at, now, log));
        if all.len() >= MAX_KNOWN {
            all.clear();
        }
        all.insert(at, known.clone());
        known
    }

    fn look(&self, zone: &OpenZone, at: SocketAddr, version: u64, log: *mut ngx_log_t) -> Known {
        let any = Name { protocol: Protocol::Tcp, address: None, port: self.number };
        let mut record = Vec::new();
        let mut finds = |key: String| zone.read(key.as_bytes(), &mut record);
        let [own, everywhere] = Listener::new(true, at.ip(), at.port())
            .servers()
            .map(|server| finds(format!("routes/{server}/_")));
        // Who has the address comes before who has the port of all.
        let is_there = finds(format!("routes/:streams/{}", any.at(at.ip())))
            || (!own && finds(format!("routes/:streams/{any}")));
        let stream = is_there.then(|| Stream::decode(&record)).and_then(|stream| {
            let complain = |error: &wick_streams::RecordError| {
                let line = format_args!("Cannot read the record of the stream at {at}: {error}");
                self.errors.error(log, line);
            };
            stream.inspect_err(complain).ok()
        });
        Known { version, stream, has_hosts: own || everywhere }
    }
}
