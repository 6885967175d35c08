//! How things with records of their own are named in others.

use crate::fields::RecordError;
use crate::ids::max;

/// The id of something with a record of its own: letters, digits, dashes and underscores.
pub fn id(value: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let fits = (1..=max::ID_BYTES).contains(&value.len()) && value.iter().all(allowed);
    if fits { Ok(value.into()) } else { Err(RecordError::Field) }
}
