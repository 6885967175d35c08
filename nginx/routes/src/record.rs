//! The record of a host as bytes (docs/wire.md 2) → its routes.

use wick_hosts::fields::{RecordError, take, take_field, take_u32};

use crate::route::{Parts, Route};

const VERSION: u8 = 1;

/// Reads all routes of the host `name`, in the order written. Fields with unknown ids are skipped.
pub fn decode(name: &[u8], mut bytes: &[u8]) -> Result<Vec<Route>, RecordError> {
    let (&[version, ..], tail) = bytes.split_first_chunk::<4>().ok_or(RecordError::Length)?;
    bytes = tail;
    if version != VERSION {
        return Err(RecordError::Version(version));
    }
    let count = take_u32(&mut bytes).ok_or(RecordError::Length)?;
    // A route takes four bytes at least: a record that lies about its count cannot make us reserve memory.
    let mut routes = Vec::with_capacity((count as usize).min(bytes.len() / 4));
    for _ in 0..count {
        let len = take_u32(&mut bytes).ok_or(RecordError::Length)?;
        routes.push(route(name, take(&mut bytes, len as usize).ok_or(RecordError::Length)?)?);
    }
    if bytes.is_empty() { Ok(routes) } else { Err(RecordError::Length) }
}

fn route(host: &[u8], mut fields: &[u8]) -> Result<Route, RecordError> {
    let mut parts = Parts::of_host(host);
    while !fields.is_empty() {
        let (id, bytes) = take_field(&mut fields).ok_or(RecordError::Length)?;
        parts.set(id, bytes)?;
    }
    parts.route()
}
