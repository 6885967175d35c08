//! TLS towards backends.

use std::ffi::CString;

use wick_wire::{
    Fields, RecordError, backend_tls, ciphers, id, mark, max, numbers, text, words::tls_version,
};

/// How a backend is spoken to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BackendTls {
    /// Id of what its certificate is verified against; `None`: it is not looked at.
    pub authority: Option<Box<[u8]>>,
    /// As nginx's `proxy_ssl_verify_depth`; 1 to 100.
    pub depth: u32,
    /// Host names, addresses and URIs, one of which the certificate has to have as alternative name, in the place of the name that is sent.
    pub alternative_names: Box<[Box<[u8]>]>,
    /// Id of the pair that it is shown.
    pub certificate: Option<Box<[u8]>>,
    pub sends_name: bool,
    /// `None`: as nginx has them.
    pub ciphers: Option<CString>,
    /// The only one; `None`: 1.2 and 1.3.
    pub version: Option<TlsVersion>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TlsVersion {
    V1_2,
    V1_3,
}

/// As nginx has it.
const DEFAULT_DEPTH: u32 = 1;

impl BackendTls {
    /// # Errors: `Critical` when something in it must be understood and is not; `Field` as of any record.
    pub fn read(bytes: &[u8]) -> Result<BackendTls, RecordError> {
        let mut read = BackendTls::default();
        let mut names = Vec::new();
        for field in Fields::new(bytes) {
            let field = field?;
            match field.id {
                backend_tls::AUTHORITY => read.authority = Some(id(field.value)?),
                backend_tls::DEPTH => read.depth = numbers::DEPTH.read(field.value)? as u32,
                backend_tls::ALTERNATIVE_NAMES => names.push(text(field.value)?),
                backend_tls::CERTIFICATE => read.certificate = Some(id(field.value)?),
                backend_tls::SENDS_NAME => read.sends_name = mark(field.value)?,
                backend_tls::CIPHERS => read.ciphers = Some(ciphers(field.value)?),
                backend_tls::VERSION => read.version = Some(version(field.value)?),
                _ => field.skip()?,
            }
        }
        read.alternative_names = names.into();
        let fits = read.alternative_names.len() <= max::STREAM_LINES;
        if fits { Ok(read) } else { Err(RecordError::Field) }
    }
}

impl Default for BackendTls {
    fn default() -> BackendTls {
        BackendTls {
            authority: None,
            depth: DEFAULT_DEPTH,
            alternative_names: Box::default(),
            certificate: None,
            sends_name: false,
            ciphers: None,
            version: None,
        }
    }
}

fn version(bytes: &[u8]) -> Result<TlsVersion, RecordError> {
    match bytes {
        [tls_version::TLSV1_2] => Ok(TlsVersion::V1_2),
        [tls_version::TLSV1_3] => Ok(TlsVersion::V1_3),
        _ => Err(RecordError::Field),
    }
}
