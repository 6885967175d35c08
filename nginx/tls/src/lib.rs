//! What the zones of certificates and passthroughs hold, and how connections begin, without nginx and without OpenSSL.
//!
//! In come the records of pairs, staples, authorities, TLS hosts and passthroughs as they lie in the shared zones
//! (docs/wire.md 2), what others say of TLS towards backends, the server name of a ClientHello, and the first bytes of a connection; out go their parts. What DER
//! means is not known here.

mod backend_tls;
mod client_hello;
mod host;
mod passthrough;
mod proxy_header;
mod server_name;
mod stored;

pub use backend_tls::{BackendTls, TlsVersion};
pub use client_hello::ClientHello;
pub use host::{ClientVerification, TlsHost, Verify};
pub use passthrough::Passthrough;
pub use proxy_header::ProxyHeader;
pub use server_name::{MAX_NAME_BYTES, name_in_extension, normalise};
pub use stored::{Authority, Pair, Staple};
pub use wick_wire::RecordError;
