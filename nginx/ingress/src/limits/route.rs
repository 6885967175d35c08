//! The limits of a route, ready for requests.

use std::rc::Rc;

use wick_access::{AddressList, RecordError};
use wick_hosts::ReadOther;
use wick_limits::Limits;
use wick_native::request::Request;
use wick_routes::{Route, Value};

use crate::access::Lists;

pub struct RouteLimits {
    pub limits: Limits,
    exempt: Option<Rc<AddressList>>,
    /// `NAMESPACE_INGRESS`, for the log.
    pub name: Box<str>,
}

impl RouteLimits {
    /// `Ok(None)` for a route without any.
    ///
    /// # Errors: a list that it names is not there, or cannot be read. Nobody may be served then.
    pub fn of(
        route: &Route,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<Option<Rc<RouteLimits>>, RecordError> {
        let Some(limits) = route.limits.as_deref().cloned() else { return Ok(None) };
        let exempt = limits.exempt.as_deref().map(|id| lists.get(id, others)).transpose()?;
        let text = |value| route.value(value).escape_ascii();
        let name = format!("{}_{}", text(Value::Namespace), text(Value::IngressName)).into();
        Ok(Some(Rc::new(RouteLimits { limits, exempt, name })))
    }

    /// Whether this client is not limited.
    pub fn exempts(&self, r: Request) -> bool {
        let Some(list) = &self.exempt else { return false };
        r.client_address().is_some_and(|client| list.contains(client))
    }
}
