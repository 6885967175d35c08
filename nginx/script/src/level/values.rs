//! Values of a level's fields.

use wick_wire::{RecordError, Template, max, named};

/// A name, of a header or variable, and what it becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    pub name: Box<[u8]>,
    pub value: Template,
}

/// Bytes as they were posted, or why they cannot be what they should.
type Name = Result<Box<[u8]>, RecordError>;

/// A name with its length in front, and a template.
pub fn assigned(bytes: &[u8], name_of: fn(&[u8]) -> Name) -> Result<Assigned, RecordError> {
    let (name, value) = named(bytes)?;
    Ok(Assigned { name: name_of(name)?, value: Template::read(value)? })
}

/// The name of a header: a token (RFC 9110).
pub fn token(name: &[u8]) -> Name {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let is_name = (1..=max::NAME_BYTES).contains(&name.len()) && name.iter().all(is_token);
    if is_name { Ok(name.into()) } else { Err(RecordError::Field) }
}

/// The name of a variable, without `$`.
pub fn variable(name: &[u8]) -> Name {
    let is_letter = |byte: &u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_');
    let is_name = (1..=max::VARIABLE_BYTES).contains(&name.len()) && name.iter().all(is_letter);
    if is_name { Ok(name.into()) } else { Err(RecordError::Field) }
}

/// What cannot end the line of a header early.
pub fn line(text: &[u8]) -> Name {
    let is_printable = |byte: &u8| *byte == b'\t' || (*byte >= b' ' && *byte != 0x7f);
    if text.iter().all(is_printable) { Ok(text.into()) } else { Err(RecordError::Field) }
}

/// One field of a record, for tests.
#[cfg(test)]
pub fn field(id: u8, value: &[u8]) -> Vec<u8> {
    let word = u32::from(id) | (value.len() as u32) << 8;
    [&word.to_le_bytes(), value].concat()
}
