//! The checks of a route, ready for requests.

use std::rc::Rc;

use wick_access::{Access, AddressList, RecordError, Satisfy, Verdict, check_address};
use wick_hosts::ReadOther;
use wick_native::request::Request;

use super::external::{External, Location};
use super::lists::Lists;

/// Id of a field of routes' access.
const BASIC: u8 = 4;

pub struct Checks {
    pub satisfy: Satisfy,
    allow: Option<Rc<AddressList>>,
    deny: Option<Rc<AddressList>>,
    pub external: Option<External>,
}

impl Checks {
    /// `service`: where the authentication service is asked that the route names, if it names one, and what tells the route
    /// apart from all others.
    ///
    /// # Errors: a list that it names is not there, or cannot be read. Nobody may be served then.
    pub fn of(
        access: &Access,
        service: Option<(Location, Vec<u8>)>,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<Checks>, RecordError> {
        // Asked by nobody yet: nobody gets in.
        if access.basic.is_some() {
            return Err(RecordError::Critical(BASIC));
        }
        let mut list =
            |id: &Option<Box<[u8]>>| id.as_deref().map(|id| lists.get(id, others)).transpose();
        let (allow, deny) = (list(&access.allow)?, list(&access.deny)?);
        let asked = access.external.clone().zip(service);
        let external = asked.map(|(asked, (at, route))| External::new(asked, at, route));
        Ok(Rc::new(Checks { satisfy: access.satisfy, allow, deny, external }))
    }

    /// By where the client is.
    pub fn address(&self, r: Request) -> Verdict {
        check_address(r.client_address(), self.allow.as_deref(), self.deny.as_deref())
    }
}
