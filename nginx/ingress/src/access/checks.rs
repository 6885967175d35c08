//! The checks of a route, ready for requests: the one place where they are combined.

use std::rc::Rc;

use wick_access::{Access, AddressList, RecordError, Satisfy, Verdict, check_address, combine};
use wick_hosts::ReadOther;
use wick_native::request::Request;

use super::lists::Lists;

pub struct Checks {
    satisfy: Satisfy,
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
        let mut list =
            |id: &Option<Box<[u8]>>| id.as_deref().map(|id| lists.get(id, others)).transpose();
        let (allow, deny) = (list(&access.allow)?, list(&access.deny)?);
        Ok(Rc::new(Checks { satisfy: access.satisfy, allow, deny }))
    }

    /// Asks one check after the other, in nginx's order: addresses first.
    pub fn ask(&self, r: Request) -> Verdict {
        combine(self.satisfy, [self.address(r)])
    }

    fn address(&self, r: Request) -> Verdict {
        check_address(r.client_address(), self.allow.as_deref(), self.deny.as_deref())
    }
}
