//! One request's use of an upstream: what was tried, who serves the attempt at hand, what it may take.

use std::cell::{Cell, OnceCell};
use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_conf_t, ngx_http_upstream_t, ngx_int_t};
use wick_abi::Address;
use wick_abi::attempt::{Chosen, MAX_TAGS, NO_TIME};
use wick_native::bits;
use wick_native::request::Request;
use wick_native::variable;

use super::choice::Choice;
use super::destination::Destination;
use super::idle::Idle;
use super::interned::Interned;
use super::original::Original;
use super::sessions::Sessions;
use super::target::Target;
use super::timeouts::Timeouts;
use crate::clock::Stopwatch;
use crate::conf::chain::Chain;
use crate::conf::upstream::SrvConf;
use crate::host::counted::Counted;

pub struct Peer<'r> {
    pub request: Request<'r>,
    pub(super) chain: &'r Chain,
    pub conf: &'r SrvConf,
    /// The upstream's own method, once it was needed.
    original: OnceCell<Original>,
    /// The location's configuration; an attempt with shorter timeouts uses a copy.
    pub(super) base: *mut ngx_http_upstream_conf_t,
    pub(super) attempts: Cell<u32>,
    pub serving: Cell<Serving>,
    /// What filters (and the fallback) chose so far, the latest first.
    pub(super) choices: Cell<Option<NonNull<Choice>>>,
    /// Whether the newest of them belongs to the attempt at hand.
    pub(super) chosen: Cell<bool>,
    /// Where it leads, as far as other requests may share that.
    destination: Cell<Option<Destination>>,
    /// The filter accepted the response that nginx would have retried.
    pub accepted: Cell<bool>,
    /// Runs while the filter that chose wants to know this attempt's times.
    pub stopwatch: Stopwatch,
    /// What the backend's policy noted of its latest choice, and whether it wants to hear how that ends.
    pub policy_note: Cell<u64>,
    pub policy_wants: Cell<bool>,
    /// The protocol module's functions while ours are before them, see `judge`.
    pub process_header: Cell<RequestHook>,
    pub reinit_request: Cell<RequestHook>,
}

pub type RequestHook = Option<unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t>;

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

/// What `upstream.*` properties tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fact {
    Address,
    Status,
    ConnectTime,
    HeaderTime,
    ResponseTime,
}

