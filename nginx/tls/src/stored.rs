//! What TLS hosts name: pairs of certificate and key, the OCSP responses that go with them, and authorities.

use std::fmt;

use wick_wire::{RecordError, authority, pair, staple, take, take_u16, take_u32};

use crate::record::take_head;

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
    pub fn decode(mut bytes: &'a [u8]) -> Result<Self, RecordError> {
        let count = take_head(pair::VERSION, &mut bytes)?;
        let key = take_text(&mut bytes)?;
        let chain = texts(&mut bytes, count)?;
        complete(bytes, !key.is_empty() && !chain.is_empty(), Self { key, chain })
    }
}

impl fmt::Debug for Pair<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Pair").field("chain", &self.chain).finish_non_exhaustive()
    }
}

impl<'a> Staple<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(mut bytes: &'a [u8]) -> Result<Self, RecordError> {
        take_head(staple::VERSION, &mut bytes)?;
        take_u32(&mut bytes).ok_or(RecordError::Length)?;
        let (until, response) = bytes.split_first_chunk().ok_or(RecordError::Length)?;
        let until_ms = i64::from_le_bytes(*until);
        complete(&[], !response.is_empty(), Self { until_ms, response })
    }
}

impl<'a> Authority<'a> {
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(mut bytes: &'a [u8]) -> Result<Self, RecordError> {
        let count = take_head(authority::VERSION, &mut bytes)?;
        let crls = take_u16(&mut bytes).ok_or(RecordError::Length)?;
        take_u16(&mut bytes).ok_or(RecordError::Length)?;
        let certificates = texts(&mut bytes, count)?;
        let crls = texts(&mut bytes, crls)?;
        complete(bytes, !certificates.is_empty(), Self { certificates, crls })
    }
}

/// One text with its length in front.
fn take_text<'a>(bytes: &mut &'a [u8]) -> Result<&'a [u8], RecordError> {
    let len = take_u32(bytes).ok_or(RecordError::Length)?;
    take(bytes, len as usize).ok_or(RecordError::Length)
}

/// A record that lies about its `count` ends before it makes us reserve memory.
fn texts<'a>(bytes: &mut &'a [u8], count: u16) -> Result<Vec<&'a [u8]>, RecordError> {
    (0..count).map(|_| take_text(bytes)).collect()
}

fn complete<T>(rest: &[u8], has_all: bool, record: T) -> Result<T, RecordError> {
    match (rest, has_all) {
        ([], true) => Ok(record),
        ([], false) => Err(RecordError::Missing),
        _ => Err(RecordError::Length),
    }
}
