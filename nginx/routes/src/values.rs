//! Values that a route has, and its weighted backends too.

use std::num::NonZeroU16;

use wick_wire::{RecordError, max, named, numbers};

/// A header, in the place of all of its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// A token (RFC 9110) of 1 to 253 bytes.
    pub name: Box<[u8]>,
    /// No control characters; empty: the header is removed.
    pub value: Box<[u8]>,
}

pub fn status(bytes: &[u8]) -> Result<NonZeroU16, RecordError> {
    let status = numbers::STATUS.read(bytes)? as u16;
    NonZeroU16::new(status).ok_or(RecordError::Field)
}

/// What could end a header's line early is refused here as well: anybody may have written the zone.
pub fn header(bytes: &[u8]) -> Result<Header, RecordError> {
    let (name, value) = named(bytes)?;
    let token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let printable = |byte: &u8| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f);
    if name.len() > max::NAME_BYTES || !name.iter().all(token) || !value.iter().all(printable) {
        return Err(RecordError::Field);
    }
    Ok(Header { name: name.into(), value: value.into() })
}
