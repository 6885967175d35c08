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

/// A variable and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Literal {
    /// 1 to 63 bytes of `[a-z0-9_]`.
    pub name: Box<[u8]>,
    pub value: Box<[u8]>,
}

/// As a route's variables, but what it becomes is its text.
pub fn literal(bytes: &[u8]) -> Result<Literal, RecordError> {
    let (name, value) = variable_name(bytes)?;
    let is_line = value.len() <= max::TEXT_BYTES && !value.iter().any(u8::is_ascii_control);
    if !is_line {
        return Err(RecordError::Field);
    }
    Ok(Literal { name: name.into(), value: value.into() })
}

/// The name of a variable, and what follows it.
pub fn variable_name(bytes: &[u8]) -> Result<(&[u8], &[u8]), RecordError> {
    let (name, value) = named(bytes)?;
    let allowed = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let is_name = name.len() <= max::VARIABLE_BYTES && name.iter().all(allowed);
    if is_name { Ok((name, value)) } else { Err(RecordError::Field) }
}
