//! A TLS host, ready for handshakes.

use std::ffi::CString;
use std::rc::Rc;

use wick_hosts::{Prepare, ReadOther};
use wick_native::tls::{Connection, Digest, Failure, Names, Store, Unverified, sha256};
use wick_tls::{ClientVerification, RecordError, TlsHost};

use super::named::Named;
use super::pair::ReadyPair;
use super::shelf::{ReadyAuthority, Shelf, complain};

/// What its record says, and what was parsed of that so far.
pub struct ReadyHost {
    name: Box<[u8]>,
    pairs: Box<[Named<ReadyPair>]>,
    ciphers: Option<CString>,
    prefer_server_ciphers: Option<bool>,
    client: Option<Client>,
    /// Which of the listeners at one address and port it is for.
    pub listener: Option<Box<[u8]>>,
    /// Sessions are resumed under the same one only. `None`: out of memory.
    context: Option<Digest>,
    /// It must not be served without knowing all that its record says.
    pub is_closed: bool,
}

/// What clients are asked for.
struct Client {
    asked: ClientVerification,
    authority: Named<ReadyAuthority>,
}

/// Makes the TLS hosts of one server block.
pub struct Preparing<'a> {
    pub shelf: &'a Shelf,
    /// What tells sessions of this server block from others'.
    pub identity: &'a [u8],
}

impl Prepare for Preparing<'_> {
    type Host = ReadyHost;

    /// A record that cannot be read is that of a host which has nothing of its own. That opens nothing: a request that
    /// has to show a certificate is refused on a connection that did not ask for it. One with a critical field that is not
    /// known has no handshakes, as nobody knows what the field would have asked of them.
    fn prepare(
        &self,
        name: &[u8],
        record: &[u8],
        _: Option<&ReadyHost>,
        _: &mut ReadOther<'_>,
    ) -> ReadyHost {
        let mut is_closed = false;
        let record = TlsHost::decode(record).unwrap_or_else(|error| {
            is_closed = matches!(error, RecordError::Critical(_));
            complain("the record", name, name, error);
            TlsHost::default()
        });
        ReadyHost { is_closed, ..self.host(name, record) }
    }

    fn keeps_old(&self, _: &ReadyHost, _: &ReadyHost) -> bool {
        false
    }
}

impl Preparing<'_> {
    /// One whose record says this.
    pub fn host(&self, name: &[u8], record: TlsHost) -> ReadyHost {
        let context = session_context(self.identity, name, record.client.as_ref()).ok();
        let pair = |id: Box<[u8]>| {
            let known = self.shelf.known_pair(&id);
            Named::new(id, known)
        };
        ReadyHost {
            name: name.into(),
            pairs: record.certificates.into_iter().map(pair).collect(),
            ciphers: record.ciphers.filter(|list| self.takes_ciphers(name, list)),
            prefer_server_ciphers: record.prefer_server_ciphers,
            client: record.client.map(|asked| Client::new(asked, self.shelf)),
            listener: record.listener,
            context,
            is_closed: false,
        }
    }

    fn takes_ciphers(&self, name: &[u8], list: &CString) -> bool {
        let checked = self.shelf.check_ciphers(list);
        checked.inspect_err(|why| complain("ciphers", list.to_bytes(), name, why)).is_ok()
    }
}

/// A hash over everything that a session must have in common with its resumption. Certificates are not among it: one
/// that is renewed ends no sessions.
fn session_context(
    identity: &[u8],
    name: &[u8],
    client: Option<&ClientVerification>,
) -> Result<Digest, Failure> {
    let mut content = identity.to_vec();
    let mut add = |part: &[u8]| {
        content.extend((part.len() as u32).to_le_bytes());
        content.extend_from_slice(part);
    };
    add(name);
    if let Some(client) = client {
        add(&client.authority);
        add(&[client.verify as u8]);
        add(&client.depth.to_le_bytes());
    }
    sha256(&content)
}

impl Client {
    fn new(asked: ClientVerification, shelf: &Shelf) -> Client {
        let known = shelf.known_authority(&asked.authority);
        Client { authority: Named::new(asked.authority.clone(), known), asked }
    }

    fn ask(
        &self,
        connection: Connection,
        host: &[u8],
        shelf: &Shelf,
        unverified: Unverified,
    ) -> Result<(), Failure> {
        let depth = self.asked.depth;
        match self.authority.find(host, |id| shelf.authority(id)) {
            Some(ready) => connection.ask_client(&ready.store, &ready.names, depth, unverified),
            None => {
                self.authority.tell_missing(host);
                // Nothing that the client may show holds, so that it is refused.
                connection.ask_client(&Store::empty()?, &Names::none()?, depth, unverified)
            }
        }
    }
}

impl ReadyHost {
    pub fn name(&self) -> &[u8] {
        &self.name
    }

    /// What clients are asked for; `None`: nothing.
    pub fn asks(&self) -> Option<&ClientVerification> {
        self.client.as_ref().map(|client| &client.asked)
    }

    /// Before sessions are looked up.
    ///
    /// # Errors: out of memory. The handshake must not go on: it might resume any session.
    pub fn separate_sessions(&self, connection: Connection) -> Result<(), Failure> {
        let context = self.context.as_ref().ok_or_else(Failure::take)?;
        connection.set_session_context(context)
    }

    /// Ciphers, and what is asked of the client.
    ///
    /// # Errors: out of memory. The handshake must not go on: the client might not be asked.
    pub fn set_up(
        &self,
        connection: Connection,
        shelf: &Shelf,
        unverified: Unverified,
    ) -> Result<(), Failure> {
        if let Some(list) = &self.ciphers {
            connection.set_ciphers(list)?;
        }
        if let Some(prefer) = self.prefer_server_ciphers {
            connection.prefer_server_ciphers(prefer);
        }
        let ask = |client: &Client| client.ask(connection, &self.name, shelf, unverified);
        self.client.as_ref().map_or(Ok(()), ask)
    }

    /// Offers its certificates, and no others. Of two with the same type of key the first one counts. Returns how many the connection took.
    pub fn offer(&self, connection: Connection, shelf: &Shelf) -> usize {
        connection.clear_certificates();
        let offers = self.pairs(shelf).rev().map(|(id, pair)| (id, pair.offer(connection)));
        let taken = offers.filter(|(id, offered)| {
            offered.as_ref().inspect_err(|why| complain("certificate", id, &self.name, why)).is_ok()
        });
        taken.count()
    }

    /// The pairs that can be used, with their ids.
    pub fn pairs<'a>(
        &'a self,
        shelf: &'a Shelf,
    ) -> impl DoubleEndedIterator<Item = (&'a [u8], &'a Rc<ReadyPair>)> {
        let usable = |named: &'a Named<ReadyPair>| {
            let pair = named.find(&self.name, |id| shelf.pair(id))?;
            Some((named.id(), pair))
        };
        self.pairs.iter().filter_map(usable)
    }

    /// The zone does not have one of the pairs.
    pub fn lacks_any(&self, shelf: &Shelf) -> bool {
        self.pairs(shelf).count() < self.pairs.len() && self.lacks_pairs()
    }

    /// The zone did not have one of the pairs when they were last used.
    pub fn lacks_pairs(&self) -> bool {
        self.pairs.iter().any(Named::is_missing)
    }

    pub fn tell_missing_pairs(&self) {
        self.pairs.iter().for_each(|named| named.tell_missing(&self.name));
    }
}
