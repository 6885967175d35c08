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
    /// Something lacks a field that it must have: a route its path, match, location or backend.
    Missing,
    /// The field with this id is not known, and must not be passed over.
    Critical(u8),
    /// Another record that it names is not there.
    Absent,
    /// The parts of a host are not in order.
    Order,
    /// It says itself that nothing is to be served by it.
    Closed,
    /// A host is an alias of something that has no routes of its own.
    Alias,
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Version(version) => write!(f, "its version {version} is unknown"),
            Self::Length => f.write_str("its length is wrong"),
            Self::Field => f.write_str("a field has an impossible value"),
            Self::Missing => f.write_str("a required field is missing"),
            Self::Critical(id) => write!(f, "its field {id} is unknown and critical"),
            Self::Absent => f.write_str("a part of it is not there"),
            Self::Order => f.write_str("its parts are not in order"),
            Self::Closed => f.write_str("it is closed, for what it is to say has no room"),
            Self::Alias => f.write_str("it is an alias of a host that has no routes"),
        }
    }
}

impl std::error::Error for RecordError {}

/// The fields of a record of any kind but a backend's: a word with the version in its low 8 bits and the length in its high
/// 24, then fields.
///
/// # Errors: `Version` when it is not the wanted one, `Length` when the record is shorter or longer than it says.
pub fn fields(version: u8, record: &[u8]) -> Result<Fields<'_>, RecordError> {
    let &[found, ..] = record else { return Err(RecordError::Length) };
    if found != version {
        return Err(RecordError::Version(found));
    }
    let mut rest = record;
    match take_word(&mut rest) {
        Some((_, bytes)) if rest.is_empty() => Ok(Fields(bytes)),
        _ => Err(RecordError::Length),
    }
}

/// One field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field<'a> {
    /// At most 127.
    pub id: u8,
    /// Who does not know it must not serve without it.
    pub is_critical: bool,
    pub value: &'a [u8],
}

impl Field<'_> {
    /// What a reader does with a field that it does not know.
    ///
    /// # Errors: `Critical`: it must not use the record.
    pub fn skip(&self) -> Result<(), RecordError> {
        if self.is_critical { Err(RecordError::Critical(self.id)) } else { Ok(()) }
    }
}

/// The fields of a record, or of a part of one, in order. Ends behind the first that is damaged.
#[derive(Clone, Copy, Debug)]
pub struct Fields<'a>(&'a [u8]);

impl<'a> Fields<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<Field<'a>, RecordError>;

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

/// Bit of a tag, besides the id.
const CRITICAL: u8 = 0x80;

fn take_field<'a>(bytes: &mut &'a [u8]) -> Option<Field<'a>> {
    let (tag, value) = take_word(bytes)?;
    Some(Field { id: tag & !CRITICAL, is_critical: tag & CRITICAL != 0, value })
}

/// A word with a tag in its low 8 bits and a length in its high 24, then that many bytes.
fn take_word<'a>(bytes: &mut &'a [u8]) -> Option<(u8, &'a [u8])> {
    let [tag, low, middle, high] = take_u32(bytes)?.to_le_bytes();
    let len = u32::from_le_bytes([low, middle, high, 0]);
    Some((tag, take(bytes, len as usize)?))
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
