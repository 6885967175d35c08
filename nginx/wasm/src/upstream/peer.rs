//! One request's use of an upstream: which filters to ask, what was tried, who serves the attempt at hand.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;

use ngx::ffi::{
    NGX_LOG_INFO, ngx_event_free_peer_pt, ngx_event_get_peer_pt, ngx_event_notify_peer_pt,
    ngx_event_save_peer_session_pt, ngx_event_set_peer_session_pt, ngx_http_request_t,
    ngx_http_upstream_conf_t, ngx_http_upstream_t, ngx_int_t,
};
use wick_abi::Callback;
use wick_abi::attempt::{MAX_TAGS, NO_TAG};
use wick_native::log;
use wick_native::request::Request;

use super::choice::Choice;
use super::fallback;
use super::target::Target;
use crate::conf::chain::Chain;
use crate::conf::select::SrvConf;
use crate::host::{Current, LocalResponse, Step, Timeouts, Wants};
use crate::instance::Instance;
use crate::request::State;
use crate::worker::{Unavailable, Worker};

pub struct Peer {
    pub request: Request,
    pub worker: &'static Worker,
    chain: &'static Chain,
    pub conf: &'static SrvConf,
    /// The upstream's own method, which ours stands before.
    pub original: Original,
    /// The location's configuration; an attempt with shorter timeouts uses a copy.
    base: *mut ngx_http_upstream_conf_t,
    attempts: Cell<u32>,
    pub serving: Cell<Serving>,
    /// What filters (and the fallback) chose so far, the latest first.
    choices: Cell<Option<NonNull<Choice>>>,
    /// Whether the newest of them belongs to the attempt at hand.
    chosen: Cell<bool>,
    /// The filter accepted the response that nginx would have retried.
    pub accepted: Cell<bool>,
    /// The protocol module's functions while ours stand before them, see `judge`.
    pub process_header: Cell<RequestHook>,
    pub reinit_request: Cell<RequestHook>,
}

pub type RequestHook = Option<unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t>;

#[derive(Clone, Copy)]
pub struct Original {
    pub data: *mut c_void,
    pub get: ngx_event_get_peer_pt,
    pub free: ngx_event_free_peer_pt,
    pub notify: ngx_event_notify_peer_pt,
    pub set_session: ngx_event_set_peer_session_pt,
    pub save_session: ngx_event_save_peer_session_pt,
}

/// Who chose the peer of the attempt at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Serving {
    /// The filter at this place of the chain.
    Filter {
        at: usize,
    },
    Fallback,
    Original,
}

pub enum Pick {
    Chosen(NonNull<Choice>),
    Respond(LocalResponse),
    /// The upstream's own method shall choose.
    None,
}

/// What `upstream.*` properties tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Address,
    Status,
    ConnectTime,
    HeaderTime,
    ResponseTime,
}

impl Peer {
    /// Made when nginx has set up the upstream's own method; `None`: out of memory.
    pub fn put(
        r: Request,
        chain: &'static Chain,
        worker: &'static Worker,
        conf: &'static SrvConf,
    ) -> Option<NonNull<Peer>> {
        // SAFETY: a live request with an upstream.
        let upstream = unsafe { r.upstream()?.as_ref() };
        let connection = &upstream.peer;
        let original = Original {
            data: connection.data,
            get: connection.get,
            free: connection.free,
            notify: connection.notify,
            set_session: connection.set_session,
            save_session: connection.save_session,
        };
        r.pool().put(Peer {
            request: r,
            worker,
            chain,
            conf,
            original,
            base: upstream.conf,
            attempts: Cell::new(0),
            serving: Cell::new(Serving::Original),
            choices: Cell::new(None),
            chosen: Cell::new(false),
            accepted: Cell::new(false),
            process_header: Cell::new(None),
            reinit_request: Cell::new(None),
        })
    }

    /// As if nothing was tried.
    #[cfg(feature = "measure")]
    pub fn rewind(&self) {
        self.attempts.set(0);
        self.choices.set(None);
    }

