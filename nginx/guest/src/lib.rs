//! Hosting of Proxy-Wasm guests: filters of the nginx module and balancing policies alike.
//!
//! A host brings what it keeps for an instance ([`Embedder`]) and the functions that are about its own proxy; here is what every
//! host needs: checked access to a guest's memory, calls with a deadline, limits of what an instance takes, and the imports that
//! are about no proxy. The crate knows neither nginx nor Kubernetes, and no request.
//!
//! From what knows little to what knows much: `answer` and `embedder` are the vocabulary, `guest` is an instance's memory as host
//! functions see it, `define` how these are made, `sandbox` an instance as its owner sees it, `exports` what is called there,
//! `deadline` how long that may take.
//! `log`, `wasi`, `assemblyscript` and `unimplemented` are imports. `compiled` and `kept` are machine code on disk.

pub mod answer;
pub mod assemblyscript;
pub mod compiled;
pub mod deadline;
pub mod define;
pub mod embedder;
pub mod exports;
pub mod guest;
pub mod kept;
pub mod log;
pub mod sandbox;
mod system;
pub mod unimplemented;
pub mod wasi;

pub use answer::{Answer, Failure};
pub use embedder::{Embedder, Parts, Taken};
pub use guest::{Guest, range, range_mut};
pub use sandbox::Sandbox;
