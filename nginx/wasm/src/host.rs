//! The functions that a filter may import. Each reads the filter's memory, checks its arguments, acts
//! and writes back; none ends, sends or redirects a request: they note what is wanted, and whoever
//! called the filter does it afterwards.
//!
//! A family of functions is one file with a `link`; it works on the filter's memory (`guest`) and on what the host keeps for
//! the instance (`state`). What no request is needed for is in the crate `wick_guest`.

mod assemblyscript;
mod buffers;
mod cookies;
pub mod current;
mod embedder;
mod expand;
mod foreign;
pub mod guest;
mod headers;
pub mod local_response;
pub mod patterns;
mod policies;
mod properties;
pub mod property;
mod response;
mod shared_data;
mod slots;
pub mod state;
pub mod templates;
mod tick;
mod upstream;
mod watched;

use wasmtime::Linker;
use wick_abi::Status;
use wick_guest::{log, unimplemented, wasi};

use self::state::Host;

/// Defines every import of Proxy-Wasm 0.2.1, of the upstream-selection proposal, and what AssemblyScript and WASI add.
pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    log::link(linker)?;
    tick::link(linker)?;
    buffers::link(linker)?;
    headers::link(linker)?;
    properties::link(linker)?;
    response::link(linker)?;
    shared_data::link(linker)?;
    upstream::link(linker)?;
    foreign::link(linker)?;
    assemblyscript::link(linker)?;
    wasi::link(linker)?;
    unimplemented::link(linker, unimplemented::NOWHERE, Status::Unimplemented)?;
    unimplemented::link(linker, unimplemented::QUEUES, Status::Unimplemented)
}