    /// Asks the filters, then the fallback if one of them could not answer.
    pub fn pick(&self) -> Pick {
        self.chosen.set(false);
        self.accepted.set(false);
        self.serving.set(Serving::Original);
        self.use_conf(self.base);
        let asked = self.ask();
        self.attempts.set(self.attempts.get() + 1);
        match asked {
            Ok(Some(local)) => Pick::Respond(local),
            Ok(None) => self.chosen_or_original(),
            Err(Unavailable) => self.fall_back(),
        }
    }

    fn chosen_or_original(&self) -> Pick {
        match self.choices.get().filter(|_| self.chosen.get()) {
            Some(choice) => Pick::Chosen(choice),
            None => {
                let line =
                    "no upstream selected in \"on_upstream_select\", calling original get_peer";
                log::write(
                    self.request.log(),
                    NGX_LOG_INFO as usize,
                    format_args!("[wasm] {line}"),
                );
                Pick::None
            }
        }
    }

    fn fall_back(&self) -> Pick {
        if let Some(counters) = self.worker.counters() {
            counters.fallback();
        }
        self.chosen.set(false);
        let endpoint = fallback::endpoint(self);
        match endpoint.and_then(|address| self.choose(&Target::new(&address))) {
            Some(()) => {
                self.serving.set(Serving::Fallback);
                self.choices.get().map_or(Pick::None, Pick::Chosen)
            }
            None => Pick::None,
        }
    }

    /// Runs select of all filters; the answer of one that answers the request itself.
    fn ask(&self) -> Result<Option<LocalResponse>, Unavailable> {
        for (at, root) in self.chain.roots.iter().enumerate() {
            if !self.worker.callbacks(*root).contains(Callback::UpstreamSelect) {
                continue;
            }
            let free = !self.chosen.get();
            let (wants, tag) =
                self.call(at, *root, Step::UpstreamSelect, |instance, context| {
                    instance.note_select(self);
                    instance.call(|exports| &exports.upstream_select, context)?;
                    Ok((std::mem::take(instance.wants()), instance.tag()))
                })?;
            if wants.local_response.is_some() {
                return Ok(wants.local_response);
            }
            if free && self.chosen.get() {
                self.set_tag(tag);
                self.serving.set(Serving::Filter { at });
            }
            if let Some(timeouts) = wants.timeouts {
                self.shorten(timeouts);
            }
        }
        Ok(None)
    }

    #[inline]
    fn call<R>(
        &self,
        at: usize,
        root: usize,
        step: Step,
        call: impl FnOnce(&mut Instance, i32) -> wasmtime::Result<R>,
    ) -> Result<R, Unavailable> {
        let context = match self.worker.callbacks(root).contains(Callback::Context) {
            true => self.state().ok_or(Unavailable)?.context(at)?,
            false => self.worker.root_id(root),
        };
        let (request, peer) = (Some(self.request), Some(NonNull::from(self)));
        let current = Current { step, root, context, request, peer };
        self.worker.call(current, |instance| call(instance, context as i32))
    }

    /// Tells the filter that chose the peer how the attempt ended. A fault here is none of the request's.
    pub fn inform(&self, at: usize, failed: bool) {
        let root = self.chain.roots[at];
        if !self.worker.callbacks(root).contains(Callback::UpstreamInfo) {
            return;
        }
        let tag = self.choice().map_or(NO_TAG, |choice| choice.tag);
        let _ = self.call(at, root, Step::UpstreamInfo, |instance, context| {
            instance.note_info(self.attempts.get() - 1, tag);
            instance.call(|exports| &exports.upstream_info, (context, i32::from(failed)))
        });
    }

    /// Asks the filter that chose the peer whether to accept a response that nginx would retry.
    pub fn judge(&self, status: i32) -> bool {
        let Serving::Filter { at } = self.serving.get() else { return false };
        let root = self.chain.roots[at];
        if !self.worker.callbacks(root).contains(Callback::NextUpstream) {
            return false;
        }
        let judged = self.call(at, root, Step::NextUpstream, |instance, context| {
            instance.call(|exports| &exports.next_upstream, (context, status))?;
            Ok(std::mem::take::<Wants>(instance.wants()).accept)
        });
        judged == Ok(true)
    }

