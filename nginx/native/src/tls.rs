//! OpenSSL as the ingress module needs it: owned certificates, keys and stores, and the handle of a connection.
//!
//! The symbols are those that nginx itself is linked with. Few enough calls are needed that a crate of bindings, which
//! would have to find the same library again, would cost more than these wrappers do.

mod alternative_names;
mod certificate;
mod client;
mod connection;
mod context;
mod digest;
mod endpoint;
mod failure;
mod names;
mod settings;
mod slot;
mod store;
mod verify_error;

pub use certificate::{Certificate, Chain, Crl, Key, is_ocsp_response};
pub use client::Client;
pub use connection::{Alert, Connection, Unverified};
pub use context::{Callbacks, ChooseProtocol, CipherCheck, Context, chained_client_hello};
pub use digest::{Digest, sha256};
pub use endpoint::{EndpointCallbacks, Owner, Shown};
pub use failure::Failure;
pub use names::Names;
pub use settings::{EndpointSettings, WantedSettings};
pub use slot::Slot;
pub use store::Store;
pub use verify_error::VerifyError;
