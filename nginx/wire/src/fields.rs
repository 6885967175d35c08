//! Taking little-endian numbers and fields off the front of a slice.

use std::fmt;

/// Why bytes are not the record that they should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordError {
    /// Written by something newer (or the first byte of something else).
    Version(u8),
    /// Ends too early, or goes on behind its last part.
    Length,
    /// A field has a value or a length that it cannot have.
    Field,
    /// Something lacks a field that it must have: a route its path, match, policy or backend.
    Missing,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "its version {version} is unknown"),
            Self::Length => f.write_str("its length is wrong"),
            Self::Field => f.write_str("a field has an impossible value"),
            Self::Missing => f.write_str("a required field is missing"),
        }
    }
}

impl std::error::Error for RecordError {}

/// The fields of a record, or of a part of one, in order: id and value of each. Ends behind the first that is damaged.
pub struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u8, &'a [u8]), RecordError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = take_field(&mut self.0).ok_or(RecordError::Length);
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}

/// A word with the id in its low 8 bits and the length in its high 24, then the value.
fn take_field<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let [id, low, middle, high] = take_u32(bytes)?.to_le_bytes();
    let len = u32::from_le_bytes([low, middle, high, 0]);
    Some((id, take(bytes, len as usize)?))
}

/// Takes `len` bytes off the front; `None` when there are fewer.
pub fn take<'a>(bytes: &mut &'a [u8], len: usize) -> Option<&'a [u8]> {
    let (head, tail) = bytes.split_at_checked(len)?;
    *bytes = tail;
    Some(head)
}

/// Takes a u16, little endian, off the front.
pub fn take_u16(bytes: &mut &[u8]) -> Option<u16> {
    let (head, tail) = bytes.split_first_chunk()?;
    *bytes = tail;
    Some(u16::from_le_bytes(*head))
}

/// Takes a u32, little endian, off the front.
pub fn take_u32(bytes: &mut &[u8]) -> Option<u32> {
    let (head, tail) = bytes.split_first_chunk()?;
    *bytes = tail;
    Some(u32::from_le_bytes(*head))
}

/// What a number may be.
#[derive(Clone, Copy, Debug)]
pub struct Number {
    /// 1 to 8.
    pub bytes: usize,
    pub min: u64,
    pub max: u64,
}

impl Number {
    /// # Errors: `Field` when it has another length, or is less or more.
    pub fn read(&self, value: &[u8]) -> Result<u64, RecordError> {
        if value.len() != self.bytes {
            return Err(RecordError::Field);
        }
        let number = value.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        if (self.min..=self.max).contains(&number) { Ok(number) } else { Err(RecordError::Field) }
    }
}
