//! Reading little-endian numbers and tagged fields from the front of a slice.

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

/// Takes one field off the front: a word with the id in its low 8 bits and the length in its high 24, then the bytes.
pub fn take_field<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let [id, low, middle, high] = take_u32(bytes)?.to_le_bytes();
    let len = u32::from_le_bytes([low, middle, high, 0]);
    Some((id, take(bytes, len as usize)?))
}
