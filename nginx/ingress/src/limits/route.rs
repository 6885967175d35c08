//! The limits of a route, ready for requests.

use std::cell::OnceCell;
use std::hash::{DefaultHasher, Hasher};
use std::rc::Rc;

use ngx::ffi::ngx_int_t;
use wick_access::{AddressList, RecordError};
use wick_hosts::ReadOther;
use wick_limits::{Limits, Part};
use wick_native::request::Request;
use wick_native::variable::Variable;
use wick_routes::{Route, Value};

use crate::access::Lists;

pub struct RouteLimits {
    pub limits: Limits,
    exempt: Option<Rc<AddressList>>,
    /// A hash of the namespace, which has its share of the table.
    pub namespace: u64,
    /// `NAMESPACE_INGRESS`, for the log.
    pub name: Box<str>,
    /// What refused requests are answered; `None`: as those of all routes.
    pub request_status: Option<ngx_int_t>,
    pub connection_status: Option<ngx_int_t>,
    /// Where nginx has the parts of a client that are headers and cookies; looked up at the first use: requests know where.
    variables: OnceCell<Box<[Option<Variable>]>>,
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
        let exempt = limits.exempt.as_deref().map(|id| lists.addresses(id, others)).transpose()?;
        let text = |value| route.value(value).escape_ascii();
        let name = format!("{}_{}", text(Value::Namespace), text(Value::IngressName)).into();
        let namespace = hash(route.value(Value::Namespace));
        let numbers = route.overrides.as_deref().copied().unwrap_or_default();
        Ok(Some(Rc::new(RouteLimits {
            limits,
            exempt,
            namespace,
            name,
            request_status: numbers.limit_req_status.map(|status| status as ngx_int_t),
            connection_status: numbers.limit_conn_status.map(|status| status as ngx_int_t),
            variables: OnceCell::new(),
        })))
    }

    /// Whether this client is not limited.
    pub fn exempts(&self, r: Request) -> bool {
        let Some(list) = &self.exempt else { return false };
        r.client_address().is_some_and(|client| list.contains(client))
    }

    /// The number of the request's client. `path`: that it asks for, decoded. `seed`: the table's.
    pub fn client<'r>(&self, r: Request<'r>, path: &'r [u8], seed: u64) -> u128 {
        let identity = &self.limits.identity;
        identity.client(r.client_address(), seed, |nth, part| self.value(r, path, nth, part))
    }

    /// `None`: the request has none.
    fn value<'r>(
        &self,
        r: Request<'r>,
        path: &'r [u8],
        nth: usize,
        part: &Part,
    ) -> Option<&'r [u8]> {
        let value = match part {
            Part::Path(nth) => path.split(|byte| *byte == b'/').nth((*nth).into()),
            _ => self.variables(r)[nth].as_ref()?.get(r),
        };
        value.filter(|value| !value.is_empty())
    }

    fn variables(&self, r: Request) -> &[Option<Variable>] {
        let parts = &self.limits.identity.parts;
        self.variables.get_or_init(|| parts.iter().map(|part| variable(part, r)).collect())
    }
}

fn variable(part: &Part, r: Request) -> Option<Variable> {
    let name = match part {
        Part::Header(name) => [b"http_".as_slice(), &underscored(name)].concat(),
        Part::Cookie(name) => [b"cookie_".as_slice(), name].concat(),
        Part::Address | Part::Path(_) => return None,
    };
    Some(Variable::resolve(r, &name))
}

/// The same in all workers.
pub fn hash(text: &[u8]) -> u64 {
    let mut hasher = DefaultHasher::new();
    hasher.write(text);
    hasher.finish()
}

/// As nginx writes headers in variables.
fn underscored(name: &[u8]) -> Vec<u8> {
    name.iter().map(|byte| if *byte == b'-' { b'_' } else { *byte }).collect()
}
