//! The routes of one host, ready to be searched.

use std::rc::Rc;

use wick_script::Script;
use wick_wire::RecordError;

use crate::client_certificate::ClientCertificate;
use crate::condition::Condition;
use crate::nesting::{self, Level, Levels, Plain};
use crate::patterns::Patterns;
use crate::record::{self, Record};
use crate::route::{PathMatch, Route};
use crate::tree::{Action, Found, Match, Tree};

/// What a search asks about the request, in the host's part `part`; 0 where it has none.
pub trait Asks {
    /// Why there is no answer, which ends the search.
    type Error;
    /// Whether the `nth` pattern of the record, which is this route's path, matches the path of the request.
    fn is_match(&mut self, part: usize, nth: usize, route: &Route) -> Result<bool, Self::Error>;
    /// Whether all conditions of a route hold, of which there is one at least.
    fn meets(
        &mut self,
        part: usize,
        route: usize,
        conditions: &[Condition],
    ) -> Result<bool, Self::Error>;
}

/// The routes of one host. A path is found as ingress-nginx and nginx find it: exact first, then the longest prefix if it is
/// final, then the first pattern that matches, then the longest prefix. Routes whose conditions do not hold are not there for the request.
#[derive(Clone, Debug)]
pub struct HostRoutes {
    client_certificate: Option<Box<ClientCertificate>>,
    alias_of: Option<Box<[u8]>>,
    listener: Option<Box<[u8]>>,
    script: Option<Rc<Script>>,
    parts: Box<[Box<[u8]>]>,
    routes: Box<[Route]>,
    tree: Tree,
    patterns: Patterns,
    /// Some prefixes are final.
    has_finals: bool,
    has_nested: bool,
}

impl HostRoutes {
    /// Reads the record of the host `name` (docs/wire.md 2).
    ///
    /// # Errors: when the bytes are not such a record, or one of a version that is not known; never panics.
    pub fn decode(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        let Record { client_certificate, alias_of, listener, script, parts, routes } =
            record::decode(name, record)?;
        let parts = parts.into();
        Ok(Self { client_certificate, alias_of, listener, script, parts, ..Self::of(routes) })
    }

    /// Reads the record of a part of the host `name`.
    ///
    /// # Errors: as `decode`.
    pub fn decode_part(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        Ok(Self::of(record::decode_part(name, record)?))
    }

    fn of(routes: Vec<Route>) -> Self {
        let (tree, patterns) = (Tree::new(&routes), Patterns::new(&routes));
        let (client_certificate, alias_of, listener, script, parts) =
            (None, None, None, None, Box::default());
        let has_finals =
            routes.iter().any(|route| route.path_match == PathMatch::StringPrefixFinal);
        let has_nested = routes.iter().any(|route| route.within.is_some());
        let routes = routes.into();
        Self {
            client_certificate,
            alias_of,
            listener,
            script,
            parts,
            routes,
            tree,
            patterns,
            has_finals,
            has_nested,
        }
    }

    /// The host whose routes are this one's. `None`: it has its own.
    pub fn alias_of(&self) -> Option<&[u8]> {
        self.alias_of.as_deref()
    }

    /// Whose host it is, of those listeners that share an address and a port. `None`: nobody asks.
    pub fn listener(&self) -> Option<&[u8]> {
        self.listener.as_deref()
    }

    /// What is run of a request before a route is looked for. `None`: nothing.
    pub fn script(&self) -> Option<&Rc<Script>> {
        self.script.as_ref()
    }

    /// Ids of the parts that have the host's routes. Empty: it has them itself.
    pub fn parts(&self) -> &[Box<[u8]>] {
        &self.parts
    }

    /// `None`: nothing is asked.
    #[inline]
    pub fn client_certificate(&self) -> Option<&ClientCertificate> {
        self.client_certificate.as_deref()
    }

    /// In the order of the record.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// How many routes have a pattern.
    pub fn patterns(&self) -> usize {
        self.patterns.len()
    }

    /// The route for `path`, the decoded and normalised path of a request. Of two routes with the same path and match whose
    /// conditions hold the first in the record counts. Takes O(log n) comparisons, one with the start of each pattern, and the
    /// conditions of those routes whose path it could be; nothing is allocated.
    ///
    /// Patterns are not all asked about, and none is where an exact route or a final prefix is found. The last answer was one about a pattern,
    /// and yes, if a pattern decided.
    ///
    /// # Errors: the first of `asks`; which route it would be is not known then.
    #[inline]
    pub fn find<A: Asks>(&self, path: &[u8], asks: &mut A) -> Result<Option<Match>, A::Error> {
        if self.tree.has_choices() {
            return self.find_slowly(path, asks);
        }
        let prefix = match self.tree.find(path) {
            Found::Exact(exact) => return Ok(Some(exact)),
            Found::Prefix(prefix) if self.has_finals && self.is_final(prefix.route) => {
                return Ok(Some(prefix));
            }
            Found::Prefix(prefix) => Some(prefix),
            Found::Nothing => None,
        };
        Ok(self.find_pattern(0, path, asks)?.or(prefix))
    }

