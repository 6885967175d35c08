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
    routes: Box<[Route]>,
    tree: Tree,
    patterns: Patterns,
}

impl HostRoutes {
    /// Reads the record of the host `name` (docs/wire.md 2).
    ///
    /// # Errors: when the bytes are not such a record, or one of a version that is not known; never panics.
    pub fn decode(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        let Record { client_certificate, routes } = record::decode(name, record)?;
        let (tree, patterns) = (Tree::new(&routes), Patterns::new(&routes));
        Ok(Self { client_certificate, routes: routes.into(), tree, patterns })
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
        let ask = |nth, route: usize| matches(nth, self.routes[route].path());
        match (self.patterns.find(path, ask)?, found) {
            (Some(route), _) => Ok(Some(Match { route, action: Action::Enter })),
            (None, Found::Prefix(prefix)) => Ok(Some(prefix)),
            (None, _) => Ok(None),
        }
    }
}
