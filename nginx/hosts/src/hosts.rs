//! The records of hosts as one worker knows them: read when first asked for, kept until they change.
//!
//! Finding a host costs one look-up and the comparison of one number as long as nothing in the zone moved. When something
//! did, the versions of the few keys that a host depends on decide; only a record that changed is read again.

use std::rc::Rc;

use crate::candidates::{ANY_HOST, Candidate, Wanted, is_name};
use crate::listener::Listener;
use crate::recent::Recent;
use crate::versions::Versions;

/// Where records lie: keys and values with versions, written by other processes.
pub trait Records {
    /// Moves with every change of any key.
    fn version(&self) -> u64;
    /// Moves whenever `key` is written or deleted, and now and then without that.
    fn key_version(&self, key: &[u8]) -> u64;
    /// Replaces the contents of `value` by those of `key`; false when there is no such key.
    fn read(&self, key: &[u8], value: &mut Vec<u8>) -> bool;
}

/// Replaces the contents of a buffer by the value of a key; false when there is no such key.
pub type ReadOther<'a> = dyn FnMut(&[u8], &mut Vec<u8>) -> bool + 'a;

/// What is made of records, once per change.
pub trait Prepare {
    type Host;
    /// A record, ready for requests; `name` is what it is called, e.g. `*.shop.test`. Of `old`, what was made of the record
    /// before, it may take over what has not changed; `others` reads the records that this one names.
    fn prepare(
        &self,
        name: &[u8],
        record: &[u8],
        old: Option<&Self::Host>,
        others: &mut ReadOther<'_>,
    ) -> Self::Host;
    /// Whether a requested host that `old` served had better be served by it for ever than by `new`.
    fn keeps_old(&self, old: &Self::Host, new: &Self::Host) -> bool;
    /// The name of the record that says what this one only refers to; asked once.
    fn alias_of<'h>(&self, _host: &'h Self::Host) -> Option<&'h [u8]> {
        None
    }
    /// An alias with what it refers to, if that is there.
    fn resolved(&self, alias: Rc<Self::Host>, _of: Option<Rc<Self::Host>>) -> Rc<Self::Host> {
        alias
    }
}

/// How many requested hosts and how many records a worker remembers at least; it is twice as many at most. Made-up hosts
/// can fill up to 14 MB with this.
const MAX_HOSTS: usize = 16_384;

/// A buffer that grew larger than this for one record is not kept.
const SPARE_BYTES: usize = 64 << 10;

/// The hosts of one zone, in one worker: those of a server of one's own, and of listeners.
pub struct Hosts<H> {
    requested: Recent<Requested<H>>,
    records: Recent<Known<H>>,
    keys: Keys,
    value: Vec<u8>,
    /// By what a listener's host is remembered.
    asked: Vec<u8>,
}

/// What a requested host led to.
struct Requested<H> {
    /// The store's version at which this was last known to hold.
    checked: u64,
    host: Option<Rc<H>>,
    /// Of the candidates that were looked at; the last one had the record, if any had.
    versions: Versions,
    /// If that is an alias.
    referred: Option<Box<Referred>>,
    /// The place among its listener's servers of the one whose host it is. `None`: one's own.
    server: Option<usize>,
}

/// The record that an alias refers to, which may not be there, and the version of its key.
struct Referred {
    name: Box<[u8]>,
    version: u64,
}

impl<H> Requested<H> {
    /// Whether none of the keys that were looked at has moved.
    fn holds(&self, now: u64, records: &impl Records, keys: &mut Keys, wanted: Wanted) -> bool {
        let mut version_of = |candidate: Candidate| records.key_version(keys.of(candidate));
        let looked_at = wanted.candidates().take(self.versions.count());
        self.checked == now
            || looked_at.fold(Versions::default(), |all, one| all.and(version_of(one)))
                == self.versions
                && self.referred.as_ref().is_none_or(|to| {
                    version_of(Candidate::named(&to.name).of(wanted.server)) == to.version
                })
    }
}

/// A record, and the version of its key before it was read.
struct Known<H> {
    version: u64,
    host: Rc<H>,
}

