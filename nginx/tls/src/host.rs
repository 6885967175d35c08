//! The record of a TLS host: what a handshake for its server names gets.

use std::ffi::CString;

use wick_hosts::fields::{RecordError, take_field};

use crate::take_head;

/// Limits of docs/wire.md 1.
const MAX_ID_BYTES: usize = 64;
const MAX_CERTIFICATES: usize = 4;
const MAX_CIPHERS_BYTES: usize = 4096;
const MAX_DEPTH: u32 = 100;
/// As nginx's `ssl_verify_depth`.
const DEFAULT_DEPTH: u32 = 1;

/// What a handshake gets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TlsHost {
    /// Ids of pairs, in the order of the record; none: those of `:default`.
    pub certificates: Box<[Box<[u8]>]>,
    /// For OpenSSL, TLS 1.2 and below; `None`: those of the server block.
    pub ciphers: Option<CString>,
    /// `None`: as the server block has it.
    pub prefer_server_ciphers: Option<bool>,
    pub client: Option<ClientVerification>,
}

/// What clients are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClientVerification {
    /// Id of an authority.
    pub authority: Box<[u8]>,
    pub verify: Verify,
    /// 1 to 100.
    pub depth: u32,
}

/// As nginx's `ssl_verify_client`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verify {
    On = 1,
    Optional = 2,
    OptionalNoCa = 3,
}

impl TlsHost {
    /// Fields with unknown ids are skipped.
    ///
    /// # Errors: when the bytes are not such a record; never panics.
    pub fn decode(mut bytes: &[u8]) -> Result<Self, RecordError> {
        take_head(&mut bytes)?;
        let mut parts = Parts::default();
        while !bytes.is_empty() {
            let (id, value) = take_field(&mut bytes).ok_or(RecordError::Length)?;
            parts.set(id, value).ok_or(RecordError::Field)?;
        }
        parts.host()
    }
}

#[derive(Default)]
struct Parts {
    certificates: Vec<Box<[u8]>>,
    ciphers: Option<CString>,
    prefer_server_ciphers: Option<bool>,
    authority: Option<Box<[u8]>>,
    verify: Option<Verify>,
    depth: Option<u32>,
}

impl Parts {
    /// `None`: an impossible value.
    fn set(&mut self, id: u8, value: &[u8]) -> Option<()> {
        match id {
            1 => self.certificates.push(read_id(value)?),
            2 => self.ciphers = Some(read_ciphers(value)?),
            3 => self.prefer_server_ciphers = Some(read_flag(value)?),
            4 => self.authority = Some(read_id(value)?),
            5 => self.verify = Some(Verify::read(value)?),
            6 => self.depth = Some(read_depth(value)?),
            _ => {}
        }
        (self.certificates.len() <= MAX_CERTIFICATES).then_some(())
    }

    fn host(self) -> Result<TlsHost, RecordError> {
        let Self { certificates, ciphers, prefer_server_ciphers, authority, verify, depth } = self;
        let client = match (authority, verify) {
            (Some(authority), Some(verify)) => Some(ClientVerification {
                authority,
                verify,
                depth: depth.unwrap_or(DEFAULT_DEPTH),
            }),
            (None, None) => None,
            _ => return Err(RecordError::Missing),
        };
        let certificates = certificates.into();
        Ok(TlsHost { certificates, ciphers, prefer_server_ciphers, client })
    }
}

impl Verify {
    fn read(value: &[u8]) -> Option<Self> {
        match value {
            [1] => Some(Self::On),
            [2] => Some(Self::Optional),
            [3] => Some(Self::OptionalNoCa),
            _ => None,
        }
    }
}

fn read_id(value: &[u8]) -> Option<Box<[u8]>> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"_-".contains(byte);
    let fits = (1..=MAX_ID_BYTES).contains(&value.len()) && value.iter().all(allowed);
    fits.then(|| value.into())
}

fn read_ciphers(value: &[u8]) -> Option<CString> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"!:+@=_-".contains(byte);
    let fits = (1..=MAX_CIPHERS_BYTES).contains(&value.len()) && value.iter().all(allowed);
    fits.then(|| CString::new(value).ok())?
}

fn read_flag(value: &[u8]) -> Option<bool> {
    match value {
        [flag @ (0 | 1)] => Some(*flag == 1),
        _ => None,
    }
}

fn read_depth(value: &[u8]) -> Option<u32> {
    let depth = u32::from_le_bytes(value.try_into().ok()?);
    (1..=MAX_DEPTH).contains(&depth).then_some(depth)
}
