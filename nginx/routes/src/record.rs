//! The record of a host as bytes (docs/wire.md 2) → what the host asks of clients, and its routes.

use wick_wire::{Fields, RecordError, host, take, take_u32};

use crate::client_certificate::{self, ClientCertificate};
use crate::route::{Parts, Route};

/// What a record says.
pub struct Record {
    pub client_certificate: Option<Box<ClientCertificate>>,
    /// In the order written.
    pub routes: Vec<Route>,
}

/// Reads the record of the host `name`. Fields with unknown ids are skipped.
pub fn decode(name: &[u8], mut bytes: &[u8]) -> Result<Record, RecordError> {
    let (&[version, ..], tail) = bytes.split_first_chunk::<4>().ok_or(RecordError::Length)?;
    bytes = tail;
    if version != host::VERSION {
        return Err(RecordError::Version(version));
    }
    let count = take_u32(&mut bytes).ok_or(RecordError::Length)?;
    let own = sized(&mut bytes)?;
    let record = Record {
        client_certificate: client_certificate::decode(own)?,
        routes: routes(name, count, &mut bytes)?,
    };
    if bytes.is_empty() { Ok(record) } else { Err(RecordError::Length) }
}

fn routes(name: &[u8], count: u32, bytes: &mut &[u8]) -> Result<Vec<Route>, RecordError> {
    // A route takes four bytes at least: a record that lies about its count cannot make us reserve memory.
    let mut routes = Vec::with_capacity((count as usize).min(bytes.len() / 4));
    for _ in 0..count {
        routes.push(route(name, sized(bytes)?)?);
    }
    Ok(routes)
}

/// Takes what is as long as the u32 in front of it.
fn sized<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], RecordError> {
    let len = take_u32(bytes).ok_or(RecordError::Length)?;
    take(bytes, len as usize).ok_or(RecordError::Length)
}

fn route(host: &[u8], fields: &[u8]) -> Result<Route, RecordError> {
    let mut parts = Parts::of_host(host);
    for field in Fields::new(fields) {
        let (id, bytes) = field?;
        parts.set(id, bytes)?;
    }
    parts.route()
}
