//! What a session has of its port; in the session's pool.

use std::cell::Cell;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{NGX_STREAM_BAD_GATEWAY, ngx_event_handler_pt, ngx_msec_t, ngx_stream_session_t};
use wick_limits::Connection;
use wick_native::stream::session::Session;
use wick_streams::{Stream, Target};

use super::conf::{MODULE, draining_of, tls_of};
use super::counters::End;
use super::draining::Draining;
use super::ready::Ready;
use super::record::{Found, Record};
use super::reencryption::ReadyEndpoint;
use super::refusal::Refusal;
use super::route::StreamRoute;
use super::termination::Termination;
use crate::limits::LimitZone;
use crate::tls::ready::ReadyHost;

pub struct Kept<'s> {
    pub route: &'s StreamRoute,
    pub record: Rc<Record>,
    /// As it was when the session began: it stays with that.
    pub found: Found,
    pub refusal: Cell<Option<Refusal>>,
    /// It was counted when it began.
    has_begun: Cell<bool>,
    /// Given back at its end.
    pub connection: Cell<Option<(LimitZone, Connection)>>,
    /// Where it is forgotten at its end.
    drains: Cell<Option<(&'s Draining, NonNull<ngx_stream_session_t>)>>,
    /// What goes on with the session when what it waits for has come.
    pub resume: Cell<ngx_event_handler_pt>,
    /// What was waited for, whether it came or not.
    had: Cell<Option<Awaited>>,
    /// Of the record's names the one that the client asks for.
    pub name: Cell<Option<usize>>,
}

/// What a client sends first.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Awaited {
    ProxyHeader,
    ClientHello,
}

impl Drop for Kept<'_> {
    fn drop(&mut self) {
        if let Some((zone, connection)) = self.connection.get() {
            zone.give_back(connection);
        }
        if let Some((draining, session)) = self.drains.get() {
            draining.forget(session);
        }
    }
}

/// `None`: the session's server has no route.
#[inline]
pub fn kept(s: Session<'_>) -> Option<&Kept<'_>> {
    // SAFETY: what `begin` has set.
    unsafe { s.ctx::<Kept<'_>>(MODULE.get()).as_ref() }
}

impl<'s> Kept<'s> {
    /// `None`: out of memory.
    pub fn begin(s: Session<'s>, route: &'s StreamRoute) -> Option<&'s Kept<'s>> {
        let (record, found) = route.find(s, tls_of(s));
        let kept = s.pool().keep(Kept {
            route,
            record,
            found,
            refusal: Cell::new(None),
            has_begun: Cell::new(false),
            connection: Cell::new(None),
            drains: Cell::new(None),
            resume: Cell::new(None),
            had: Cell::new(None),
            name: Cell::new(None),
        })?;
        // SAFETY: it lives as long as the session.
        unsafe {
            s.set_ctx(MODULE.get(), kept);
            Some(kept.as_ref())
        }
    }

    /// `None`: nothing is known of the port, or it cannot be read.
    pub fn ready(&self) -> Option<&Ready> {
        self.found.as_deref()?.as_ref().ok()
    }

    /// What serves the session. `None`: nobody does.
    pub fn target(&self) -> Option<&Target> {
        self.ready()?.target(self.name.get())
    }

    /// The handshake that the client's TLS ends with. `None`: it does not end here.
    pub fn tls_host(&self, termination: &Termination) -> Option<Rc<ReadyHost>> {
        self.ready()?.tls_host(self.record.name, self.name.get(), termination)
    }

    /// What its endpoint is verified by.
    pub fn endpoint(&self) -> Option<&ReadyEndpoint> {
        self.ready()?.endpoint(self.name.get())
    }

    /// Of `tls_host`, as the zone has it now.
    pub fn tls_host_now(
        &self,
        s: Session,
        termination: &Termination,
        server_name: Option<&[u8]>,
    ) -> Option<Rc<ReadyHost>> {
        let (record, found) = self.route.find(s, tls_of(s));
        let ready = found.as_deref()?.as_ref().ok()?;
        ready.tls_host(record.name, ready.stream.names.find(server_name), termination)
    }

    /// Why it ended without an endpoint, if that is known.
    pub fn refusal(&self, s: Session) -> Option<Refusal> {
        let lacks_tls = || self.target().is_some_and(|target| target.tls.is_some()) && !s.has_tls();
        self.refusal.get().or_else(|| lacks_tls().then_some(Refusal::Handshake))
    }

    /// From here on it leaves an endpoint that is away, when the record's time is over.
    pub fn drain(&self, s: Session<'s>, drain_ms: u32) {
        let draining = draining_of(s);
        draining.watch(s, drain_ms, self.route.backends);
        self.drains.set(Some((draining, s.as_raw())));
    }

    /// What the client has to send before anything else happens.
    pub fn awaits(&self, s: Session) -> Option<Awaited> {
        let stream = &self.ready()?.stream;
        match (self.had.get(), lacks_proxy_header(stream, s)) {
            (None, true) => Some(Awaited::ProxyHeader),
            (None | Some(Awaited::ProxyHeader), false) if !stream.names.is_empty() => {
                Some(Awaited::ClientHello)
            }
            _ => None,
        }
    }

    /// What is waited for, or was last.
    pub fn had(&self) -> Option<Awaited> {
        self.had.get()
    }

    pub fn note(&self, had: Awaited) {
        self.had.set(Some(had));
    }

    pub fn count_begin(&self) {
        self.has_begun.set(true);
        self.record.counters.begun();
    }

    /// One that ended while it was waited for what it would send has not begun.
    pub fn count_end(&self, s: Session) {
        if !self.has_begun.get() {
            return;
        }
        let reached = s.attempts().iter().rfind(|it| it.connect_time != ngx_msec_t::MAX);
        let is_bad_gateway = s.status() == NGX_STREAM_BAD_GATEWAY as usize;
        let refusal = self.refusal(s);
        if let Some(why) = refusal.filter(|_| self.refusal.get().is_none()) {
            self.record.counters.refused(why);
        }
        self.record.counters.ended(&End {
            has_failed: refusal.is_none() && is_bad_gateway,
            received_bytes: s.received_bytes(),
            sent_bytes: s.connection().sent_bytes(),
            duration_ms: s.age_ms(),
            connect_ms: reached.map(|attempt| attempt.connect_time as u64),
        });
    }
}

/// Whether the client has not said where it comes from.
pub fn lacks_proxy_header(stream: &Stream, s: Session) -> bool {
    let c = s.connection();
    stream.accepts_proxy_protocol && c.is_stream() && !c.has_proxy_header()
}
