//! On whose behalf a filter runs.

use std::ptr::NonNull;

use wick_native::request::Request;

use crate::upstream::peer::Peer;

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