impl<'r> Peer<'r> {
    /// `None`: the request has no upstream.
    pub fn new(r: Request<'r>, chain: &'r Chain, conf: &'r SrvConf) -> Option<Peer<'r>> {
        // SAFETY: the live request's upstream.
        let upstream = unsafe { r.upstream()?.as_ref() };
        Some(Peer {
            request: r,
            chain,
            conf,
            original: OnceCell::new(),
            base: upstream.conf,
            attempts: Cell::new(0),
            serving: Cell::new(Serving::Original),
            choices: Cell::new(None),
            chosen: Cell::new(false),
            destination: Cell::new(None),
            accepted: Cell::new(false),
            stopwatch: Stopwatch::default(),
            policy_note: Cell::new(0),
            policy_wants: Cell::new(false),
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

    /// The upstream's own method, asked to prepare itself at the first call; `None`: out of memory.
    pub fn original(&self) -> Option<Original> {
        if self.original.get().is_none() {
            let _ = self.original.set(Original::begin(self.request, self.conf)?);
        }
        self.original.get().copied()
    }

    /// The same, while it serves the attempt at hand.
    pub fn serving_original(&self) -> Option<Original> {
        if self.serving.get() == Serving::Original { self.original() } else { None }
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

    /// Notes where the attempt at hand leads; nothing for one that opens its own connection in the clear.
    #[inline]
    pub(super) fn settle(&self, address: Address) {
        let is_shared = self.conf.idle.is_some() || self.is_tls();
        let to = is_shared.then(|| Destination::of(self.request, address)).flatten();
        self.destination.set(to);
    }

    pub(super) fn forget_destination(&self) {
        self.destination.set(None);
    }

    /// Where connections to the peer of the attempt at hand wait, if any do.
    #[inline]
    pub fn idle(&self) -> Option<(&'r Idle, Destination)> {
        // SAFETY: it lives as long as the configuration.
        Some((unsafe { self.conf.idle?.as_ref() }, self.destination.get()?))
    }

    /// The sessions of its kind, if the attempt at hand uses TLS.
    pub fn sessions(&self) -> Option<(&'r Sessions, Destination)> {
        let to = self.destination.get().filter(Destination::is_tls)?;
        // SAFETY: they live as long as the configuration.
        Some((unsafe { self.conf.sessions?.as_ref() }, to))
    }

    /// Keeps what the filter said of its choice.
    pub(super) fn keep(&self, said: Chosen) {
        if let Some(choice) = self.choices.get() {
            // SAFETY: a choice of this request; no reference to it is held here.
            unsafe { (*choice.as_ptr()).said = said };
        }
    }

    /// Keeps what the filter added to a gauge, if it chose the peer of the attempt at hand.
    pub(super) fn keep_counted(&self, counted: Counted) {
        if let Some(choice) = self.choices.get().filter(|_| self.chosen.get()) {
            // SAFETY: as above. Out of memory, nothing is taken back.
            unsafe { (*choice.as_ptr()).counted = self.request.pool().put(counted) };
        }
    }

    /// What the filter added to a gauge for the attempt at hand.
    pub(super) fn counted(&self) -> Option<Counted> {
        // SAFETY: in the request's pool.
        self.choice()?.counted.map(|counted| unsafe { *counted.as_ref() })
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

    /// What the upstream's `key=` says of this request.
    #[inline]
    pub fn key(&self) -> Option<&'r [u8]> {
        variable::at(self.request, self.conf.key?)
    }

    /// Tags of earlier attempts, latest last.
    #[inline]
    pub fn earlier_tags<'a>(&self, tags: &'a mut [u32; MAX_TAGS]) -> &'a [u32] {
        let mut n = 0;
        for (place, choice) in tags.iter_mut().rev().zip(self.earlier()) {
            *place = choice.said.tag;
            n += 1;
        }
        &tags[MAX_TAGS - n..]
    }

    /// The filter's note of the latest attempt, 0 before the first.
    #[inline]
    pub fn latest_note(&self) -> u64 {
        self.earlier().next().map_or(0, |choice| choice.said.note)
    }

    /// Whether the response was measured but passed no filter: that of a subrequest whose body nginx only keeps.
    pub(super) fn was_kept_in_memory(&self) -> bool {
        // SAFETY: the live request.
        let in_memory =
            unsafe { bits::request::SUBREQUEST_IN_MEMORY.is_set(self.request.as_ptr()) };
        in_memory && self.stopwatch.read() != NO_TIME && !self.stopwatch.saw_head()
    }

    fn upstream(&self) -> Option<NonNull<ngx_http_upstream_t>> {
        self.request.upstream()
    }

    pub fn is_tls(&self) -> bool {
        // SAFETY: the live request's upstream.
        self.upstream()
            .is_some_and(|upstream| unsafe { bits::upstream::SSL.is_set(upstream.as_ptr()) })
    }

    /// Those in force for the attempt at hand.
    pub fn timeouts(&self) -> Timeouts {
        // SAFETY: an upstream always has a configuration.
        let conf = unsafe { self.upstream().map_or(self.base, |upstream| upstream.as_ref().conf) };
        // SAFETY: as above.
        unsafe { Timeouts::of(&*conf) }
    }

    pub(super) fn shorten(&self, timeouts: Timeouts, interned: &Interned) {
        // SAFETY: the location's configuration lives as long as the worker.
        let copy = unsafe { interned.shortened(&*self.base, timeouts) };
        self.use_conf(copy.map_or(self.base, |copy| copy.as_ptr()));
    }

    pub(super) fn use_conf(&self, conf: *mut ngx_http_upstream_conf_t) {
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
