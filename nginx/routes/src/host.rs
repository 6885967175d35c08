//! The routes of one host, ready to be searched.

use wick_wire::RecordError;

use crate::client_certificate::ClientCertificate;
use crate::patterns::Patterns;
use crate::record::{self, Record};
use crate::route::Route;
use crate::tree::{Action, Found, Match, Tree};

/// The routes of one host. A path is found as ingress-nginx and nginx find it: exact first, then the first pattern that
/// matches, then the longest prefix.
#[derive(Clone, Debug)]
pub struct HostRoutes {
    client_certificate: Option<Box<ClientCertificate>>,
    alias_of: Option<Box<[u8]>>,
    parts: Box<[Box<[u8]>]>,
    routes: Box<[Route]>,
    tree: Tree,
    patterns: Patterns,
}

impl HostRoutes {
    /// Reads the record of the host `name` (docs/wire.md 2).
    ///
    /// # Errors: when the bytes are not such a record, or one of a version that is not known; never panics.
    pub fn decode(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        let Record { client_certificate, alias_of, parts, routes } = record::decode(name, record)?;
        Ok(Self { client_certificate, alias_of, parts: parts.into(), ..Self::of(routes) })
    }

    /// Reads the record of a part of the host `name`.
    ///
    /// # Errors: as `decode`.
    pub fn decode_part(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        Ok(Self::of(record::decode_part(name, record)?))
    }

    fn of(routes: Vec<Route>) -> Self {
        let (tree, patterns) = (Tree::new(&routes), Patterns::new(&routes));
        let (client_certificate, alias_of, parts) = (None, None, Box::default());
        Self { client_certificate, alias_of, parts, routes: routes.into(), tree, patterns }
    }

    /// The host whose routes are this one's. `None`: it has its own.
    pub fn alias_of(&self) -> Option<&[u8]> {
        self.alias_of.as_deref()
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

    /// The route for `path`, the decoded and normalised path of a request. Of two routes with the same path and match
    /// the first in the record counts. Takes O(log n) comparisons, and one with the start of each pattern; nothing is
    /// allocated.
    ///
    /// `matches(nth, pattern)` says whether the `nth` pattern of the record matches at the start of `path`. It is not
    /// asked about all, and about none where an exact route is found. Its last answer was yes if a pattern decided.
    ///
    /// # Errors: the first of `matches`; which route it would be is not known then.
    #[inline]
    pub fn find<E>(
        &self,
        path: &[u8],
        mut matches: impl FnMut(usize, &[u8]) -> Result<bool, E>,
    ) -> Result<Option<Match>, E> {
        let found = self.tree.find(path);
        if let Found::Exact(exact) = found {
            return Ok(Some(exact));
        }
        match (self.find_pattern(path, &mut matches)?, found) {
            (Some(pattern), _) => Ok(Some(pattern)),
            (None, Found::Prefix(prefix)) => Ok(Some(prefix)),
            (None, _) => Ok(None),
        }
    }

    /// What answers when no pattern does.
    pub(crate) fn find_plain(&self, path: &[u8]) -> Found {
        self.tree.find(path)
    }

    /// The first route whose pattern matches.
    #[inline]
    pub(crate) fn find_pattern<E>(
        &self,
        path: &[u8],
        mut matches: impl FnMut(usize, &[u8]) -> Result<bool, E>,
    ) -> Result<Option<Match>, E> {
        let ask = |nth, route: usize| matches(nth, self.routes[route].path());
        let found = self.patterns.find(path, ask)?;
        Ok(found.map(|route| Match { route, action: Action::Enter }))
    }

    /// The prefixes that `path` begins with: each one's route and length, the longest first.
    pub(crate) fn prefixes_of(&self, path: &[u8]) -> impl Iterator<Item = (u32, u32)> + '_ {
        self.tree.prefixes_of(path)
    }
}
