//! A port, and what this worker knows of its record.

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

use ngx::ffi::ngx_log_t;
use wick_hosts::Records;
use wick_native::conf::Conf;
use wick_native::zone::SharedZone;
use wick_streams::{Name, RecordError};

use super::counters::StreamCounters;
use super::ready::{Ready, Server};
use super::settings::{SrvConfs, Structure, UNKNOWN};
use crate::access::Lists;
use crate::limited_log::LimitedLog;
use crate::zone::OpenZone;

/// `None`: there is no record. An error: there is one that cannot be read, and nobody may be served.
pub type Found = Option<Rc<Result<Ready, RecordError>>>;

/// Of one `ingress_stream_route`; in the configuration's pool.
pub struct StreamRoute {
    pub name: Name,
    pub counters: StreamCounters,
    /// Of what clients can cause at will.
    pub errors: LimitedLog,
    key: Box<[u8]>,
    zone: SharedZone,
    /// `None`: this nginx's is not known, and records cannot have numbers.
    structure: Option<Structure>,
    /// Opened at the first session: while the configuration is read, the zone is not mapped yet.
    open: OnceCell<OpenZone>,
    known: RefCell<Option<Known>>,
    has_complained: Cell<bool>,
}

struct Known {
    /// The store's version at which this was last known to hold.
    checked: u64,
    /// Version of the key.
    version: u64,
    found: Found,
}

thread_local! {
    /// Of all streams of this worker.
    static LISTS: Lists = Lists::default();
}

impl StreamRoute {
    /// # Safety
    /// The parser is inside `stream`.
    pub unsafe fn new(
        conf: Conf,
        name: Name,
        zone: SharedZone,
        counters: StreamCounters,
    ) -> StreamRoute {
        StreamRoute {
            name,
            counters,
            errors: LimitedLog::default(),
            key: format!("routes/:streams/{name}").into_bytes().into(),
            zone,
            // SAFETY: the caller's promise.
            structure: unsafe { Structure::measure(conf) },
            open: OnceCell::new(),
            known: RefCell::default(),
            has_complained: Cell::new(false),
        }
    }

    /// The record, read again if it has moved. One load and one comparison while nothing in the zone did.
    ///
    /// # Safety
    /// `confs` are the configurations of the server of this route.
    #[inline]
    pub unsafe fn find(&self, confs: SrvConfs, log: *mut ngx_log_t) -> Found {
        let zone = self.open.get_or_init(|| OpenZone::new(self.zone));
        let now = zone.version();
        if let Some(known) = &*self.known.borrow()
            && known.checked == now
        {
            return known.found.clone();
        }
        // SAFETY: the caller's promise.
        unsafe { self.look_again(zone, now, confs, log) }
    }

    #[cold]
    unsafe fn look_again(
        &self,
        zone: &OpenZone,
        now: u64,
        confs: SrvConfs,
        log: *mut ngx_log_t,
    ) -> Found {
        let version = zone.key_version(&self.key);
        let mut known = self.known.borrow_mut();
        if let Some(known) = &mut *known
            && known.version == version
        {
            known.checked = now;
            return known.found.clone();
        }
        let server = Server { name: self.name, confs, structure: self.structure.as_ref() };
        // SAFETY: the caller's promise; a session keeps what is made as long as it uses it, and configurations outlive sessions.
        let (found, version) = unsafe { read(zone, &self.key, version, &server) };
        self.complain_of(found.as_deref(), log);
        *known = Some(Known { checked: now, version, found: found.clone() });
        found
    }

    fn complain_of(&self, found: Option<&Result<Ready, RecordError>>, log: *mut ngx_log_t) {
        let name = self.name;
        match found {
            Some(Err(error)) => {
                let line = format_args!("Cannot read the record of stream \"{name}\": {error}");
                self.errors.error(log, line);
            }
            Some(Ok(ready)) if ready.lacks_settings() && !self.has_complained.replace(true) => {
                let why = UNKNOWN.to_string_lossy();
                let line = format_args!("Cannot put numbers of \"{name}\" in force: {why}");
                self.errors.error(log, line);
            }
            _ => {}
        }
    }
}

/// When a list is not there although the record is, the record may have been replaced in between, and its list with it: then both are read
/// again.
///
/// # Safety
/// As for [`Ready::of`].
unsafe fn read(zone: &OpenZone, key: &[u8], mut version: u64, server: &Server<'_>) -> (Found, u64) {
    let mut record = Vec::new();
    loop {
        let mut is_torn = false;
        let mut others = |key: &[u8], value: &mut Vec<u8>| {
            let is_there = zone.read(key, value);
            is_torn |= !is_there;
            is_there
        };
        let found = zone.read(key, &mut record).then(|| {
            // SAFETY: the caller's promise.
            LISTS.with(|lists| unsafe { Ready::of(&record, server, lists, &mut others) })
        });
        let now = zone.key_version(key);
        if !is_torn || now == version {
            return (found.map(Rc::new), version);
        }
        version = now;
    }
}
