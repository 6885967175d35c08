//! Custom balancing policies: Wasm modules of somebody else that choose a backend's endpoints (docs/abi.md, Policies).
//!
//! In come a module's bytes and, for each attempt, what it may know ([`World`]); out come a place in the list of endpoints, or
//! why there is none. It knows neither nginx nor Kubernetes: the module of nginx runs policies with this crate, and the program
//! `wick-policy` tries them with it before anybody uses them, so that both mean the same.
//!
//! From what knows little to what knows much: `engine` is how code is compiled, `kept` how it lies on disk, `check` what may be a
//! policy at all; `imports` are the functions that it may call, on what `state` has; `instance` is one that runs.

mod abi;
pub mod check;
pub mod endpoints;
pub mod engine;
mod exports;
mod foreign;
mod guest;
pub mod imports;
pub mod instance;
pub mod kept;
mod numbers;
mod state;
pub mod trial;
mod unimplemented;
pub mod world;

pub use abi::{ABI_VERSION, needs};
pub use endpoints::{Endpoint, Endpoints, Zone};
pub use instance::{Code, Fault, Instance, Opened};
pub use world::{Number, Side, Swapped, World};
