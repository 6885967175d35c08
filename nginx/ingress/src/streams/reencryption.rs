//! TLS towards endpoints: whom an endpoint's certificate has to be of, and what it is shown, are data of the record.
//!
//! One context, that of the server with `ingress_stream_certificates`, makes all of these handshakes. nginx makes them; OpenSSL asks here whether
//! what the endpoint shows holds.

use std::cell::OnceCell;
use std::rc::Rc;

use wick_native::tls::{Connection, Owner, Shown};
use wick_streams::BackendTls;

use super::settings::TlsContext;
use crate::tls::named::Named;
use crate::tls::pair::ReadyPair;
use crate::tls::shelf::{ReadyAuthority, Shelf};

pub struct Reencryption {
    pub context: TlsContext,
    shelf: Rc<Shelf>,
}

/// What a record says of its endpoints' TLS, and what was parsed of that so far.
#[derive(Default)]
pub struct ReadyEndpoint {
    authority: OnceCell<Named<ReadyAuthority>>,
    pair: OnceCell<Named<ReadyPair>>,
}

impl Reencryption {
    pub fn new(context: TlsContext, shelf: Rc<Shelf>) -> Reencryption {
        Reencryption { context, shelf }
    }

    /// Whether what an endpoint has shown holds.
    pub fn holds(&self, shown: &Shown, wanted: &BackendTls, ready: &ReadyEndpoint) -> bool {
        let Some(id) = &wanted.authority else { return true };
        let named = ready.authority.get_or_init(|| {
            let known = self.shelf.known_authority(id);
            Named::new(id.clone(), known)
        });
        let host = wanted.server_name.as_deref().unwrap_or(b"");
        let Some(authority) = named.find(host, |id| self.shelf.authority(id)) else {
            named.tell_missing(host);
            return shown.refuse();
        };
        let owner = match (&*wanted.alternative_names, &wanted.server_name) {
            ([], None) => Owner::Anybody,
            ([], Some(name)) => Owner::Host(name),
            (names, _) => Owner::OneOf(names),
        };
        shown.holds(&authority.store, wanted.depth, owner)
    }

    /// Shows the endpoint what it has asked for, if there is anything to be shown. False: it is missing.
    pub fn show(&self, connection: Connection, wanted: &BackendTls, ready: &ReadyEndpoint) -> bool {
        let Some(id) = &wanted.certificate else { return true };
        let named = ready.pair.get_or_init(|| {
            let known = self.shelf.known_pair(id);
            Named::new(id.clone(), known)
        });
        let host = wanted.server_name.as_deref().unwrap_or(b"");
        match named.find(host, |id| self.shelf.pair(id)) {
            Some(pair) => pair.offer(connection).is_ok(),
            None => {
                named.tell_missing(host);
                false
            }
        }
    }
}
