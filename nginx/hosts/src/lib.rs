//! Host to record: how requests and TLS handshakes find what a shared zone says of their host.
//!
//! In comes the name of a host; out goes what was made of its record, else of its wildcard's, else of the one for every
//! other host. Requests that come in by a [`Listener`] with hosts of its own see those and no others. [`Hosts`] is what one worker knows of all records. What a record means is its reader's matter.

mod authority;
mod candidates;
mod hosts;
mod listener;
mod recent;
mod seeded;
mod versions;

pub use authority::is_host;
pub use hosts::{Hosts, Prepare, ReadOther, Records};
pub use listener::Listener;
pub use seeded::Seeded;
