//! The record of a host as bytes (docs/wire.md 2) → what the host asks of clients, and its routes.

use wick_wire::{Fields, RecordError, fields, host};

use crate::client_certificate::{self, ClientCertificate};
use crate::route::{self, Route};

/// What a record says.
pub struct Record {
    pub client_certificate: Option<Box<ClientCertificate>>,
    /// In the order written.
    pub routes: Vec<Route>,
}

/// Reads the record of the host `name`. Fields that are not known are passed over; where one is critical, a route is
/// closed ([`Route::unknown`]), or the whole record refused when it is one of the host's own.
pub fn decode(name: &[u8], record: &[u8]) -> Result<Record, RecordError> {
    let mut client = client_certificate::Parts::default();
    let mut routes = Vec::new();
    for field in fields(host::VERSION, record)? {
        let field = field?;
        match field.id {
            host::ROUTES => routes.push(route(name, field.value)?),
            _ => client.set(field)?,
        }
    }
    Ok(Record { client_certificate: client.whole()?, routes })
}

fn route(host: &[u8], fields: &[u8]) -> Result<Route, RecordError> {
    let mut parts = route::Parts::of_host(host);
    for field in Fields::new(fields) {
        parts.set(field?)?;
    }
    parts.route()
}
