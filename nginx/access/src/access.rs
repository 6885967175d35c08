//! What a route says of access: which checks there are, and how many of them have to let a request in.

use std::rc::Rc;

use wick_wire::{Fields, RecordError, access, id, max, password, words};

use crate::external::ExternalAuth;
use crate::geo::{self, GeoLists};
use crate::rules::Rule;
use crate::verdict::Satisfy;

/// At least one check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Access {
    /// Id of the list outside of which clients are refused.
    pub allow: Option<Box<[u8]>>,
    /// Id of the list inside of which clients are refused.
    pub deny: Option<Box<[u8]>>,
    pub satisfy: Satisfy,
    /// Asked for by Basic authentication (RFC 7617).
    pub basic: Option<Password>,
    /// Proved by Digest authentication (RFC 7616).
    pub digest: Option<Password>,
    /// Who is let in or refused of those whom the lists do not refuse; the first that fits decides. Empty: nobody is refused by them.
    pub rules: Rc<[Rule]>,
    /// Where clients have to be, by the databases of GeoIP. Shared with requests, as what follows. `None`: anywhere.
    pub geo: Option<Rc<GeoLists>>,
    /// The service that is asked. Shared with requests, because the record may be replaced while they run.
    pub external: Option<Rc<ExternalAuth>>,
}

/// Whose passwords let a request in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Password {
    /// Id of the list of users.
    pub users: Box<[u8]>,
    /// What clients are told that the password is for: no control characters, may be empty.
    pub realm: Box<[u8]>,
}

impl Access {
    /// Reads the value of a route's field.
    ///
    /// # Errors: `Critical` when it has a check that is not known here, `Missing` when it has none, `Field` when one is damaged.
    pub fn read(value: &[u8]) -> Result<Access, RecordError> {
        let (mut read, mut rules) = (Access::default(), Vec::new());
        let mut geo = geo::Reading::default();
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                access::ALLOW => read.allow = Some(id(field.value)?),
                access::DENY => read.deny = Some(id(field.value)?),
                access::SATISFY => read.satisfy = satisfy(field.value)?,
                access::BASIC => read.basic = Some(Password::read(field.value)?),
                access::DIGEST => read.digest = Some(Password::read(field.value)?),
                access::RULES => rules.push(Rule::read(field.value)?),
                access::EXTERNAL => read.external = Some(ExternalAuth::read(field.value)?.into()),
                access::ALLOW_COUNTRIES => geo.allow_countries.push(geo::country(field.value)?),
                access::DENY_COUNTRIES => geo.deny_countries.push(geo::country(field.value)?),
                access::ALLOW_ASNS => geo.allow_asns.push(geo::asn(field.value)?),
                access::DENY_ASNS => geo.deny_asns.push(geo::asn(field.value)?),
                _ => field.skip()?,
            }
        }
        let geo = geo.finish()?;
        read.geo = (!geo.are_empty()).then(|| geo.into());
        let has_any = [
            read.allow.is_some(),
            read.deny.is_some(),
            read.basic.is_some(),
            read.digest.is_some(),
            read.external.is_some(),
            read.geo.is_some(),
            !rules.is_empty(),
        ]
        .contains(&true);
        match rules.len() {
            _ if !has_any => Err(RecordError::Missing),
            0..=max::ACCESS_RULES => Ok(Access { rules: rules.into(), ..read }),
            _ => Err(RecordError::Field),
        }
    }
}

impl Password {
    fn read(value: &[u8]) -> Result<Password, RecordError> {
        let (mut users, mut realm) = (None, None);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                password::USERS => users = Some(id(field.value)?),
                password::REALM => realm = Some(line(field.value)?),
                _ => field.skip()?,
            }
        }
        let missing = RecordError::Missing;
        Ok(Password { users: users.ok_or(missing)?, realm: realm.ok_or(missing)? })
    }
}

/// It goes into a header: a control character might begin another one.
fn line(value: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let fits = value.len() <= max::TEXT_BYTES && !value.iter().any(u8::is_ascii_control);
    if fits { Ok(value.into()) } else { Err(RecordError::Field) }
}

fn satisfy(value: &[u8]) -> Result<Satisfy, RecordError> {
    match value {
        [words::satisfy::ALL] => Ok(Satisfy::All),
        [words::satisfy::ANY] => Ok(Satisfy::Any),
        _ => Err(RecordError::Field),
    }
}
