//! What is known of a connection's handshake for as long as the connection lives.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::OnceLock;

use wick_native::request::Request;
use wick_native::tls::{Connection, Failure, Slot};

use super::ready::ReadyHost;
use super::shelf::Shelf;

/// Under which TLS host a handshake was made.
pub struct Handshake {
    host: Option<Rc<ReadyHost>>,
    server_name: Option<Box<[u8]>>,
    /// Whose certificates were offered, once they were: other than `host` where that has none.
    offers: OnceCell<Rc<ReadyHost>>,
}

/// The handshake of a request's connection; `None` in plain text, and in server blocks without our certificates.
pub fn handshake(r: Request<'_>) -> Option<&Handshake> {
    // Like the strings of a request it lives as long as the connection, which outlives its requests.
    Handshake::of(Connection::of(r)?)
}

impl Handshake {
    /// `host`: what was found for the name, if anything.
    pub fn new(host: Option<Rc<ReadyHost>>, server_name: Option<&[u8]>) -> Handshake {
        Handshake { host, server_name: server_name.map(Box::from), offers: OnceCell::new() }
    }

    pub fn of(connection: Connection<'_>) -> Option<&Handshake> {
        slot().ok()?.get(connection)
    }

    /// Stays with the connection, in the place of what an earlier ClientHello of it found.
    ///
    /// # Safety
    /// What [`Handshake::of`] returned for the connection is not used any more.
    pub unsafe fn keep(self, connection: Connection) -> Result<(), Failure> {
        // SAFETY: the caller's promise.
        unsafe { slot()?.put(connection, self) }
    }

    pub fn host(&self) -> Option<&Rc<ReadyHost>> {
        self.host.as_ref()
    }

    pub fn offers(&self) -> &OnceCell<Rc<ReadyHost>> {
        &self.offers
    }

    /// Sends the status of the certificate that was chosen along, if the zone has it. Says whether it does.
    ///
    /// # Errors: out of memory.
    pub fn staple(&self, connection: Connection, shelf: &Shelf) -> Result<bool, Failure> {
        let Some(offers) = self.offers().get() else { return Ok(false) };
        let mut pairs = offers.pairs(shelf);
        match pairs.find(|(_, pair)| pair.is_chosen(connection)) {
            Some((id, pair)) => pair.staple(connection, shelf.zone(), &Shelf::staple_key(id)),
            None => Ok(false),
        }
    }

    /// What the TLS host's record is called: `shop.test`, `*.shop.test`, `_` or `:default`; `None`: there is none.
    pub fn record_name(&self) -> Option<&[u8]> {
        self.host().map(|host| host.name())
    }

    /// Which of the listeners at its address and port it was for; `None`: none in particular.
    pub fn listener(&self) -> Option<&[u8]> {
        self.host()?.listener.as_deref()
    }

    /// The id of the authority that the client was asked for; `None`: it was not asked for a certificate.
    pub fn authority(&self) -> Option<&[u8]> {
        self.host()?.asks().map(|asked| &*asked.authority)
    }

    /// The name that the client asked for: lower-case, one dot at its end less; `None`: it sent none.
    pub fn server_name(&self) -> Option<&[u8]> {
        self.server_name.as_deref()
    }
}

/// Taken before the first handshake, or at it.
fn slot() -> Result<&'static Slot<Handshake>, Failure> {
    static SLOT: OnceLock<Slot<Handshake>> = OnceLock::new();
    if let Some(slot) = SLOT.get() {
        return Ok(slot);
    }
    let slot = Slot::take()?;
    Ok(SLOT.get_or_init(|| slot))
}