    /// Notes `target` as this attempt's peer.
    pub fn choose(&self, target: &Target) -> Option<()> {
        let choice = Choice::put(self.request, target, self.choices.get())?;
        self.choices.set(Some(choice));
        self.chosen.set(true);
        Some(())
    }

    /// The peer of the attempt at hand, if a filter or the fallback chose it.
    pub fn choice(&self) -> Option<&Choice> {
        // SAFETY: choices live as long as the request.
        self.choices.get().filter(|_| self.chosen.get()).map(|choice| unsafe { choice.as_ref() })
    }

    fn set_tag(&self, tag: u32) {
        if let Some(choice) = self.choices.get() {
            // SAFETY: a choice of this request; no reference to it is held here.
            unsafe { (*choice.as_ptr()).tag = tag };
        }
    }

    /// The choices of earlier attempts, the latest first.
    pub fn earlier(&self) -> impl Iterator<Item = &Choice> {
        let latest = self.choices.get();
        // SAFETY: choices live as long as the request.
        std::iter::successors(latest.map(|c| unsafe { c.as_ref() }), |choice| {
            // SAFETY: as above.
            choice.previous.map(|previous| unsafe { previous.as_ref() })
        })
    }

    /// Number of the attempt at hand in select, from 0.
    pub fn attempt(&self) -> u32 {
        self.attempts.get()
    }

    /// Tags of earlier attempts, latest last.
    #[inline]
    pub fn earlier_tags<'a>(&self, tags: &'a mut [u32; MAX_TAGS]) -> &'a [u32] {
        let mut n = 0;
        for (place, choice) in tags.iter_mut().rev().zip(self.earlier()) {
            *place = choice.tag;
            n += 1;
        }
        &tags[MAX_TAGS - n..]
    }

    /// The request's state, made if need be.
    pub fn state(&self) -> Option<&'static State> {
        State::of(self.request, self.chain, self.worker)
    }

    fn upstream(&self) -> Option<NonNull<ngx_http_upstream_t>> {
        self.request.upstream()
    }

    pub fn is_tls(&self) -> bool {
        // SAFETY: the live request's upstream.
        self.upstream().is_some_and(|upstream| unsafe { upstream.as_ref() }.ssl() != 0)
    }

    /// Those in force for the attempt at hand.
    pub fn timeouts(&self) -> Timeouts {
        // SAFETY: an upstream always has a configuration.
        let conf = unsafe { self.upstream().map_or(self.base, |upstream| upstream.as_ref().conf) };
        // SAFETY: as above.
        unsafe { super::interned::timeouts_of(&*conf) }
    }

    fn shorten(&self, timeouts: Timeouts) {
        // SAFETY: the location's configuration lives as long as the worker.
        let copy = unsafe { self.worker.interned.shortened(&*self.base, timeouts) };
        self.use_conf(copy.map_or(self.base, |copy| copy.as_ptr()));
    }

    fn use_conf(&self, conf: *mut ngx_http_upstream_conf_t) {
        if let Some(upstream) = self.upstream() {
            // SAFETY: the live request's upstream; both configurations outlive it.
            unsafe { (*upstream.as_ptr()).conf = conf };
        }
    }

    /// What nginx measured in the attempt that just ended.
    pub fn fact(&self, fact: Fact) -> Option<Vec<u8>> {
        if fact == Fact::Address {
            return self.choice().map(|choice| choice.name().to_vec());
        }
        // SAFETY: the live request's upstream; its state is null before the first attempt.
        let state = unsafe { self.upstream()?.as_ref().state.as_ref()? };
        let value = match fact {
            Fact::Status => state.status,
            Fact::ConnectTime => state.connect_time,
            Fact::HeaderTime => state.header_time,
            _ => state.response_time,
        };
        let set = value != usize::MAX && (fact != Fact::Status || value != 0);
        set.then(|| value.to_string().into_bytes())
    }
}

impl Fact {
    pub fn named(name: &[u8]) -> Option<Fact> {
        Some(match name {
            b"address" => Fact::Address,
            b"status" => Fact::Status,
            b"connect_time" => Fact::ConnectTime,
            b"header_time" => Fact::HeaderTime,
            b"response_time" => Fact::ResponseTime,
            _ => return None,
        })
    }
}
