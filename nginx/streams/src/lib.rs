//! Ports of TCP and UDP, without nginx.
//!
//! In comes the record of a port as it lies in the shared zone (docs/wire.md 2, STREAM); out goes what it says. And from two
//! addresses the header of the PROXY protocol that an endpoint gets before all else.

mod name;
mod proxy_header;
mod server_names;
mod stream;
mod tls;

pub use name::{Name, Protocol};
pub use proxy_header::proxy_header;
pub use server_names::{ServerNames, Target};
pub use stream::{Numbers, ProxyVersion, Stream};
pub use tls::{BackendTls, Tls};
pub use wick_wire::RecordError;
