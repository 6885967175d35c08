//! What TLS a session has: of the client, which ends here, and of the endpoint.

use wick_tls::TlsHost;
use wick_wire::{Fields, RecordError, id, max, numbers, stream_backend_tls, stream_tls, text};

/// With what the client's TLS ends here.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tls {
    pub host: TlsHost,
    /// Protocols, the best first, as a ClientHello has them: each behind a byte with its length (RFC 7301, 3.1). Empty: none is agreed upon.
    pub alpn: Box<[u8]>,
}

/// How the endpoint is spoken to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackendTls {
    /// Sent as server name, and what the certificate is for.
    pub server_name: Option<Box<[u8]>>,
    /// Id of what its certificate is verified against; `None`: it is not looked at.
    pub authority: Option<Box<[u8]>>,
    /// As nginx's `proxy_ssl_verify_depth`; 1 to 100.
    pub depth: u32,
    /// Host names, addresses and URIs, one of which the certificate has to have as alternative name, in the place of `server_name`.
    pub alternative_names: Box<[Box<[u8]>]>,
    /// Id of the pair that it is shown.
    pub certificate: Option<Box<[u8]>>,
}

/// As nginx has it.
const DEFAULT_DEPTH: u32 = 1;
const MAX_PROTOCOL_BYTES: usize = 255;

impl Tls {
    /// # Errors: these are not such fields.
    pub(crate) fn read(fields: &[u8]) -> Result<Tls, RecordError> {
        let host = TlsHost::of_fields(Fields::new(fields))?;
        let mut alpn = Vec::new();
        for field in Fields::new(fields) {
            let field = field?;
            if field.id == stream_tls::ALPN {
                if !(1..=MAX_PROTOCOL_BYTES).contains(&field.value.len()) {
                    return Err(RecordError::Field);
                }
                alpn.push(field.value.len() as u8);
                alpn.extend(field.value);
            }
        }
        Ok(Tls { host, alpn: alpn.into() })
    }
}

impl BackendTls {
    /// # Errors: these are not such fields.
    pub(crate) fn read(fields: &[u8]) -> Result<BackendTls, RecordError> {
        let mut read = BackendTls { depth: DEFAULT_DEPTH, ..BackendTls::default() };
        let mut names = Vec::new();
        for field in Fields::new(fields) {
            let field = field?;
            match field.id {
                stream_backend_tls::SERVER_NAME => read.server_name = Some(text(field.value)?),
                stream_backend_tls::AUTHORITY => read.authority = Some(id(field.value)?),
                stream_backend_tls::DEPTH => read.depth = numbers::DEPTH.read(field.value)? as u32,
                stream_backend_tls::ALTERNATIVE_NAMES => names.push(text(field.value)?),
                stream_backend_tls::CERTIFICATE => read.certificate = Some(id(field.value)?),
                _ => field.skip()?,
            }
        }
        read.alternative_names = names.into();
        let fits = read.alternative_names.len() <= max::STREAM_LINES;
        if fits { Ok(read) } else { Err(RecordError::Field) }
    }
}
