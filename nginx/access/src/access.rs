//! What a route says of access: which checks there are, and how many of them have to let a request in.

use std::rc::Rc;

use wick_wire::{Fields, RecordError, access, id, words};

use crate::external::ExternalAuth;
use crate::verdict::Satisfy;

/// At least one check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Id of the list outside of which clients are refused.
    pub allow: Option<Box<[u8]>>,
    /// Id of the list inside of which clients are refused.
    pub deny: Option<Box<[u8]>>,
    pub satisfy: Satisfy,
    /// The service that is asked. Shared with requests, because the record may be replaced while they run.
    pub external: Option<Rc<ExternalAuth>>,
}

impl Access {
    /// Reads the value of a route's field.
    ///
    /// # Errors: `Critical` when it has a check that is not known here, `Missing` when it has none, `Field` when one is damaged.
    pub fn read(value: &[u8]) -> Result<Access, RecordError> {
        let mut read = Access::default();
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                access::ALLOW => read.allow = Some(id(field.value)?),
                access::DENY => read.deny = Some(id(field.value)?),
                access::SATISFY => read.satisfy = satisfy(field.value)?,
                access::EXTERNAL => read.external = Some(ExternalAuth::read(field.value)?.into()),
                _ => field.skip()?,
            }
        }
        if read.allow.is_none() && read.deny.is_none() && read.external.is_none() {
            return Err(RecordError::Missing);
        }
        Ok(read)
    }
}

fn satisfy(value: &[u8]) -> Result<Satisfy, RecordError> {
    match value {
        [words::satisfy::ALL] => Ok(Satisfy::All),
        [words::satisfy::ANY] => Ok(Satisfy::Any),
        _ => Err(RecordError::Field),
    }
}
