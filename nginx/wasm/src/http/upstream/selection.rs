//! One request's use of an upstream: its attempts, and what nginx's connection has of HTTP besides.

use std::cell::{Cell, OnceCell};
use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_http_upstream_conf_t, ngx_http_upstream_t, ngx_int_t};
use wick_abi::Address;
use wick_abi::attempt::NO_TIME;
use wick_native::bits;
use wick_native::request::Request;

use super::destination::Destination;
use super::idle::Idle;
use super::interned::Interned;
use super::original::Original;
use super::sessions::Sessions;
use super::transport::HTTP;
use crate::attempts::peer::{Peer, Serving};
use crate::conf::chain::Chain;
use crate::http::conf::SrvConf;
use crate::worker::Worker;

/// What nginx's connection of a request refers to; in the request's pool.
pub struct Selection<'r> {
    pub worker: &'static Worker,
    pub request: Request<'r>,
    pub peer: Peer<'r>,
    pub conf: &'r SrvConf,
    /// The upstream's own method, once it was needed.
    original: OnceCell<Original>,
    /// The location's configuration; an attempt with shorter timeouts uses a copy.
    base: *mut ngx_http_upstream_conf_t,
    /// Where the attempt at hand leads, as far as other requests may share that.
    destination: Cell<Option<Destination>>,
    /// The filter accepted the response that nginx would have retried.
    pub accepted: Cell<bool>,
    /// The protocol module's functions while ours are before them, see `judge`.
    pub process_header: Cell<RequestHook>,
    pub reinit_request: Cell<RequestHook>,
}

pub type RequestHook = Option<unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t>;

impl<'r> Selection<'r> {
    /// `None`: the request has no upstream.
    pub fn new(
        worker: &'static Worker,
        request: Request<'r>,
        chain: &'r Chain,
        conf: &'r SrvConf,
    ) -> Option<Selection<'r>> {
        // SAFETY: the live request's upstream.
        let upstream = unsafe { request.upstream()?.as_ref() };
        Some(Selection {
            worker,
            request,
            peer: Peer::new(request.into(), chain, &conf.upstream, &HTTP),
            conf,
            original: OnceCell::new(),
            base: upstream.conf,
            destination: Cell::new(None),
            accepted: Cell::new(false),
            process_header: Cell::new(None),
            reinit_request: Cell::new(None),
        })
    }

    /// The next attempt begins.
    #[inline]
    pub fn begin(&self) {
        self.destination.set(None);
        self.accepted.set(false);
        self.use_conf(self.base);
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
        if self.peer.serving.get() == Serving::Original { self.original() } else { None }
    }

    /// Notes where the attempt at hand leads; nothing for one that opens its own connection in the clear.
    #[inline]
    pub fn settle(&self, address: Address) {
        let is_shared = self.conf.idle.is_some() || self.peer.is_tls();
        let to = is_shared.then(|| Destination::of(self.request, address)).flatten();
        self.destination.set(to);
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

    /// Whether the response was measured but passed no filter: that of a subrequest whose body nginx only keeps.
    pub fn was_kept_in_memory(&self) -> bool {
        // SAFETY: the live request.
        let in_memory =
            unsafe { bits::request::SUBREQUEST_IN_MEMORY.is_set(self.request.as_ptr()) };
        let stopwatch = &self.peer.stopwatch;
        in_memory && stopwatch.read() != NO_TIME && !stopwatch.saw_head()
    }

    /// Gives the attempt at hand the timeouts that a filter wants, if one does.
    #[inline]
    pub fn shorten(&self) {
        if let Some(wanted) = self.peer.timeouts.take() {
            // SAFETY: the location's configuration lives as long as the worker.
            let copy = unsafe { self.worker.keep::<Interned>().shortened(&*self.base, wanted) };
            self.use_conf(copy.map_or(self.base, |copy| copy.as_ptr()));
        }
    }

    fn upstream(&self) -> Option<NonNull<ngx_http_upstream_t>> {
        self.request.upstream()
    }

    fn use_conf(&self, conf: *mut ngx_http_upstream_conf_t) {
        if let Some(upstream) = self.upstream() {
            // SAFETY: the live request's upstream; both configurations outlive it.
            unsafe { (*upstream.as_ptr()).conf = conf };
        }
    }
}
