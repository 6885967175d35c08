//! What this worker knows of one record.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use ngx::ffi::ngx_log_t;
use wick_hosts::Records;
use wick_streams::{Name, RecordError};

use super::counters::StreamCounters;
use super::ready::{Ready, Server};
use super::settings::UNKNOWN;
use crate::access::Lists;
use crate::limited_log::LimitedLog;
use crate::zone::OpenZone;

/// `None`: there is no record. An error: there is one that cannot be read, and nobody may be served.
pub type Found = Option<Rc<Result<Ready, RecordError>>>;

pub struct Record {
    pub name: Name,
    pub counters: StreamCounters,
    key: Box<[u8]>,
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

impl Record {
    pub fn new(name: Name, counters: StreamCounters) -> Record {
        Record {
            name,
            counters,
            key: format!("routes/:streams/{name}").into_bytes().into(),
            known: RefCell::default(),
            has_complained: Cell::new(false),
        }
    }

    /// What it says, read again if it has moved. One load and one comparison while nothing in the zone did.
    ///
    /// # Safety
    /// As for [`Ready::of`].
    #[inline]
    pub unsafe fn find(&self, zone: &OpenZone, server: &Server<'_>) -> Found {
        let now = zone.version();
        if let Some(known) = &*self.known.borrow()
            && known.checked == now
        {
            return known.found.clone();
        }
        // SAFETY: the caller's promise.
        unsafe { self.look_again(zone, now, server) }
    }

    #[cold]
    unsafe fn look_again(&self, zone: &OpenZone, now: u64, server: &Server<'_>) -> Found {
        let version = zone.key_version(&self.key);
        let mut known = self.known.borrow_mut();
        if let Some(known) = &mut *known
            && known.version == version
        {
            known.checked = now;
            return known.found.clone();
        }
        // SAFETY: the caller's promise; a session keeps what is made as long as it uses it, and configurations outlive sessions.
        let (found, version) = unsafe { self.read(zone, version, server) };
        self.complain_of(found.as_deref(), server.errors, server.log);
        *known = Some(Known { checked: now, version, found: found.clone() });
        found
    }

    /// When a list is not there although the record is, the record may have been replaced in between, and its list with it: then both are read
    /// again.
    ///
    /// # Safety
    /// As for [`Ready::of`].
    unsafe fn read(&self, zone: &OpenZone, mut version: u64, server: &Server<'_>) -> (Found, u64) {
        let mut record = Vec::new();
        loop {
            let mut is_torn = false;
            let mut others = |key: &[u8], value: &mut Vec<u8>| {
                let is_there = zone.read(key, value);
                is_torn |= !is_there;
                is_there
            };
            let found = zone.read(&self.key, &mut record).then(|| {
                // SAFETY: the caller's promise.
                LISTS.with(|lists| unsafe {
                    Ready::of(self.name, &record, server, lists, &mut others)
                })
            });
            let now = zone.key_version(&self.key);
            if !is_torn || now == version {
                return (found.map(Rc::new), version);
            }
            version = now;
        }
    }

    fn complain_of(
        &self,
        found: Option<&Result<Ready, RecordError>>,
        errors: &LimitedLog,
        log: *mut ngx_log_t,
    ) {
        let name = self.name;
        match found {
            Some(Err(error)) => {
                let line = format_args!("Cannot read the record of stream \"{name}\": {error}");
                errors.error(log, line);
            }
            Some(Ok(ready)) if ready.lacks_settings && !self.has_complained.replace(true) => {
                let why = UNKNOWN.to_string_lossy();
                let line = format_args!("Cannot put numbers of \"{name}\" in force: {why}");
                errors.error(log, line);
            }
            _ => {}
        }
    }
}
