//! The checks of a route, ready for requests.

use std::rc::Rc;

use wick_access::{Access, AddressList, RecordError, Satisfy, Verdict, check_address};
use wick_hosts::ReadOther;
use wick_native::request::Request;

use super::lists::Lists;

/// Ids of fields of routes' access.
const BASIC: u8 = 4;
const EXTERNAL: u8 = 6;

pub struct Checks {
    pub satisfy: Satisfy,
    allow: Option<Rc<AddressList>>,
    deny: Option<Rc<AddressList>>,
}

impl Checks {
    /// # Errors: a list that it names is not there, or cannot be read. Nobody may be served then.
    pub fn of(
        access: &Access,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<Checks>, RecordError> {
        // Asked by nobody yet: nobody gets in.
        if access.external.is_some() {
            return Err(RecordError::Critical(EXTERNAL));
        }
        if access.basic.is_some() {
            return Err(RecordError::Critical(BASIC));
        }
        let mut list =
            |id: &Option<Box<[u8]>>| id.as_deref().map(|id| lists.get(id, others)).transpose();
        let (allow, deny) = (list(&access.allow)?, list(&access.deny)?);
        Ok(Rc::new(Checks { satisfy: access.satisfy, allow, deny }))
    }

    /// By where the client is.
    pub fn address(&self, r: Request) -> Verdict {
        check_address(r.client_address(), self.allow.as_deref(), self.deny.as_deref())
    }
}
