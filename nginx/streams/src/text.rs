//! Texts in records.

use wick_wire::{RecordError, max};

/// Without control characters.
pub fn text(value: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let is_control = |byte: &u8| byte.is_ascii_control();
    let fits = value.len() <= max::TEXT_BYTES && !value.iter().any(is_control);
    if fits { Ok(value.into()) } else { Err(RecordError::Field) }
}
