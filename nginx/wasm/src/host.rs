//! The functions that a filter may import. Each reads the filter's memory, checks its arguments, acts
//! and writes back; none ends, sends or redirects a request: they note what is wanted, and whoever
//! called the filter does it afterwards.

mod assemblyscript;
mod buffers;
mod cookies;
mod expand;
mod foreign;
mod headers;
mod patterns;
mod properties;
mod response;
mod runtime;
mod shared_data;
mod slots;
mod unimplemented;
mod upstream;
mod wasi;

use std::ptr::NonNull;

use wasmtime::{Linker, Memory, StoreLimits};
use wick_abi::Status;
use wick_native::request::Request;

use crate::guest::{Allocate, Guest};
use crate::upstream::{Peer, Targets};
use crate::worker::Worker;

pub use expand::Templates;
pub use patterns::Patterns;
pub use properties::Properties;
pub use response::LocalResponse;
pub use shared_data::Watched;
pub use upstream::Timeouts;

/// What the host functions of one instance work on.
pub struct Host {
    pub worker: &'static Worker,
    /// Index of its module.
    pub module: usize,
    pub limits: StoreLimits,
    pub memory: Option<Memory>,
    pub allocate: Option<Allocate>,
    /// On whose behalf the filter runs now.
    pub current: Current,
    /// What the callback at hand asked for; taken by whoever called it.
    pub wants: Wants,
    /// The zones from which this instance has read.
    pub watched: Vec<Watched>,
    pub properties: Properties,
    pub templates: Templates,
    pub patterns: Patterns,
    pub targets: Targets,
    /// Reused for values on their way from a zone to the filter.
    pub scratch: Vec<u8>,
}

/// The callback that runs, and what it may touch.
#[derive(Clone, Copy)]
pub struct Current {
    pub step: Step,
    /// Index in `MainConf::roots`.
    pub root: usize,
    /// The id that the callback was given.
    pub context: u32,
    pub request: Option<Request>,
    /// In upstream steps.
    pub peer: Option<NonNull<Peer>>,
}

impl Current {
    pub const NONE: Current =
        Current { step: Step::Idle, root: 0, context: 0, request: None, peer: None };
}

/// What a callback asked for.
#[derive(Default)]
pub struct Wants {
    pub local_response: Option<LocalResponse>,
    pub timeouts: Option<Timeouts>,
    /// `proxy_accept_upstream_response`
    pub accept: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    Idle,
    /// The start section and start-up functions.
    Instantiate,
    Start,
    Configure,
    SharedDataChanged,
    Tick,
    ContextCreate,
    RequestHeaders,
    RequestBody,
    ResponseHeaders,
    UpstreamSelect,
    NextUpstream,
    UpstreamInfo,
    Done,
    Log,
    Delete,
}

impl Step {
    /// The callback's name, for messages.
    pub fn name(self) -> &'static str {
        match self {
            Step::Idle => "no callback",
            Step::Instantiate => "instantiation",
            Step::Start => "proxy_on_vm_start",
            Step::Configure => "proxy_on_configure",
            Step::SharedDataChanged => "proxy_on_shared_data_changed",
            Step::Tick => "proxy_on_tick",
            Step::ContextCreate => "proxy_on_context_create",
            Step::RequestHeaders => "proxy_on_request_headers",
            Step::RequestBody => "proxy_on_request_body",
            Step::ResponseHeaders => "proxy_on_response_headers",
            Step::UpstreamSelect => "proxy_on_upstream_select",
            Step::NextUpstream => "proxy_on_next_upstream",
            Step::UpstreamInfo => "proxy_on_upstream_info",
            Step::Done => "proxy_on_done",
            Step::Log => "proxy_on_log",
            Step::Delete => "proxy_on_delete",
        }
    }
}

/// Why a host function did not do what it was asked.
pub enum Failure {
    /// The filter is told.
    Status(Status),
    /// The filter is stopped.
    Trap(wasmtime::Error),
}

impl From<Status> for Failure {
    fn from(status: Status) -> Failure {
        Failure::Status(status)
    }
}

impl From<wasmtime::Error> for Failure {
    fn from(error: wasmtime::Error) -> Failure {
        Failure::Trap(error)
    }
}

pub type Answer = Result<(), Failure>;

/// Defines host functions that take i32s and return a status: `"name"(argument, …) => function`.
macro_rules! define {
    ($linker:ident, $($name:literal ( $($argument:ident),* ) => $function:path;)+) => {
        $(
            $linker.func_wrap("env", $name, |caller: wasmtime::Caller<'_, $crate::host::Host> $(, $argument: i32)*| {
                #[allow(unused_mut)]
                let mut guest = $crate::guest::Guest(caller);
                $crate::host::status($function(&mut guest $(, $argument)*))
            })?;
        )+
    };
}
pub(crate) use define;

pub(crate) fn status(answer: Answer) -> wasmtime::Result<i32> {
    match answer {
        Ok(()) => Ok(Status::Ok as i32),
        Err(Failure::Status(status)) => Ok(status as i32),
        Err(Failure::Trap(error)) => Err(error),
    }
}

/// Defines every import of Proxy-Wasm 0.2.1, of the upstream-selection proposal, and what AssemblyScript and WASI add.
pub fn link(linker: &mut Linker<Host>) -> wasmtime::Result<()> {
    runtime::link(linker)?;
    buffers::link(linker)?;
    headers::link(linker)?;
    properties::link(linker)?;
    response::link(linker)?;
    shared_data::link(linker)?;
    upstream::link(linker)?;
    foreign::link(linker)?;
    assemblyscript::link(linker)?;
    wasi::link(linker)?;
    unimplemented::link(linker)
}

/// The request that the filter runs for; BAD_ARGUMENT outside of one.
fn request(guest: &mut Guest<'_>) -> Result<Request, Status> {
    guest.host().current.request.ok_or(Status::BadArgument)
}
