//! Host and path to route: records and matching; no nginx, no Wasm.
//!
//! In comes the record of one host as it lies in the shared zone (docs/wire.md 2) and the path of a request; out
//! goes the route that serves it and what to do with it. [`candidates`] names the records under which a requested
//! host may be found. What a policy is, where the bytes come from and how a route is entered are not known here.

pub mod candidates;
mod fields;
mod host;
mod overrides;
mod record;
mod route;
mod tree;

pub use host::{Action, HostRoutes, Match};
pub use overrides::Overrides;
pub use record::RecordError;
pub use route::{PathMatch, Route, Value};
