//! Sessions whose record says how long they stay on an endpoint that their backend has no more.
//!
//! While there are such sessions, backends are looked at every second: one load where none of them has changed. What is not among the endpoints of
//! its session's backend is away; when the record's time is over, nginx closes the session as it does when a worker has to go.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::pin::Pin;
use std::ptr::NonNull;

use ngx::ffi::{ngx_current_msec, ngx_stream_session_t};
use wick_abi::{Address, EndpointList};
use wick_hosts::Records;
use wick_native::stream::session::Session;
use wick_native::stream::variable;
use wick_native::text::bytes;
use wick_native::timer::Timer;
use wick_native::zone::SharedZone;

use crate::zone::OpenZone;

/// Where the records of backends lie (docs/wire.md 2).
const PREFIX: &[u8] = b"backends/";
const LOOK_MS: u64 = 1_000;

/// Of a worker, and one configuration.
#[derive(Default)]
pub struct Draining {
    sessions: RefCell<HashMap<NonNull<ngx_stream_session_t>, Staying>>,
    /// Opened with the first session.
    zone: OnceCell<OpenZone>,
    timer: OnceCell<Pin<Box<Timer<NonNull<Draining>>>>>,
    /// The zone's version at the last look.
    seen: Cell<u64>,
}

/// A session, and how long it stays.
struct Staying {
    drain_ms: u64,
    /// When its endpoint was found to be away.
    away_since: Option<u64>,
}

type Endpoints = HashSet<Address>;

impl Draining {
    /// `backends`: the zone that they lie in.
    pub fn watch(&self, s: Session, drain_ms: u32, backends: SharedZone) {
        self.zone.get_or_init(|| OpenZone::new(backends));
        let staying = Staying { drain_ms: drain_ms.into(), away_since: None };
        let mut sessions = self.sessions.borrow_mut();
        let is_first = sessions.is_empty();
        sessions.insert(s.as_raw(), staying);
        if is_first {
            self.seen.set(0);
            self.wait();
        }
    }

    /// A session has ended.
    pub fn forget(&self, session: NonNull<ngx_stream_session_t>) {
        self.sessions.borrow_mut().remove(&session);
    }

    fn wait(&self) {
        let timer = self.timer.get_or_init(Timer::new);
        timer.as_ref().set(LOOK_MS, look, NonNull::from(self));
    }

    /// Says which sessions have to go.
    fn look(&self) -> Vec<NonNull<ngx_stream_session_t>> {
        let Some(zone) = self.zone.get() else { return Vec::new() };
        let mut sessions = self.sessions.borrow_mut();
        let (version, now) = (zone.version(), now_ms());
        if self.seen.replace(version) != version {
            let mut known = HashMap::new();
            for (session, staying) in sessions.iter_mut() {
                // SAFETY: a session is forgotten before it ends.
                let s = unsafe { Session::from_raw(session.as_ptr()) };
                let is_away = is_away(s, zone, &mut known);
                staying.away_since = staying.away_since.or(Some(now)).filter(|_| is_away);
            }
        }
        let is_over = |staying: &Staying| {
            staying.away_since.is_some_and(|since| now.saturating_sub(since) >= staying.drain_ms)
        };
        sessions.iter().filter(|(_, staying)| is_over(staying)).map(|(s, _)| *s).collect()
    }
}

/// A second has passed.
fn look(draining: NonNull<Draining>) {
    // SAFETY: the timer is a part of it, and does not outlive it.
    let draining = unsafe { draining.as_ref() };
    for session in draining.look() {
        // Closing one may end others.
        if draining.sessions.borrow_mut().remove(&session).is_some() {
            // SAFETY: it was not forgotten, so it is live.
            unsafe { Session::from_raw(session.as_ptr()).close() };
        }
    }
    if !draining.sessions.borrow().is_empty() {
        draining.wait();
    }
}

/// A session that has no endpoint yet has none that could be away.
fn is_away(s: Session, zone: &OpenZone, known: &mut HashMap<Vec<u8>, Option<Endpoints>>) -> bool {
    let Some(attempt) = s.attempts().last().filter(|attempt| !attempt.peer.is_null()) else {
        return false;
    };
    // SAFETY: a peer's name lives as long as the session.
    let Ok(endpoint) = Address::parse(unsafe { bytes(*attempt.peer) }, 0) else { return false };
    let Some(backend) = backend(s) else { return false };
    let endpoints = known.entry(backend.to_vec()).or_insert_with(|| endpoints_of(backend, zone));
    endpoints.as_ref().is_some_and(|all| !all.contains(&endpoint))
}

/// A canary's where one took the session.
fn backend(s: Session<'_>) -> Option<&[u8]> {
    let named = |name| variable::named(s, name).filter(|backend| !backend.is_empty());
    named(b"proxy_alternative_upstream_name").or_else(|| named(b"proxy_upstream_name"))
}

/// None where there is no such backend; `None`: what is known of it cannot be read.
fn endpoints_of(backend: &[u8], zone: &OpenZone) -> Option<Endpoints> {
    let mut record = Vec::new();
    if !zone.read(&[PREFIX, backend].concat(), &mut record) {
        return Some(Endpoints::new());
    }
    let list = EndpointList::parse(&record).ok()?;
    Some(list.iter().map(|endpoint| endpoint.address).collect())
}

fn now_ms() -> u64 {
    // SAFETY: a word that nginx updates in this very thread.
    unsafe { ngx_current_msec as u64 }
}