impl<H> Hosts<H> {
    /// The hosts whose records have the keys `<prefix><host>`, e.g. `certificates/hosts/shop.test` (docs/wire.md 2).
    pub fn new(prefix: &[u8]) -> Self {
        Self::of(Keys::new(prefix, b""))
    }

    /// The hosts whose records have the keys `<prefix><server>/<host>`, e.g. `routes/main/shop.test`; those of listeners are
    /// beside them, e.g. `routes/http:*:80/shop.test`.
    pub fn of_server(prefix: &[u8], server: &[u8]) -> Self {
        Self::of(Keys::new(prefix, server))
    }

    fn of(keys: Keys) -> Self {
        let (requested, records) = (Recent::new(MAX_HOSTS), Recent::new(MAX_HOSTS));
        Self { requested, records, keys, value: Vec::new(), asked: Vec::new() }
    }

    /// What serves `host` (lower-case, without port): its own record, else that of its wildcard, else that of `_`. The
    /// answer is as new as the moment of the call. Nothing is allocated and nothing is locked while nothing changes.
    #[inline(always)] // For each request.
    pub fn find(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        host: &[u8],
    ) -> Option<Rc<H>> {
        // Hosts that can have no record share one entry, so that their number and length cost nothing.
        let host = if is_name(host) { host } else { ANY_HOST };
        // Taken before anything is read: a change from here on is found by the next call.
        let now = records.version();
        match self.requested.young(host) {
            Some(known) if known.checked == now => known.host.clone(),
            _ => self.find_anew(records, prepare, host, now),
        }
    }

    /// The same for a request that came in by a listener: of the hosts of its first server that has a record for `_`. Where
    /// none has, those of one's own server if `falls_back`, else none.
    pub fn find_at(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        listener: &Listener,
        falls_back: bool,
        host: &[u8],
    ) -> Option<Rc<H>> {
        let host = if is_name(host) { host } else { ANY_HOST };
        let now = records.version();
        self.asked.clear();
        listener.write(&mut self.asked);
        self.asked.extend_from_slice(host);
        match self.requested.young(&self.asked) {
            Some(known) if known.checked == now => known.host.clone(),
            _ => self.find_at_anew(records, prepare, listener, falls_back, host, now),
        }
    }

    #[cold]
    fn find_anew(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        host: &[u8],
        now: u64,
    ) -> Option<Rc<H>> {
        self.look(records, prepare, host, None, Wanted { host, server: None, is_served: true }, now)
    }

    #[cold]
    fn find_at_anew(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        listener: &Listener,
        falls_back: bool,
        host: &[u8],
        now: u64,
    ) -> Option<Rc<H>> {
        let servers = listener.servers();
        let any = |server| Candidate::named(ANY_HOST).of(Some(server));
        let place = servers.iter().position(|server| self.has(records, prepare, any(server)));
        let server = place.map(|place| &*servers[place]);
        let wanted = Wanted { host, server, is_served: server.is_some() || falls_back };
        let asked = std::mem::take(&mut self.asked);
        let serves = self.look(records, prepare, &asked, place, wanted, now);
        self.asked = asked;
        serves
    }

    fn has(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        candidate: Candidate,
    ) -> bool {
        self.record(records, prepare, candidate).0.is_some()
    }

    /// What serves a requested host, which is remembered by `asked`.
    fn look(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        asked: &[u8],
        server: Option<usize>,
        wanted: Wanted,
        now: u64,
    ) -> Option<Rc<H>> {
        let old = match self.requested.get(asked).filter(|known| known.server == server) {
            Some(known) if known.holds(now, records, &mut self.keys, wanted) => {
                known.checked = now;
                return known.host.clone();
            }
            Some(known) => known.host.take(),
            None => None,
        };
        let (found, versions) = self.first_record(records, prepare, wanted);
        let (found, referred) = self.resolve(records, prepare, wanted.server, found);
        let serves = match (old, found) {
            (Some(old), Some(new)) if prepare.keeps_old(&old, &new) => Some(old),
            (_, found) => found,
        };
        let requested =
            Requested { checked: now, host: serves.clone(), versions, referred, server };
        self.requested.insert(asked, requested);
        serves
    }

