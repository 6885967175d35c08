//! What all records have in common: their head.

use wick_wire::RecordError;

/// Takes the head of a record off the front: its version, a zero, and a number that each kind has a use for.
pub fn take_head(wanted: u8, bytes: &mut &[u8]) -> Result<u16, RecordError> {
    let (&[version, _, low, high], tail) = bytes.split_first_chunk().ok_or(RecordError::Length)?;
    *bytes = tail;
    if version == wanted {
        Ok(u16::from_le_bytes([low, high]))
    } else {
        Err(RecordError::Version(version))
    }
}
