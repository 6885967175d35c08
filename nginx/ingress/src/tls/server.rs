//! The TLS hosts of one server block.

use std::cell::RefCell;
use std::rc::Rc;

use wick_hosts::{Hosts, Listener};
use wick_native::tls::{Alert, Connection, Failure, Unverified};
use wick_tls::{MAX_NAME_BYTES, Verify, name_in_extension, normalise};

use super::handshake::Handshake;
use super::ready::{Preparing, ReadyHost};
use super::shelf::Shelf;
use crate::passthrough;

/// docs/wire.md 2.
const PREFIX: &[u8] = b"certificates/hosts/";
/// What serves every name without a record of its own or its wildcard's.
const ANY: &[u8] = b"_";
/// What serves where nothing else does.
const DEFAULT: &[u8] = b":default";

pub struct TlsServer {
    shelf: Rc<Shelf>,
    hosts: RefCell<Hosts<ReadyHost>>,
    rejects_unknown: bool,
    /// Listeners may have TLS hosts of their own.
    asks_listeners: bool,
    identity: Box<[u8]>,
}

impl TlsServer {
    /// `identity`: what the server block's sessions have in common.
    pub fn new(
        shelf: Rc<Shelf>,
        rejects_unknown: bool,
        asks_listeners: bool,
        identity: &[u8],
    ) -> TlsServer {
        let hosts = RefCell::new(Hosts::new(PREFIX));
        TlsServer { shelf, hosts, rejects_unknown, asks_listeners, identity: identity.into() }
    }

    /// At the ClientHello: finds the TLS host, which stays with the connection, and separates its sessions from others'. By QUIC there is none for a
    /// name that is passed through: its clients go on by TCP.
    ///
    /// # Errors: the handshake ends with this alert.
    pub fn begin(&self, connection: Connection, extension: Option<&[u8]>) -> Result<(), Alert> {
        let sent = extension.and_then(name_in_extension);
        let mut buffer = [0; MAX_NAME_BYTES];
        let name = sent.and_then(|sent| normalise(sent, &mut buffer));
        if is_of_others(connection, name) {
            return Err(Alert::UnrecognizedName);
        }
        let host = self.host(connection, name);
        let is_known = host.as_ref().is_some_and(|host| ![ANY, DEFAULT].contains(&host.name()));
        if self.rejects_unknown && !is_known {
            return Err(Alert::UnrecognizedName);
        }
        if host.as_ref().is_some_and(|host| host.is_closed) {
            return Err(Alert::InternalError);
        }
        let separated = host.as_ref().map_or(Ok(()), |host| host.separate_sessions(connection));
        let handshake = Handshake::new(host, name.or(sent));
        // SAFETY: nothing in the callback of a ClientHello has asked for an earlier one's.
        let keep = |()| unsafe { handshake.keep(connection) };
        separated.and_then(keep).map_err(|_| Alert::InternalError)
    }

    /// What serves a server name, as records are called.
    fn host(&self, connection: Connection, name: Option<&[u8]>) -> Option<Rc<ReadyHost>> {
        let name = name.unwrap_or(ANY);
        let found = match self.listener(connection) {
            Some(listener) => self.find_at(&listener, name),
            None => self.find(name),
        };
        found.or_else(|| self.default())
    }

    /// Where the connection came in, if that matters.
    fn listener(&self, connection: Connection) -> Option<Listener> {
        let at = self.asks_listeners.then(|| connection.local_address())??;
        Some(Listener::new(true, at.ip(), at.port()))
    }

    /// Among the TLS hosts of the listener, if it has such of its own.
    fn find_at(&self, listener: &Listener, name: &[u8]) -> Option<Rc<ReadyHost>> {
        let preparing = Preparing { shelf: &self.shelf, identity: &self.identity };
        self.hosts.borrow_mut().find_at(self.shelf.zone(), &preparing, listener, true, name)
    }

    fn default(&self) -> Option<Rc<ReadyHost>> {
        self.find(DEFAULT).filter(|host| host.name() == DEFAULT)
    }

    fn find(&self, name: &[u8]) -> Option<Rc<ReadyHost>> {
        let preparing = Preparing { shelf: &self.shelf, identity: &self.identity };
        self.hosts.borrow_mut().find(self.shelf.zone(), &preparing, name)
    }

    /// When a certificate is needed, which is not where a session is resumed: puts the connection's TLS host in force.
    ///
    /// # Errors: out of memory. The handshake must not go on.
    pub fn choose(&self, connection: Connection) -> Result<(), Failure> {
        let Some(handshake) = Handshake::of(connection) else { return Ok(()) };
        let Some(host) = handshake.host() else { return Ok(()) };
        // The requests of others are refused, not their connections.
        let required = host.asks().is_some_and(|asked| asked.verify == Verify::Required);
        let unverified = if required { Unverified::Ends } else { Unverified::GoesOn };
        host.set_up(connection, &self.shelf, unverified)?;
        if let Some(offers) = self.who_offers(connection, host) {
            if offers.offer(connection, &self.shelf) == 0 {
                connection.restore_certificate();
            }
            let _ = handshake.offers().set(offers);
        }
        Ok(())
    }

    /// Whose certificates a handshake under `host` gets; `None`: those of the server block.
    fn who_offers(&self, connection: Connection, host: &Rc<ReadyHost>) -> Option<Rc<ReadyHost>> {
        let has_pairs = |host: &Rc<ReadyHost>| host.pairs(&self.shelf).next().is_some();
        let is_complete = |host: &Rc<ReadyHost>| has_pairs(host) && !host.lacks_pairs();
        if is_complete(host) {
            return Some(host.clone());
        }
        // The zone may have changed since the record was read, so that its pairs are gone. What else it says holds.
        let again = self.host(connection, Some(host.name()));
        let again = again.filter(|again| again.name() == host.name());
        let host = again.as_ref().unwrap_or(host);
        if has_pairs(host) || host.lacks_pairs() {
            host.tell_missing_pairs();
        }
        if has_pairs(host) {
            return Some(host.clone());
        }
        let default = self.default()?;
        let serves = has_pairs(&default);
        default.tell_missing_pairs();
        serves.then_some(default)
    }

    /// When the client asked for the certificate's status. Says whether it gets it.
    ///
    /// # Errors: out of memory.
    pub fn staple(&self, connection: Connection) -> Result<bool, Failure> {
        Handshake::of(connection).map_or(Ok(false), |it| it.staple(connection, &self.shelf))
    }
}

/// What TCP has for others was handed on to them before it came here.
fn is_of_others(connection: Connection, name: Option<&[u8]>) -> bool {
    connection.accepted().filter(|accepted| !accepted.is_stream()).is_some_and(|accepted| {
        // SAFETY: server blocks of HTTP are asked for connections of HTTP's listeners.
        unsafe { passthrough::is_of_others(accepted, name) }
    })
}
