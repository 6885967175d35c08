//! What one worker has parsed of a zone of certificates: each thing once, for as long as a TLS host uses it.

use std::cell::OnceCell;
use std::fmt;
use std::rc::Rc;

use ngx::ffi::{NGX_LOG_ERR, OPENSSL_cleanse};
use wick_hosts::Records;
use wick_native::log;
use wick_native::tls::{Certificate, CipherCheck, Crl, Failure, Key, Names, Store, sha256};
use wick_native::zone::SharedZone;
use wick_tls::{Authority, Pair, RecordError};

use super::interned::Interned;
use super::pair::ReadyPair;
use crate::zone::OpenZone;

pub struct Shelf {
    zone: SharedZone,
    /// Opened at the first handshake: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    pairs: Interned<ReadyPair>,
    authorities: Interned<ReadyAuthority>,
    /// Certificates above the leaves and those of authorities, by digest: many pairs have the same few.
    certificates: Interned<Certificate>,
    ciphers: OnceCell<Option<CipherCheck>>,
}

/// Whom clients' certificates are verified against.
pub struct ReadyAuthority {
    pub store: Store,
    pub names: Names,
    /// So that they stay interned.
    _certificates: Box<[Rc<Certificate>]>,
}

/// Why something that a TLS host names cannot be used.
#[derive(Debug)]
pub enum Unusable {
    Missing,
    Record(RecordError),
    OpenSsl(Failure),
}

impl Shelf {
    pub fn new(zone: SharedZone) -> Shelf {
        Shelf {
            zone,
            open: OnceCell::new(),
            pairs: Interned::new(),
            authorities: Interned::new(),
            certificates: Interned::new(),
            ciphers: OnceCell::new(),
        }
    }

    pub fn zone(&self) -> &OpenZone {
        self.open.get_or_init(|| OpenZone::new(self.zone))
    }

    /// The pair, if something uses it already.
    pub fn known_pair(&self, id: &[u8]) -> Option<Rc<ReadyPair>> {
        self.pairs.get(id)
    }

    /// The authority, if something uses it already.
    pub fn known_authority(&self, id: &[u8]) -> Option<Rc<ReadyAuthority>> {
        self.authorities.get(id)
    }

    /// # Errors: there is no such pair, or one that cannot be used.
    pub fn pair(&self, id: &[u8]) -> Result<Rc<ReadyPair>, Unusable> {
        if let Some(known) = self.pairs.get(id) {
            return Ok(known);
        }
        let record = Secret(self.read("pairs", id)?);
        let pair = Pair::decode(&record.0)?;
        let (leaf, key) = (Certificate::read(pair.chain[0])?, Key::read(pair.key)?);
        let above = self.certificates(&pair.chain[1..])?;
        Ok(self.pairs.share(id, ReadyPair::new(leaf, key, above)?))
    }

    /// # Errors: there is no such authority, or one that cannot be used.
    pub fn authority(&self, id: &[u8]) -> Result<Rc<ReadyAuthority>, Unusable> {
        if let Some(known) = self.authorities.get(id) {
            return Ok(known);
        }
        let record = self.read("authorities", id)?;
        let authority = Authority::decode(&record)?;
        let certificates = self.certificates(&authority.certificates)?;
        let crls: Result<Vec<Crl>, _> = authority.crls.iter().map(|der| Crl::read(der)).collect();
        let store = Store::new(certificates.iter().map(Rc::as_ref), &crls?)?;
        let names = Names::new(certificates.iter().map(Rc::as_ref))?;
        Ok(self.authorities.share(id, ReadyAuthority { store, names, _certificates: certificates }))
    }

    /// The key of what goes with the pair `id`.
    pub fn staple_key(id: &[u8]) -> Vec<u8> {
        key("staples", id)
    }

    /// # Errors: OpenSSL does not take the list.
    pub fn check_ciphers(&self, list: &std::ffi::CStr) -> Result<(), Unusable> {
        let check = self.ciphers.get_or_init(|| CipherCheck::new().ok());
        let check = check.as_ref().ok_or_else(|| Unusable::OpenSsl(Failure::take()))?;
        Ok(check.check(list)?)
    }

    fn certificates(&self, ders: &[&[u8]]) -> Result<Box<[Rc<Certificate>]>, Failure> {
        ders.iter().map(|der| self.certificate(der)).collect()
    }

    fn certificate(&self, der: &[u8]) -> Result<Rc<Certificate>, Failure> {
        let digest = sha256(der)?;
        match self.certificates.get(&digest) {
            Some(known) => Ok(known),
            None => Ok(self.certificates.share(&digest, Certificate::read(der)?)),
        }
    }

    fn read(&self, kind: &str, id: &[u8]) -> Result<Vec<u8>, Unusable> {
        let mut record = Vec::new();
        let there = self.zone().read(&key(kind, id), &mut record);
        if there { Ok(record) } else { Err(Unusable::Missing) }
    }
}

/// docs/wire.md 2.
fn key(kind: &str, id: &[u8]) -> Vec<u8> {
    [b"certificates/", kind.as_bytes(), b"/", id].concat()
}

/// Bytes with a key in them, wiped when they are no longer needed.
struct Secret(Vec<u8>);

impl Drop for Secret {
    fn drop(&mut self) {
        // SAFETY: the vector has that many bytes.
        unsafe { OPENSSL_cleanse(self.0.as_mut_ptr().cast(), self.0.len()) };
    }
}

impl From<RecordError> for Unusable {
    fn from(error: RecordError) -> Unusable {
        Unusable::Record(error)
    }
}

impl From<Failure> for Unusable {
    fn from(failure: Failure) -> Unusable {
        Unusable::OpenSsl(failure)
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Missing => f.write_str("the zone does not have it"),
            Unusable::Record(error) => write!(f, "its record cannot be read: {error}"),
            Unusable::OpenSsl(failure) => write!(f, "{failure}"),
        }
    }
}

/// What TLS hosts have, as the log calls it.
pub trait Kind {
    const NAME: &str;
}

impl Kind for ReadyPair {
    const NAME: &str = "certificate";
}

impl Kind for ReadyAuthority {
    const NAME: &str = "authority";
}

/// A line about something of a TLS host that is passed over; without a name it is TLS towards backends that names it.
#[cold]
pub fn complain(kind: &str, id: &[u8], host: &[u8], why: impl fmt::Display) {
    let (id, name) = (id.escape_ascii(), host.escape_ascii());
    let whose = match host {
        [] => "backends".to_owned(),
        _ => format!("TLS host \"{name}\""),
    };
    let line = format_args!("Cannot use {kind} \"{id}\" of {whose}: {why}");
    log::write(log::of_cycle(), NGX_LOG_ERR as usize, line);
}
