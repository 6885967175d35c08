//! What TLS hosts name: pairs of certificate and key, the OCSP responses that go with them, and authorities.

use std::fmt;

use wick_wire::{RecordError, authority, fields, numbers, pair, staple};

/// A certificate with its chain and key. The key is never printed.
#[derive(Clone, PartialEq, Eq)]
pub struct Pair<'a> {
    /// PKCS#8 in DER.
    pub key: &'a [u8],
    /// DER, the leaf first; at least one.
    pub chain: Vec<&'a [u8]>,
}

/// An OCSP response for a certificate.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Staple<'a> {
    /// When it runs out: milliseconds since 1970.
    pub until_ms: i64,
    /// DER.
    pub response: &'a [u8],
}

/// Who signs the certificates of clients, and what they took back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authority<'a> {
    /// DER; at least one.
    pub certificates: Vec<&'a [u8]>,
    /// DER.
    pub crls: Vec<&'a [u8]>,
}

impl<'a> Pair<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &'a [u8]) -> Result<Self, RecordError> {
        let (mut key, mut chain): (&[u8], _) = (b"", Vec::new());
        for field in fields(pair::VERSION, record)? {
            let field = field?;
            match field.id {
                pair::CHAIN => chain.push(field.value),
                pair::KEY => key = field.value,
                _ => field.skip()?,
            }
        }
        complete(!key.is_empty() && !chain.is_empty(), Self { key, chain })
    }
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").field("chain", &self.chain).finish_non_exhaustive()
    }
}

impl<'a> Staple<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &'a [u8]) -> Result<Self, RecordError> {
        let (mut until_ms, mut response): (_, &[u8]) = (None, b"");
        for field in fields(staple::VERSION, record)? {
            let field = field?;
            match field.id {
                staple::RESPONSE => response = field.value,
                staple::UNTIL_MS => until_ms = Some(numbers::MOMENT.read(field.value)? as i64),
                _ => field.skip()?,
            }
        }
        let until_ms = until_ms.ok_or(RecordError::Missing)?;
        complete(!response.is_empty(), Self { until_ms, response })
    }
}

impl<'a> Authority<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(record: &'a [u8]) -> Result<Self, RecordError> {
        let (mut certificates, mut crls) = (Vec::new(), Vec::new());
        for field in fields(authority::VERSION, record)? {
            let field = field?;
            match field.id {
                authority::CERTIFICATES => certificates.push(field.value),
                authority::CRLS => crls.push(field.value),
                _ => field.skip()?,
            }
        }
        complete(!certificates.is_empty(), Self { certificates, crls })
    }
}

fn complete<T>(has_all: bool, record: T) -> Result<T, RecordError> {
    if has_all { Ok(record) } else { Err(RecordError::Missing) }
}
