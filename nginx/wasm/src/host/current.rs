//! On whose behalf a filter runs.

use std::ptr::NonNull;

use ngx::ffi::ngx_log_t;
use wick_abi::attempt::Info;
use wick_native::log;
use wick_native::request::Request;

use crate::attempts::peer::Peer;
use crate::subject::Subject;

/// The callback that runs, and what it may touch. An instance has one that names a subject only while the callback runs.
#[derive(Clone, Copy)]
pub struct Current {
    pub step: Step,
    /// Index in `MainConf::roots`.
    pub root: usize,
    /// The id that the callback was given.
    pub context: u32,
    subject: Option<Subject<'static>>,
    /// In upstream steps.
    peer: Option<NonNull<Peer<'static>>>,
    /// In the step that tells how an attempt ended.
    ending: Option<NonNull<Info>>,
}

impl Current {
    pub const NONE: Current =
        Current { step: Step::Idle, root: 0, context: 0, subject: None, peer: None, ending: None };

    /// A callback that is about no request and no session.
    pub fn without_subject(step: Step, root: usize, context: u32) -> Current {
        Current { step, root, context, ..Current::NONE }
    }

    /// That of the subject, or of nginx.
    pub fn log(&self) -> *mut ngx_log_t {
        // SAFETY: used at once, while the callback runs.
        unsafe { self.subject() }.map_or_else(log::of_cycle, Subject::log)
    }

    /// The callback has returned.
    #[inline]
    pub fn end(&mut self) {
        (self.step, self.subject, self.peer, self.ending) = (Step::Idle, None, None, None);
    }

    #[inline]
    pub fn about(self, subject: Subject<'_>) -> Current {
        // SAFETY: who takes it out promises that it is still there.
        Current { subject: Some(unsafe { subject.with_lifetime() }), ..self }
    }

    pub fn with_peer(self, peer: &Peer<'_>) -> Current {
        Current { peer: Some(NonNull::from(peer).cast()), ..self.about(peer.subject) }
    }

    pub fn with_ending(self, info: &Info) -> Current {
        Current { ending: Some(NonNull::from(info)), ..self }
    }

    /// # Safety
    /// As for [`Current::subject`].
    #[inline]
    pub unsafe fn ending<'r>(&self) -> Option<&'r Info> {
        // SAFETY: the caller's promise; it is kept as long as the filter is called.
        self.ending.map(|info| unsafe { info.as_ref() })
    }

    /// # Safety
    /// The callback does not return before `'r` ends.
    #[inline]
    pub unsafe fn subject<'r>(&self) -> Option<Subject<'r>> {
        // SAFETY: the caller's promise; a subject outlives the callbacks that are about it.
        self.subject.map(|subject| unsafe { subject.with_lifetime() })
    }

    /// `None`: the callback is about no request.
    ///
    /// # Safety
    /// As for [`Current::subject`].
    #[inline]
    pub unsafe fn request<'r>(&self) -> Option<Request<'r>> {
        // SAFETY: the caller's promise.
        unsafe { self.subject() }.and_then(Subject::request)
    }

    /// # Safety
    /// As for [`Current::subject`].
    #[inline]
    pub unsafe fn peer<'r>(&self) -> Option<&'r Peer<'r>> {
        // SAFETY: the caller's promise; a peer lives in its subject's pool.
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
