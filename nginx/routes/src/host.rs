//! The routes of one host, ready to be searched.

use crate::record::{self, RecordError};
use crate::route::Route;
use crate::tree::Tree;

/// What a request has to do with the route that was found for it.
///
/// Regular expressions, redirects and rewriting become further actions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Enter its policy.
    Enter,
    /// Answer in its policy's name with a redirect (301) to [`Route::slashed_path`]: nginx does this when a proxied
    /// location ends in a slash and the request differs from it by that slash only.
    AddSlash,
}

/// A route that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index in [`HostRoutes::routes`].
    pub route: usize,
    pub action: Action,
}

/// The routes of one host. A path is found as ingress-nginx and nginx find it: exact first, then the longest prefix.
#[derive(Clone, Debug)]
pub struct HostRoutes {
    routes: Box<[Route]>,
    tree: Tree,
}

impl HostRoutes {
    /// Reads the record of the host `name` (docs/wire.md 2).
    ///
    /// # Errors: when the bytes are not such a record, or one of a version that is not known; never panics.
    pub fn decode(name: &[u8], record: &[u8]) -> Result<Self, RecordError> {
        let routes = record::decode(name, record)?.into_boxed_slice();
        Ok(Self { tree: Tree::new(&routes), routes })
    }

    /// In the order of the record.
    pub fn routes(&self) -> &[Route] {
        &self.routes
    }

    /// The route for `path`, the decoded and normalised path of a request. Of two routes with the same path and match
    /// the first in the record counts. Takes O(log n) comparisons; nothing is allocated.
    pub fn find(&self, path: &[u8]) -> Option<Match> {
        self.tree.find(path)
    }
}
