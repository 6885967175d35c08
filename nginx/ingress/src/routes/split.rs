//! Which of a route's weighted backends serves a request, and what that changes.

use std::cell::Cell;
use std::rc::Rc;

use wick_routes::{Route, Split, Spread, WeightedBackend};

use super::actions::ReadyActions;
use super::locations::{Location, Locations};
use super::overrides::LocConfs;
use crate::headers::RouteHeaders;
use crate::literals::Literals;
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
    /// `None`: the route's.
    pub location: Option<Location>,
    /// As of a route.
    pub patched: Cell<Option<LocConfs>>,
    /// In the place of the route's.
    pub variables: Literals,
    /// `None`: nothing is done but what the route says.
    pub actions: Option<Box<ReadyActions>>,
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

impl<'h> Drawn<'h> {
    /// One of several backends.
    #[inline]
    pub fn one(self) -> Option<(&'h WeightedBackend, &'h Share)> {
        match self {
            Drawn::One(backend, share) => Some((backend, share)),
            Drawn::Whole | Drawn::Nothing => None,
        }
    }
}

/// This configuration has no location of a name that is needed.
pub struct NoLocation;

impl Share {
    fn of(
        route: &Route,
        backend: &WeightedBackend,
        locations: &Locations,
    ) -> Result<Share, NoLocation> {
        let find = |name| locations.get(name).ok_or(NoLocation);
        let actions = backend.actions.as_deref();
        Ok(Share {
            slot: Slot::default(),
            headers: RouteHeaders::with(route, actions),
            location: backend.location.as_deref().map(find).transpose()?,
            patched: Cell::new(None),
            variables: Literals::of(&backend.variables),
            actions: ReadyActions::of(actions, |name| locations.get(name)),
        })
    }
}

impl SplitTarget {
    /// # Errors: `NoLocation`
    pub fn of(
        route: &Route,
        split: &Split,
        locations: &Locations,
    ) -> Result<Box<SplitTarget>, NoLocation> {
        let shares = split.backends.iter().map(|backend| Share::of(route, backend, locations));
        let shares = shares.collect::<Result<_, _>>()?;
        let [start] = random::words().unwrap_or_default();
        Ok(Box::new(SplitTarget { spread: Spread::new(start), shares }))
    }

    /// The backend of one more request.
    pub fn draw<'h>(&'h self, split: &'h Split) -> Drawn<'h> {
        match split.at(self.spread.next()) {
            Some(place) => Drawn::One(&split.backends[place], &self.shares[place]),
            None => Drawn::Nothing,
        }
    }
}
