//! On whose behalf a filter runs.

use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_log_t};
use wick_abi::attempt::Info;
use wick_native::log;
use wick_native::request::Request;

use crate::upstream::peer::Peer;

/// The callback that runs, and what it may touch. An instance has one that names a request only while the callback runs.
#[derive(Clone, Copy)]
pub struct Current {
    pub step: Step,
    /// Index in `MainConf::roots`.
    pub root: usize,
    /// The id that the callback was given.
    pub context: u32,
    request: Option<NonNull<ngx_http_request_t>>,
    /// In upstream steps.
    peer: Option<NonNull<Peer<'static>>>,
    /// In the step that tells how an attempt ended.
    ending: Option<NonNull<Info>>,
}

impl Current {
    pub const NONE: Current =
        Current { step: Step::Idle, root: 0, context: 0, request: None, peer: None, ending: None };

    /// A callback that is about no request.
    pub fn without_request(step: Step, root: usize, context: u32) -> Current {
        Current { step, root, context, ..Current::NONE }
    }

    /// That of the request, or of nginx.
    pub fn log(&self) -> *mut ngx_log_t {
        // SAFETY: used at once, while the callback runs.
        unsafe { self.request() }.map_or_else(log::of_cycle, |r| r.log())
    }

    pub fn about(self, r: Request<'_>) -> Current {
        Current { request: NonNull::new(r.as_ptr()), ..self }
    }

    pub fn with_peer(self, peer: &Peer<'_>) -> Current {
        Current { peer: Some(NonNull::from(peer).cast()), ..self.about(peer.request) }
    }

    pub fn with_ending(self, info: &Info) -> Current {
        Current { ending: Some(NonNull::from(info)), ..self }
    }

    /// # Safety
    /// As for [`Current::request`].
    #[inline]
    pub unsafe fn ending<'r>(&self) -> Option<&'r Info> {
        // SAFETY: the caller's promise; whoever calls the filter keeps it as long.
        self.ending.map(|info| unsafe { info.as_ref() })
    }

    /// # Safety
    /// The callback does not return before `'r` ends.
    #[inline]
    pub unsafe fn request<'r>(&self) -> Option<Request<'r>> {
        // SAFETY: the caller's promise; a request outlives the callbacks that are about it.
        self.request.map(|r| unsafe { Request::from_raw(r.as_ptr()) })
    }

    /// # Safety
    /// As for [`Current::request`].
    #[inline]
    pub unsafe fn peer<'r>(&self) -> Option<&'r Peer<'r>> {
        // SAFETY: the caller's promise; a peer lives in its request's pool.
        self.peer.map(|peer| unsafe { peer.cast().as_ref() })
    }
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
