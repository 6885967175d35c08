//! One database: what it says of an address.

use std::fmt;
use std::net::IpAddr;

use maxminddb::{MaxMindDbError, PathElement, Reader};

use crate::value::Value;

/// The way to a value: keys of maps, and places in arrays.
pub type Path = &'static [PathElement<'static>];

/// Any bytes are looked through with bounds, whatever they say: what a lookup reads, it checks.
pub struct Database<B: AsRef<[u8]>>(Reader<B>);

/// The bytes are no database, or what they say of an address makes no sense.
#[derive(Debug)]
pub struct Damaged(MaxMindDbError);

impl<B: AsRef<[u8]>> Database<B> {
    /// Looks at the metadata only, which stands at the end: half a file is none.
    ///
    /// # Errors: it is not a database in MaxMind's format.
    pub fn open(bytes: B) -> Result<Database<B>, Damaged> {
        Reader::from_source(bytes).map(Database).map_err(Damaged)
    }

    /// What it says of an address at one place. `None`: nothing, as of IPv6 in a database of IPv4.
    ///
    /// # Errors: what stands there cannot be read, or is no text and no number.
    pub fn get(&self, address: IpAddr, path: Path) -> Result<Option<Value<'_>>, Damaged> {
        match self.0.lookup(address.to_canonical()) {
            Ok(found) => found.decode_path(path).map_err(Damaged),
            Err(MaxMindDbError::InvalidInput { .. }) => Ok(None),
            Err(error) => Err(Damaged(error)),
        }
    }
}

impl fmt::Display for Damaged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
