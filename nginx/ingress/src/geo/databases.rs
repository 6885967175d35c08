//! The databases of a directory, as a worker has them.

use std::cell::{Cell, RefCell};
use std::ffi::OsStr;
use std::io;
use std::net::IpAddr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use ngx::ffi::{NGX_LOG_ERR, NGX_LOG_NOTICE, ngx_current_msec};
use wick_access::Found;
use wick_geo::{Database, Edition, Family, Place, Value};
use wick_native::log;
use wick_native::mapped::{FileIdentity, MappedFile};

use crate::limited_log::LimitedLog;

pub struct Databases {
    editions: Box<[Entry]>,
    /// When the files were looked at last. `None`: never.
    looked_ms: Cell<Option<usize>>,
    /// Lines that requests cause.
    complaints: LimitedLog,
}

struct Entry {
    edition: Edition,
    path: PathBuf,
    /// Which file was tried last; `None`: none yet.
    tried: Cell<Option<FileIdentity>>,
    /// The last that was one.
    database: RefCell<Option<Database<MappedFile>>>,
}

/// How often a worker looks whether there are other files, while somebody asks.
const LOOK_MS: usize = 1000;

impl Databases {
    /// Nothing is read before the first question: what the master has read, each worker would have a copy of.
    pub fn new(directory: &[u8], editions: Vec<Edition>) -> Databases {
        let directory = Path::new(OsStr::from_bytes(directory));
        let entry = |edition: Edition| Entry {
            edition,
            path: directory.join(format!("{}.mmdb", edition.name)),
            tried: Cell::default(),
            database: RefCell::default(),
        };
        let editions = editions.into_iter().map(entry).collect();
        Databases { editions, looked_ms: Cell::default(), complaints: LimitedLog::default() }
    }

    /// What stands in one of the places, in the first database that is there.
    pub fn ask<T>(
        &self,
        places: &[Place],
        client: IpAddr,
        take: impl FnOnce(Value<'_>) -> T,
    ) -> Found<T> {
        self.look();
        for entry in &self.editions {
            let database = entry.database.borrow();
            if let (Some(database), Some(place)) =
                (&*database, place_in(places, entry.edition.family))
            {
                return match database.get(client, place.path) {
                    Ok(value) => value.map_or(Found::Unknown, |value| Found::Known(take(value))),
                    Err(why) => self.cannot_tell(entry, &why),
                };
            }
        }
        Found::NoDatabase
    }

    /// In the place of a value: that of the first database that is configured, whether it is there or not.
    pub fn default(&self, places: &[Place]) -> Option<&'static str> {
        let mut families = self.editions.iter().map(|entry| entry.edition.family);
        families.find_map(|family| place_in(places, family))?.default
    }

    #[cold]
    fn cannot_tell<T>(&self, entry: &Entry, why: &dyn std::fmt::Display) -> Found<T> {
        let name = entry.edition.name;
        let line = format_args!("GeoIP database \"{name}\" is damaged: {why}");
        self.complaints.error(log::of_cycle(), line);
        Found::NoDatabase
    }

    #[inline]
    fn look(&self) {
        // SAFETY: a word that nginx updates in this very thread.
        let now = unsafe { ngx_current_msec };
        if self.looked_ms.get().is_none_or(|looked| now.wrapping_sub(looked) >= LOOK_MS) {
            self.looked_ms.set(Some(now));
            self.editions.iter().for_each(|entry| entry.look(&self.complaints));
        }
    }
}

fn place_in(places: &[Place], family: Family) -> Option<&Place> {
    places.iter().find(|place| place.family == family)
}

impl Entry {
    /// A file that is gone says nothing: its successor may be on its way.
    #[inline(never)]
    fn look(&self, complaints: &LimitedLog) {
        let found = match FileIdentity::at(&self.path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return,
            Err(error) => {
                let path = self.path.display();
                let line = format_args!("Cannot reach GeoIP database \"{path}\": {error}");
                return complaints.error(log::of_cycle(), line);
            }
        };
        if self.tried.get() == Some(found) {
            return;
        }
        let tried = self.open();
        self.tried.set(Some(tried.as_ref().map_or(found, |(_, identity)| *identity)));
        let name = self.edition.name;
        match tried.map_err(|error| error.to_string()).and_then(|(database, _)| database) {
            Ok(database) => {
                *self.database.borrow_mut() = Some(database);
                let line = format_args!("GeoIP database \"{name}\" is in force");
                log::write(log::of_cycle(), NGX_LOG_NOTICE as usize, line);
            }
            Err(why) => {
                let line = format_args!("Cannot use GeoIP database \"{name}\": {why}");
                log::write(log::of_cycle(), NGX_LOG_ERR as usize, line);
            }
        }
    }

    /// Which file was opened, and what is wrong with it if it is no database.
    fn open(&self) -> io::Result<(Result<Database<MappedFile>, String>, FileIdentity)> {
        // SAFETY: the controller renames whole files into this directory, and nobody else writes there.
        let (bytes, identity) = unsafe { MappedFile::open(&self.path) }?;
        Ok((Database::open(bytes).map_err(|why| why.to_string()), identity))
    }
}
