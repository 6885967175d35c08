//! Services of one port, by the server name that clients ask for.

use std::collections::HashMap;

use wick_wire::{Fields, RecordError, max, server_name, text};

use crate::tls::{BackendTls, Tls};

/// What serves a session: names for nginx's variables.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Name of the backend whose endpoints sessions go to.
    pub backend: Box<[u8]>,
    pub namespace: Box<[u8]>,
    pub service_name: Box<[u8]>,
    pub service_port: Box<[u8]>,
    /// Of TCP: `None`: what clients send is passed on as it is.
    pub tls: Option<Tls>,
    pub backend_tls: Option<BackendTls>,
}

/// Finding a name takes two look-ups, and one for each of its labels where there are names for any number of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerNames {
    targets: Vec<Target>,
    /// What each of them is there for.
    hosts: Vec<Box<[u8]>>,
    by_host: HashMap<Box<[u8]>, usize>,
    /// One is for any number of labels.
    has_deep: bool,
}

impl ServerNames {
    /// Sessions are not looked into.
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    /// Which one serves clients that ask for this name, in lower case, or for none: exact, else that of one label more, else the longest of any
    /// number of labels more, else that of all others.
    pub fn find(&self, name: Option<&[u8]>) -> Option<usize> {
        let get = |host: &[u8]| self.by_host.get(host).copied();
        let behind = |stars: &[u8], rest: &[u8]| get(&[stars, rest].concat());
        let exact = name.and_then(get);
        let wildcard = || behind(b"*", rests(name?).next()?);
        let deep = || {
            let name = name.filter(|_| self.has_deep)?;
            rests(name).find_map(|rest| behind(b"**", rest))
        };
        exact.or_else(wildcard).or_else(deep).or_else(|| get(b"_"))
    }

    pub fn targets(&self) -> &[Target] {
        &self.targets
    }

    /// What a target is there for: exact, with a wildcard, or `_`.
    pub fn host(&self, place: usize) -> Option<&[u8]> {
        self.hosts.get(place).map(|host| &**host)
    }

    pub fn get(&self, place: usize) -> Option<&Target> {
        self.targets.get(place)
    }

    /// Takes one more. Of equal names the first counts.
    pub(crate) fn add(&mut self, value: &[u8]) -> Result<(), RecordError> {
        if self.targets.len() == max::SERVER_NAMES {
            return Err(RecordError::Field);
        }
        let (host, target) = read(value)?;
        self.has_deep |= host.starts_with(b"**.");
        self.by_host.entry(host.clone()).or_insert(self.targets.len());
        self.hosts.push(host);
        self.targets.push(target);
        Ok(())
    }
}

/// What is left of a name without its first labels, each with its dot: the longest first.
fn rests(name: &[u8]) -> impl Iterator<Item = &[u8]> {
    name.iter().enumerate().filter(|(_, byte)| **byte == b'.').map(|(at, _)| &name[at..])
}

fn read(value: &[u8]) -> Result<(Box<[u8]>, Target), RecordError> {
    let (mut host, mut target) = (Box::default(), Target::default());
    for field in Fields::new(value) {
        let field = field?;
        match field.id {
            server_name::HOST => host = text(field.value)?,
            server_name::BACKEND => target.backend = text(field.value)?,
            server_name::NAMESPACE => target.namespace = text(field.value)?,
            server_name::SERVICE_NAME => target.service_name = text(field.value)?,
            server_name::SERVICE_PORT => target.service_port = text(field.value)?,
            server_name::TLS => target.tls = Some(Tls::read(field.value)?),
            server_name::BACKEND_TLS => target.backend_tls = Some(BackendTls::read(field.value)?),
            _ => field.skip()?,
        }
    }
    match (host.len(), target.backend.len()) {
        (0, _) | (_, 0) => Err(RecordError::Missing),
        (1..=max::NAME_BYTES, 1..=max::NAME_BYTES) => Ok((host, target)),
        _ => Err(RecordError::Field),
    }
}