    #[inline(never)] // Most hosts have neither conditions nor locations within others: theirs is the straight way.
    fn find_slowly<A: Asks>(&self, path: &[u8], asks: &mut A) -> Result<Option<Match>, A::Error> {
        if self.has_nested {
            return nesting::find(&mut Within { routes: self, path, asks });
        }
        let is_there = |route| self.meets(0, route as usize, asks);
        let prefix = match self.tree.find_where(path, is_there)? {
            Found::Exact(exact) => return Ok(Some(exact)),
            Found::Prefix(prefix) if self.has_finals && self.is_final(prefix.route) => {
                return Ok(Some(prefix));
            }
            Found::Prefix(prefix) => Some(prefix),
            Found::Nothing => None,
        };
        if self.patterns.len() == 0 {
            return Ok(prefix);
        }
        Ok(self.find_pattern_at(None, 0, path, asks)?.or(prefix))
    }

    /// What answers when no pattern does. This is part `part`.
    #[inline]
    pub(crate) fn find_plain<A: Asks>(
        &self,
        part: usize,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Found, A::Error> {
        if self.tree.has_choices() {
            return self.find_plain_at(None, part, path, asks);
        }
        Ok(self.tree.find(path))
    }

    /// Whether some locations stand within others, so that levels are searched one by one.
    pub(crate) fn has_nested(&self) -> bool {
        self.has_nested
    }

    /// Whether no pattern is tried where this prefix is the longest.
    pub(crate) fn is_final(&self, route: usize) -> bool {
        self.routes[route].path_match == PathMatch::StringPrefixFinal
    }

    #[inline(never)]
    pub(crate) fn find_plain_at<A: Asks>(
        &self,
        level: Level<'_>,
        part: usize,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Found, A::Error> {
        match (self.tree.has_choices(), level) {
            (true, _) => {
                let is_there = |route| self.is_there(level, part, route as usize, asks);
                self.tree.find_where(path, is_there)
            }
            (false, None) => Ok(self.tree.find(path)),
            (false, Some(_)) => Ok(Found::Nothing),
        }
    }

    /// Whether the route stands in this level, and the request is one for it, as far as conditions say.
    pub(crate) fn is_there<A: Asks>(
        &self,
        level: Level<'_>,
        part: usize,
        route: usize,
        asks: &mut A,
    ) -> Result<bool, A::Error> {
        Ok(self.routes[route].is_at(level) && self.meets(part, route, asks)?)
    }

    /// Whether the request is one for the route `route` of this part, as far as conditions say.
    pub(crate) fn meets<A: Asks>(
        &self,
        part: usize,
        route: usize,
        asks: &mut A,
    ) -> Result<bool, A::Error> {
        let conditions = &self.routes[route].conditions;
        Ok(conditions.is_empty() || asks.meets(part, route, conditions)?)
    }

    /// The first route whose pattern matches. This is part `part`, and no location stands within another.
    #[inline]
    pub(crate) fn find_pattern<A: Asks>(
        &self,
        part: usize,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Option<Match>, A::Error> {
        // The pattern comes last: its groups are those of the latest match.
        let ask = |nth, route: usize| {
            Ok(self.meets(part, route, asks)? && asks.is_match(part, nth, &self.routes[route])?)
        };
        let found = self.patterns.find(path, ask)?;
        Ok(found.map(|route| Match { route, action: Action::Enter }))
    }

    /// The same of those that stand in this level.
    #[inline(never)]
    pub(crate) fn find_pattern_at<A: Asks>(
        &self,
        level: Level<'_>,
        part: usize,
        path: &[u8],
        asks: &mut A,
    ) -> Result<Option<Match>, A::Error> {
        let ask = |nth, route: usize| {
            Ok(self.is_there(level, part, route, asks)?
                && asks.is_match(part, nth, &self.routes[route])?)
        };
        let found = self.patterns.find(path, ask)?;
        Ok(found.map(|route| Match { route, action: Action::Enter }))
    }

    /// Asks about the pattern of this route of part `part` once more.
    pub(crate) fn ask_again<A: Asks>(
        &self,
        part: usize,
        route: usize,
        asks: &mut A,
    ) -> Result<(), A::Error> {
        let Some(nth) = self.patterns.nth(route) else { return Ok(()) };
        asks.is_match(part, nth, &self.routes[route]).map(|_| ())
    }

    /// The prefixes that `path` begins with: each one's route and length, the longest first.
    pub(crate) fn prefixes_of(&self, path: &[u8]) -> Vec<(u32, u32)> {
        self.tree.prefixes_of(path)
    }
}

/// The levels of one record.
struct Within<'r, 'a, A> {
    routes: &'r HostRoutes,
    path: &'a [u8],
    asks: &'a mut A,
}

impl<'r, A: Asks> Levels<'r> for Within<'r, '_, A> {
    type Place = Match;
    type Error = A::Error;

    fn plain(&mut self, level: Level<'r>) -> Result<Plain<Match>, A::Error> {
        Ok(match self.routes.find_plain_at(level, 0, self.path, self.asks)? {
            Found::Exact(found) => Plain::Exact(found),
            Found::Prefix(found) => Plain::Prefix(found),
            Found::Nothing => Plain::Nothing,
        })
    }

    fn pattern(&mut self, level: Level<'r>) -> Result<Option<Match>, A::Error> {
        self.routes.find_pattern_at(level, 0, self.path, self.asks)
    }

    fn route(&self, place: Match) -> &'r Route {
        &self.routes.routes[place.route]
    }

    fn ask_again(&mut self, place: Match) -> Result<(), A::Error> {
        self.routes.ask_again(0, place.route, self.asks)
    }
}
