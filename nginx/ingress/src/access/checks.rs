//! The checks of a route, ready for requests.

use std::rc::Rc;

use wick_access::{
    Access, AddressList, ExternalAuth, GeoLists, RecordError, Rule, Satisfy, Verdict, check_address,
};
use wick_hosts::ReadOther;
use wick_native::request::Request;

use super::digest::DigestCheck;
use super::external::{External, Location};
use super::lists::Lists;
use super::password::PasswordCheck;
use crate::geo::Client;

#[derive(Clone, Copy)]
pub enum Check {
    Address,
    Geo,
    Password,
    Digest,
    External,
}

pub struct Checks {
    pub satisfy: Satisfy,
    /// Those that the route has, in nginx's order.
    pub order: Box<[Check]>,
    allow: Option<Rc<AddressList>>,
    deny: Option<Rc<AddressList>>,
    rules: Rc<[Rule]>,
    geo: Option<Rc<GeoLists>>,
    pub basic: Option<PasswordCheck>,
    pub digest: Option<DigestCheck>,
    /// Of the client's, none reaches the backend.
    pub takes_credentials: bool,
    pub external: Option<Rc<External>>,
}

impl Checks {
    /// `namespace`: the route's. `service`: where the authentication service is asked that the route names, if it names one, and what tells the route
    /// apart from all others.
    ///
    /// # Errors: a list that it names is not there, or cannot be read. Nobody may be served then.
    pub fn of(
        access: &Access,
        namespace: &[u8],
        service: Option<(Location, Vec<u8>)>,
        lists: &Lists,
        others: &mut ReadOther<'_>,
    ) -> Result<Rc<Checks>, RecordError> {
        let mut list = |id: &Option<Box<[u8]>>| {
            id.as_deref().map(|id| lists.addresses(id, others)).transpose()
        };
        let (allow, deny) = (list(&access.allow)?, list(&access.deny)?);
        let basic = access.basic.as_ref();
        let basic = basic.map(|password| PasswordCheck::of(password, namespace, lists, others));
        let basic = basic.transpose()?;
        let digest = access.digest.as_ref();
        let digest = digest.map(|password| DigestCheck::of(password, lists, others)).transpose()?;
        let takes_credentials = (basic.is_some() || digest.is_some())
            && !access.external.as_deref().is_some_and(gives_credentials);
        let external = match (&access.external, service) {
            (Some(asked), Some((at, route))) => {
                Some(Rc::new(External::new(asked.clone(), at, route)))
            }
            (Some(_), None) => return Err(RecordError::Absent),
            (None, _) => None,
        };
        let order = [
            (allow.is_some() || deny.is_some() || !access.rules.is_empty(), Check::Address),
            (access.geo.is_some(), Check::Geo),
            (basic.is_some(), Check::Password),
            (digest.is_some(), Check::Digest),
            (external.is_some(), Check::External),
        ];
        let order = order.into_iter().filter_map(|(is, check)| is.then_some(check)).collect();
        let satisfy = access.satisfy;
        Ok(Rc::new(Checks {
            satisfy,
            order,
            allow,
            deny,
            rules: access.rules.clone(),
            geo: access.geo.clone(),
            basic,
            digest,
            takes_credentials,
            external,
        }))
    }

    /// Of a request that is explained its password alone, or its service, too, if that is to be asked; `None`: the route has neither.
    pub fn explained(&self, has_password: bool, asks_service: bool) -> Option<Checks> {
        let basic = self.basic.clone().filter(|_| has_password);
        let external = self.external.clone().filter(|_| asks_service);
        let (by_password, by_service) = (basic.is_some(), external.is_some());
        let order = [(by_password, Check::Password), (by_service, Check::External)];
        (by_password || by_service).then(|| Checks {
            satisfy: if by_password && by_service { self.satisfy } else { Satisfy::All },
            order: order.into_iter().filter_map(|(is, check)| is.then_some(check)).collect(),
            allow: None,
            deny: None,
            rules: Rc::default(),
            geo: None,
            basic,
            digest: None,
            takes_credentials: false,
            external,
        })
    }

    /// Whether nothing but where the client is decides, and its being let in counts for nothing beside other checks.
    pub fn are_addresses_only(&self) -> bool {
        self.satisfy == Satisfy::All && matches!(*self.order, [Check::Address])
    }

    /// By where the client is.
    pub fn address(&self, r: Request) -> Verdict {
        let (allow, deny) = (self.allow.as_deref(), self.deny.as_deref());
        check_address(r.client_address(), allow, deny, &self.rules)
    }

    /// By what the databases of GeoIP say of where the client is.
    pub fn geo(&self, r: Request) -> Verdict {
        self.geo.as_ref().map_or(Verdict::Undecided, |lists| lists.check(&Client(r)))
    }
}

/// Whether the service's answer says what credentials the backend gets, in the place of the client's.
fn gives_credentials(asked: &ExternalAuth) -> bool {
    asked.response_headers.iter().any(|name| name.eq_ignore_ascii_case(b"authorization"))
}
