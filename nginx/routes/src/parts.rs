//! The routes of a host that has so many that they come in parts (docs/wire.md 1, ROUTE_PART): which part answers a path.
//!
//! Each part is searched by itself. What is here costs as much as there are parts, not as there are routes, so that the
//! change of one route costs its part. Paths are in an order of their own, in which everything that begins with `/a/` lies
//! together, directly behind `/a`: bytes are compared, and a slash comes before all others.

use std::cmp::Ordering;

use wick_wire::RecordError;

use crate::bytes::common_bytes;
use crate::host::{Asks, HostRoutes};
use crate::nesting::{self, Level, Levels, Plain};
use crate::route::Route;
use crate::tree::{Found, Match, enter};

/// The first and the last of a part's exact paths and prefixes; `None` when all are patterns.
#[derive(Clone, Copy, Debug)]
pub struct Span(Option<[u32; 2]>);

impl Span {
    pub fn of(part: &HostRoutes) -> Self {
        let routes = part.routes();
        let mut plain = (0u32..).zip(routes).filter(|(_, route)| !route.path_match.is_pattern());
        let Some((index, _)) = plain.next() else { return Self(None) };
        let key = |index: u32| key(routes[index as usize].path());
        Self(Some(plain.fold([index; 2], |[first, last], (index, _)| {
            [
                if order(key(index), key(first)).is_lt() { index } else { first },
                if order(key(index), key(last)).is_gt() { index } else { last },
            ]
        })))
    }
}

/// Where the parts of a host begin.
#[derive(Clone, Debug)]
pub struct PartIndex {
    /// Of those with exact paths and prefixes, ascending.
    starts: Box<[Start]>,
    /// Those with patterns, in the order in which they are tried.
    patterned: Box<[u32]>,
    has_nested: bool,
}

#[derive(Clone, Debug)]
struct Start {
    part: u32,
    /// Of the first exact path or prefix, without slashes at its end.
    path: Box<[u8]>,
    /// Prefixes of earlier parts that `path` begins with, the shortest first; of equal ones the best last.
    around: Box<[Around]>,
}

#[derive(Clone, Copy, Debug)]
struct Around {
    part: u32,
    route: u32,
    len: u32,
}

/// A route that was found, and its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PartMatch {
    pub part: usize,
    /// Its route is counted within the part.
    pub found: Match,
}

impl PartIndex {
    /// # Errors: `Order` when the paths of one part do not lie behind those of the part before.
    pub fn new<'p>(
        parts: impl Iterator<Item = (&'p HostRoutes, &'p Span)>,
    ) -> Result<Self, RecordError> {
        let (mut starts, mut patterned) = (Vec::<Start>::new(), Vec::new());
        let mut has_nested = false;
        let mut before: Option<(u32, &HostRoutes, &[u8])> = None;
        for (part, (routes, span)) in (0..).zip(parts) {
            has_nested |= routes.has_nested();
            if routes.patterns() > 0 {
                patterned.push(part);
            }
            let Some(ends) = span.0 else { continue };
            let [first, last] = ends.map(|index| key(routes.routes()[index as usize].path()));
            let around = match before {
                None => Box::default(),
                Some((_, _, end)) if order(end, first).is_ge() => return Err(RecordError::Order),
                Some((part, routes, _)) => around(starts.last(), part, routes, first),
            };
            starts.push(Start { part, path: first.into(), around });
            before = Some((part, routes, last));
        }
        Ok(Self { starts: starts.into(), patterned: patterned.into(), has_nested })
    }

    /// The route for `path`, as [`HostRoutes::find`] would find it if all were in one record.
    ///
    /// # Errors: the first of `asks`.
    pub fn find<'p, A: Asks>(
        &self,
        part: impl Fn(usize) -> &'p HostRoutes,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Option<PartMatch>, A::Error> {
        let mut within = Within { index: self, part: &part, path, asks };
        if self.has_nested {
            return nesting::find(&mut within);
        }
        let prefix = match within.plain(None)? {
            Plain::Exact(found) => return Ok(Some(found)),
            Plain::Prefix(found) if part(found.part).is_final(found.found.route) => {
                return Ok(Some(found));
            }
            Plain::Prefix(found) => Some(found),
            Plain::Nothing => None,
        };
        Ok(within.pattern(None)?.or(prefix))
    }
}

