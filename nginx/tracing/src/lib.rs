//! Tracing of requests: who a request belongs to, whether it is recorded, and where finished spans wait for the exporter.
//!
//! In come headers of clients, which nobody should trust, and what is known of a request at its end; out come the header for
//! the backend, and a ring of spans in memory that all processes map. A request that is not sampled writes nothing there. The crate knows
//! neither nginx nor Wasm, and sends nothing anywhere.

mod b3;
mod context;
mod hex;
mod ring;
mod sampler;
mod span;
mod tracestate;

pub use b3::{B3, B3_BYTES, Decision, Several};
pub use context::{Context, Parent, TRACEPARENT_BYTES, TraceId};
pub use hex::digits;
pub use ring::{Page, Ring};
pub use sampler::{Root, Sampler};
pub use span::{Attempt, Head, Kind, SpanWriter, Text};
pub use tracestate::is_tracestate;
