//! The record of a TLS host: what a handshake for its server names gets.

use std::ffi::CString;

use wick_wire::{Field, Fields, RecordError, ciphers, fields, id, max, numbers, tls_host, words};

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
    /// Which listener handshakes are for, of those that share an address and a port.
    pub listener: Option<Box<[u8]>>,
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

/// As nginx's `ssl_verify_client`, but for the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Verify {
    On = 1,
    Optional = 2,
    OptionalNoCa = 3,
    /// A handshake ends that brings no certificate, or none that holds.
    Required = 4,
}

impl TlsHost {
    /// Fields that are not known are passed over.
    ///
    /// # Errors: when the bytes are not such a record, or a field that is not known is critical; never panics.
    pub fn decode(record: &[u8]) -> Result<Self, RecordError> {
        Self::of_fields(fields(tls_host::VERSION, record)?)
    }

    /// The same of fields that stand in another record.
    ///
    /// # Errors: as for [`TlsHost::decode`].
    pub fn of_fields(fields: Fields) -> Result<Self, RecordError> {
        let mut parts = Parts::default();
        for field in fields {
            parts.set(field?)?;
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
    listener: Option<Box<[u8]>>,
}

impl Parts {
    fn set(&mut self, field: Field) -> Result<(), RecordError> {
        let value = field.value;
        match field.id {
            tls_host::CERTIFICATES => self.certificates.push(id(value)?),
            tls_host::CIPHERS => self.ciphers = Some(ciphers(value)?),
            tls_host::PREFER_SERVER_CIPHERS => self.prefer_server_ciphers = Some(read_flag(value)?),
            tls_host::AUTHORITY => self.authority = Some(id(value)?),
            tls_host::VERIFY => self.verify = Some(Verify::read(value)?),
            tls_host::DEPTH => self.depth = Some(numbers::DEPTH.read(value)? as u32),
            tls_host::LISTENER => self.listener = Some(value.into()),
            _ => field.skip()?,
        }
        let fits = self.certificates.len() <= max::HOST_CERTIFICATES;
        if fits { Ok(()) } else { Err(RecordError::Field) }
    }

    fn host(self) -> Result<TlsHost, RecordError> {
        let Self { certificates, ciphers, prefer_server_ciphers, listener, .. } = self;
        let Self { authority, verify, depth, .. } = self;
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
        Ok(TlsHost { certificates, ciphers, prefer_server_ciphers, client, listener })
    }
}

impl Verify {
    fn read(value: &[u8]) -> Result<Self, RecordError> {
        match value {
            [words::verify::ON] => Ok(Self::On),
            [words::verify::OPTIONAL] => Ok(Self::Optional),
            [words::verify::OPTIONAL_NO_CA] => Ok(Self::OptionalNoCa),
            [words::verify::REQUIRED] => Ok(Self::Required),
            _ => Err(RecordError::Field),
        }
    }
}

fn read_flag(value: &[u8]) -> Result<bool, RecordError> {
    match value {
        [flag @ (0 | 1)] => Ok(*flag == 1),
        _ => Err(RecordError::Field),
    }
}
