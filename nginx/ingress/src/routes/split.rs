//! Which of a route's weighted backends serves a request, and what that changes.

use std::rc::Rc;

use wick_native::headers::{Side, is_framing, remove, replace};
use wick_native::request::Request;
use wick_routes::{Header, Route, Split, Spread, WeightedBackend};

use crate::headers::RouteHeaders;
use crate::metrics::Slot;
use crate::random;

/// The backends of one route as a worker keeps them.
pub struct SplitTarget {
    spread: Spread,
    /// Parallel to `Split::backends`.
    shares: Box<[Share]>,
}

/// What one of them has of its own.
pub struct Share {
    /// Where its requests are counted.
    pub slot: Slot,
    /// Those of the route, too. `None`: neither has any.
    pub headers: Option<Rc<RouteHeaders>>,
}

/// What a request got.
#[derive(Clone, Copy)]
pub enum Drawn<'h> {
    /// The route has one backend.
    Whole,
    One(&'h WeightedBackend, &'h Share),
    /// All weights are 0.
    Nothing,
}

impl SplitTarget {
    /// `None`: the route has one backend.
    pub fn of(route: &Route) -> Option<Box<SplitTarget>> {
        let share = |backend: &WeightedBackend| Share {
            slot: Slot::default(),
            headers: RouteHeaders::with(route, &backend.response_headers),
        };
        let shares = route.split.as_deref()?.backends.iter().map(share).collect();
        let [start] = random::words().unwrap_or_default();
        Some(Box::new(SplitTarget { spread: Spread::new(start), shares }))
    }

    /// The backend of one more request.
    pub fn draw<'h>(&'h self, split: &'h Split) -> Drawn<'h> {
        match split.at(self.spread.next()) {
            Some(place) => Drawn::One(&split.backends[place], &self.shares[place]),
            None => Drawn::Nothing,
        }
    }
}

/// Gives the request the headers that its backend is to get. What frames it, or names its host, stays. `None`: out of memory.
pub fn put_headers(r: Request, headers: &[Header]) -> Option<()> {
    let is_free = |header: &&Header| !is_framing(&header.name) && !is_host(&header.name);
    headers.iter().filter(is_free).try_for_each(|Header { name, value }| {
        if value.is_empty() {
            remove(r, Side::Request, name);
            return Some(());
        }
        replace(r, Side::Request, name, value).ok()
    })
}

fn is_host(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"host")
}
