//! Requests of HTTP: what they have to do with filters, and their upstreams.

pub mod chain;
pub mod conf;
pub mod filters;
pub mod phases;
mod request;
pub mod upstream;
pub mod upstream_select;
pub mod variables;
