//! How values of fields are written that many records have.

use std::ffi::CString;

use crate::fields::{RecordError, take};
use crate::ids::max;

/// What is said by the field being there.
/// # Errors: `Field` for anything but 1.
pub fn mark(bytes: &[u8]) -> Result<bool, RecordError> {
    if bytes == [1] { Ok(true) } else { Err(RecordError::Field) }
}

/// Yes or no.
/// # Errors: `Field` for anything but 0 and 1.
pub fn flag(bytes: &[u8]) -> Result<bool, RecordError> {
    match bytes {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(RecordError::Field),
    }
}

/// A text without control characters.
/// # Errors: `Field` when it has one, or is too long.
pub fn text(value: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let is_control = |byte: &u8| byte.is_ascii_control();
    let fits = value.len() <= max::TEXT_BYTES && !value.iter().any(is_control);
    if fits { Ok(value.into()) } else { Err(RecordError::Field) }
}

/// OpenSSL's list of ciphers.
/// # Errors: `Field` when it is none.
pub fn ciphers(value: &[u8]) -> Result<CString, RecordError> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"!:+@=_-".contains(byte);
    let fits = (1..=max::CIPHERS_BYTES).contains(&value.len()) && value.iter().all(allowed);
    if fits { CString::new(value).map_err(|_| RecordError::Field) } else { Err(RecordError::Field) }
}

/// A name of at least one byte, with its length in front, and what follows it.
/// # Errors: `Field` when it is longer than the value.
pub fn named(mut bytes: &[u8]) -> Result<(&[u8], &[u8]), RecordError> {
    let len = take(&mut bytes, 1).ok_or(RecordError::Field)?[0];
    let name = take(&mut bytes, len.into()).ok_or(RecordError::Field)?;
    if name.is_empty() { Err(RecordError::Field) } else { Ok((name, bytes)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_one_or_none() {
        assert_eq!(mark(&[1]), Ok(true));
        for other in [&[][..], &[0], &[2], &[1, 1]] {
            assert_eq!(mark(other), Err(RecordError::Field));
        }
    }

    #[test]
    fn a_flag_is_one_or_the_other() {
        assert_eq!((flag(&[0]), flag(&[1])), (Ok(false), Ok(true)));
        for other in [&[][..], &[2], &[0, 0]] {
            assert_eq!(flag(other), Err(RecordError::Field));
        }
    }

    #[test]
    fn a_name_ends_where_it_says() {
        assert_eq!(named(b"\x01ab"), Ok((&b"a"[..], &b"b"[..])));
        assert_eq!(named(b"\x02ab"), Ok((&b"ab"[..], &b""[..])));
        for other in [&b""[..], b"\x00a", b"\x03ab"] {
            assert_eq!(named(other), Err(RecordError::Field));
        }
    }
}
