//! Host and path to route: records and matching; no nginx, no Wasm.
//!
//! In comes the record of one host as it lies in the shared zone (docs/wire.md 2) and the path of a request; out goes
//! the route that serves it and what to do with it. [`Hosts`] is what one worker knows of all records. What a policy is,
//! where the bytes come from and how a route is entered are not known here.

mod buffers;
mod candidates;
mod fields;
mod host;
mod hosts;
mod overrides;
mod patterns;
mod recent;
mod record;
mod route;
mod seeded;
mod template;
mod tree;

pub use buffers::{Buffers, Own};
pub use host::{Action, HostRoutes, Match};
pub use hosts::{Hosts, Prepare, Records};
pub use overrides::{NextUpstream, Overrides};
pub use record::RecordError;
pub use route::{Header, PathMatch, Redirect, Route, Value, Variable};
pub use template::{Piece, Template};
