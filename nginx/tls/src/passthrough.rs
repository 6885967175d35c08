//! The record of a passthrough: where connections with its name go.

use wick_wire::{RecordError, fields, max, passthrough};

/// A record that was checked from end to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Passthrough<'a> {
    /// Name of the backend whose endpoints they go to.
    pub backend: &'a [u8],
}

impl<'a> Passthrough<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &'a [u8]) -> Result<Self, RecordError> {
        let mut backend = None;
        for field in fields(passthrough::VERSION, record)? {
            let field = field?;
            match field.id {
                passthrough::BACKEND => backend = Some(field.value),
                _ => field.skip()?,
            }
        }
        let backend = backend.ok_or(RecordError::Missing)?;
        let fits = (1..=max::NAME_BYTES).contains(&backend.len());
        if fits { Ok(Passthrough { backend }) } else { Err(RecordError::Field) }
    }
}
