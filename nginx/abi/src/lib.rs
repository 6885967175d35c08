//! The vocabulary of Proxy-Wasm: codes, header maps, property paths, addresses, and what docs/abi.md adds to it.
//!
//! In come bytes that a filter or a record wrote, which may be anything; out go borrowed, checked views, or an
//! error, never a panic. The crate knows neither nginx nor Wasm: callers have already found the bytes.

pub mod address;
pub mod attempt;
pub mod callbacks;
mod code;
pub mod codes;
pub mod cookie;
pub mod endpoints;
pub mod header_map;
pub mod memory;
pub mod property;
mod reader;
pub mod shared_data;
pub mod slots;
pub mod table;
pub mod template;

pub use address::{Address, AddressError, AddressText};
pub use callbacks::{Callback, CallbackSet, UnknownCallback};
pub use codes::{Action, Buffer, LogLevel, Map, Metric, Peer, Status, Stream, UnknownCode};
pub use endpoints::{Endpoint, EndpointList, RecordError};
pub use header_map::{HeaderMap, MapError};
pub use property::PropertyPath;
pub use reader::{Truncated, two};