    /// An alias with the record of the same server that it refers to. One step only: an alias of an alias leads nowhere.
    fn resolve(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        server: Option<&str>,
        found: Option<Rc<H>>,
    ) -> (Option<Rc<H>>, Option<Box<Referred>>) {
        let Some(alias) = found else { return (None, None) };
        let Some(name) = prepare.alias_of(&alias).map(Box::<[u8]>::from) else {
            return (Some(alias), None);
        };
        let (of, version) = self.record(records, prepare, Candidate::named(&name).of(server));
        (Some(prepare.resolved(alias, of)), Some(Box::new(Referred { name, version })))
    }

    /// The best candidate that has a record, and the versions of those that were looked at.
    fn first_record(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        wanted: Wanted,
    ) -> (Option<Rc<H>>, Versions) {
        let mut versions = Versions::default();
        for candidate in wanted.candidates() {
            let (found, version) = self.record(records, prepare, candidate);
            versions = versions.and(version);
            if found.is_some() {
                return (found, versions);
            }
        }
        (None, versions)
    }

    /// The record of one candidate, read if its key has moved, and the version of the key.
    fn record(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        candidate: Candidate,
    ) -> (Option<Rc<H>>, u64) {
        let version = records.key_version(self.keys.of(candidate));
        if let Some(known) = self.records.get(self.keys.of(candidate))
            && known.version == version
        {
            return (Some(known.host.clone()), version);
        }
        let (host, version) = self.read(records, prepare, candidate, version);
        let key = self.keys.of(candidate);
        match &host {
            Some(host) => self.records.insert(key, Known { version, host: host.clone() }),
            None => self.records.remove(key),
        }
        (host, version)
    }

    /// Reads a record, with those that it names. When one of these is not there although the record is, it may have been
    /// replaced in between, and its name with it: then both are read again.
    fn read(
        &mut self,
        records: &impl Records,
        prepare: &impl Prepare<Host = H>,
        candidate: Candidate,
        mut version: u64,
    ) -> (Option<Rc<H>>, u64) {
        let prefix_len = self.keys.prefix_len(candidate);
        let key = self.keys.of(candidate);
        let old = self.records.get(key).map(|known| known.host.clone());
        loop {
            let mut is_torn = false;
            let mut others = |key: &[u8], value: &mut Vec<u8>| {
                let is_there = records.read(key, value);
                is_torn |= !is_there;
                is_there
            };
            let host = records.read(key, &mut self.value).then(|| {
                let name = &key[prefix_len..];
                Rc::new(prepare.prepare(name, &self.value, old.as_deref(), &mut others))
            });
            if self.value.capacity() > SPARE_BYTES {
                self.value = Vec::new();
            }
            let now = records.key_version(key);
            if !is_torn || now == version {
                return (host, version);
            }
            version = now;
        }
    }
}

/// Keys of the store, each written anew into the same memory for each use.
struct Keys {
    own: Key,
    /// Of other servers, whose names are a part of what is written.
    others: Key,
}

struct Key {
    bytes: Vec<u8>,
    prefix_len: usize,
}

impl Keys {
    /// `server`: empty where keys have no servers.
    fn new(prefix: &[u8], server: &[u8]) -> Self {
        let slash: &[u8] = if server.is_empty() { b"" } else { b"/" };
        Self { own: Key::new([prefix, server, slash].concat()), others: Key::new(prefix.into()) }
    }

    fn of(&mut self, candidate: Candidate) -> &[u8] {
        match candidate.server() {
            None => self.own.write(None, candidate),
            server => self.others.write(server, candidate),
        }
    }

    /// How much of a candidate's key stands before its name.
    fn prefix_len(&self, candidate: Candidate) -> usize {
        match candidate.server() {
            None => self.own.prefix_len,
            Some(server) => self.others.prefix_len + server.len() + 1,
        }
    }
}

impl Key {
    fn new(bytes: Vec<u8>) -> Self {
        let prefix_len = bytes.len();
        Self { bytes, prefix_len }
    }

    fn write(&mut self, server: Option<&str>, candidate: Candidate) -> &[u8] {
        self.bytes.truncate(self.prefix_len);
        if let Some(server) = server {
            self.bytes.extend_from_slice(server.as_bytes());
            self.bytes.push(b'/');
        }
        candidate.write(&mut self.bytes);
        &self.bytes
    }
}
