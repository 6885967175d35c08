//! The record of a host as bytes (docs/wire.md 2) → what the host asks of clients, and its routes or whose routes it has.

use std::rc::Rc;

use wick_script::Script;
use wick_wire::{Fields, RecordError, fields, host, route_part};

use crate::client_certificate::{self, ClientCertificate};
use crate::route::{self, Route};

/// What a record says.
pub struct Record {
    pub client_certificate: Option<Box<ClientCertificate>>,
    /// The host whose routes are this one's, which has none of its own then.
    pub alias_of: Option<Box<[u8]>>,
    /// Whose host it is, of those listeners that share an address and a port.
    pub listener: Option<Box<[u8]>>,
    /// Run before a route is looked for.
    pub script: Option<Rc<Script>>,
    /// Ids, in the order written. There are parts or routes, not both.
    pub parts: Vec<Box<[u8]>>,
    /// In the order written.
    pub routes: Vec<Route>,
}

/// Reads the record of the host `name`. Fields that are not known are passed over; where one is critical, a route is
/// closed ([`Route::unknown`]), or the whole record refused when it is one of the host's own.
pub fn decode(name: &[u8], record: &[u8]) -> Result<Record, RecordError> {
    let mut client = client_certificate::Parts::default();
    let (mut alias_of, mut parts, mut routes) = (None, Vec::new(), Vec::new());
    let (mut script, mut listener) = (None, None);
    for field in fields(host::VERSION, record)? {
        let field = field?;
        match field.id {
            host::ROUTES => routes.push(route(name, field.value)?),
            host::PARTS => parts.push(field.value.into()),
            host::ALIAS_OF => alias_of = Some(field.value.into()),
            host::SCRIPT => script = Some(Script::read(field.value)?.into()),
            host::LISTENER => listener = Some(field.value.into()),
            host::CLOSED => return Err(RecordError::Closed),
            _ => client.set(field)?,
        }
    }
    let has_some = [alias_of.is_some(), !parts.is_empty(), !routes.is_empty()];
    if has_some.into_iter().filter(|has| *has).count() > 1 {
        return Err(RecordError::Field);
    }
    Ok(Record { client_certificate: client.whole()?, alias_of, listener, script, parts, routes })
}

/// Reads the record of a part of the host `name`.
pub fn decode_part(name: &[u8], record: &[u8]) -> Result<Vec<Route>, RecordError> {
    let mut routes = Vec::new();
    for field in fields(route_part::VERSION, record)? {
        let field = field?;
        match field.id {
            route_part::ROUTES => routes.push(route(name, field.value)?),
            _ => field.skip()?,
        }
    }
    Ok(routes)
}

fn route(host: &[u8], fields: &[u8]) -> Result<Route, RecordError> {
    let mut parts = route::Parts::of_host(host);
    for field in Fields::new(fields) {
        parts.set(field?)?;
    }
    parts.route()
}