/// The levels of a host in parts.
struct Within<'a, A, F> {
    index: &'a PartIndex,
    part: &'a F,
    path: &'a [u8],
    asks: &'a mut A,
}

impl<'p, A: Asks, F: Fn(usize) -> &'p HostRoutes> Levels<'p> for Within<'_, A, F> {
    type Place = PartMatch;
    type Error = A::Error;

    fn plain(&mut self, level: Level<'p>) -> Result<Plain<PartMatch>, A::Error> {
        let (starts, path) = (&self.index.starts, self.path);
        let behind = starts.partition_point(|start| order(&start.path, path).is_le());
        let Some(place) = behind.checked_sub(1) else { return Ok(Plain::Nothing) };
        let start = &starts[place];
        let index = start.part as usize;
        let at = |found| PartMatch { part: index, found };
        let routes = (self.part)(index);
        let found = match self.index.has_nested {
            false => routes.find_plain(index, path, self.asks)?,
            true => routes.find_plain_at(level, index, path, self.asks)?,
        };
        Ok(match found {
            Found::Exact(found) => Plain::Exact(at(found)),
            Found::Prefix(found) => Plain::Prefix(at(found)),
            Found::Nothing => start
                .around(level, self.part, path, self.asks)?
                .map_or(Plain::Nothing, Plain::Prefix),
        })
    }

    fn pattern(&mut self, level: Level<'p>) -> Result<Option<PartMatch>, A::Error> {
        for part in self.index.patterned.iter().map(|part| *part as usize) {
            let routes = (self.part)(part);
            let found = match self.index.has_nested {
                false => routes.find_pattern(part, self.path, self.asks)?,
                true => routes.find_pattern_at(level, part, self.path, self.asks)?,
            };
            if let Some(found) = found {
                return Ok(Some(PartMatch { part, found }));
            }
        }
        Ok(None)
    }

    fn route(&self, place: PartMatch) -> &'p Route {
        &(self.part)(place.part).routes()[place.found.route]
    }

    fn ask_again(&mut self, place: PartMatch) -> Result<(), A::Error> {
        (self.part)(place.part).ask_again(place.part, place.found.route, self.asks)
    }
}

impl Start {
    /// The longest of the prefixes around that stand in this level and whose conditions hold.
    fn around<'p, A: Asks>(
        &self,
        level: Level<'_>,
        part: &impl Fn(usize) -> &'p HostRoutes,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Option<PartMatch>, A::Error> {
        let common = common_bytes(&self.path, path);
        let begins = |around: &&Around| around.len as usize <= common;
        for around in self.around.iter().rev().filter(begins) {
            let (index, route) = (around.part as usize, around.route);
            if part(index).is_there(level, index, route as usize, asks)? {
                return Ok(Some(PartMatch { part: index, found: enter(route) }));
            }
        }
        Ok(None)
    }
}

/// The prefixes around `first`, with which the next part begins: some of those around the part before, and of that part's own.
fn around(before: Option<&Start>, part: u32, routes: &HostRoutes, first: &[u8]) -> Box<[Around]> {
    let outer = before.into_iter().flat_map(|start| {
        let common = common_bytes(&start.path, first);
        start.around.iter().filter(move |around| around.len as usize <= common).copied()
    });
    let own = routes.prefixes_of(first).into_iter().rev();
    outer.chain(own.map(|(route, len)| Around { part, route, len })).collect()
}

/// What decides about a route's place.
fn key(path: &[u8]) -> &[u8] {
    let slashes = path.iter().rev().take_while(|byte| **byte == b'/').count();
    &path[..path.len() - slashes]
}

fn order(a: &[u8], b: &[u8]) -> Ordering {
    let common = common_bytes(a, b);
    let rank = |byte: &u8| if *byte == b'/' { 0 } else { u16::from(*byte) + 1 };
    a.get(common).map(rank).cmp(&b.get(common).map(rank))
}
