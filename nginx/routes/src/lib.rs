//! Host, path and conditions to route: records and matching; no nginx, no Wasm.
//!
//! In comes the record of one host as it lies in the shared zone (docs/wire.md 2) and the path of a request; out goes
//! the route that serves it and what to do with it. Whether patterns match and conditions hold is asked. What a named location is, how a record is found (wick-hosts) and how a route is
//! entered are not known here.

mod actions;
mod buffers;
mod bytes;
mod client_certificate;
mod condition;
mod cors;
mod host;
mod nesting;
mod overrides;
mod parts;
mod patterns;
mod query;
mod record;
mod route;
mod split;
mod tree;
mod values;
mod waf;

pub use actions::{Actions, HeaderEdits, Mirror, Replacement};
pub use buffers::{Buffers, Own};
pub use client_certificate::{ClientCertificate, Verify};
pub use condition::{Condition, Head, Subject, Wanted};
pub use cors::{Cors, Listed, Origins};
pub use host::{Asks, HostRoutes};
pub use overrides::{NextUpstream, Overrides};
pub use parts::{PartIndex, PartMatch, Span};
pub use route::{PathMatch, Redirect, Route, Tracing, Value, Variable};
pub use split::{Split, Spread, WeightedBackend};
pub use tree::{Action, Match};
pub use values::{Header, Literal};
pub use waf::Waf;
pub use wick_script::Script;
pub use wick_tls::{BackendTls, TlsVersion};
pub use wick_wire::{Piece, RecordError, Template};
