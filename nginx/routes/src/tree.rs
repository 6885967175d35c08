//! Exact paths and prefixes in one sorted list, each pointing to the longest prefix around it.
//!
//! As ingress-nginx writes locations: a prefix `/cart` becomes the location `/cart/` and, unless there is an exact route
//! `/cart`, the exact location `/cart`. As nginx adds: a location that ends in a slash answers the same path without
//! the slash by a redirect, unless a location has exactly that path; the redirect beats shorter prefixes
//! (`ngx_http_core_find_static_location`, `auto_redirect`). Prefixes of snippets are nginx's own, by bytes: they lie in the same list.

use crate::bytes::common_bytes;
use crate::route::{PathMatch, Route};

/// What a request has to do with the route that was found for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Enter its location.
    Enter,
    /// Answer in its location's name with a redirect (301) to [`Route::slashed_path`]: nginx does this when a proxied
    /// location ends in a slash and the request differs from it by that slash only.
    AddSlash,
}

/// A route that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match {
    /// Index in [`crate::HostRoutes::routes`].
    pub route: usize,
    pub action: Action,
}

/// One path.
#[derive(Clone, Debug)]
struct Node {
    /// Where the path lies in [`Tree::paths`].
    start: u32,
    len: u32,
    /// What answers exactly this path.
    exact: Option<Match>,
    /// The route that answers everything that begins with this path.
    prefix: Option<u32>,
    /// The node of the longest prefix that this path begins with, other than itself.
    parent: Option<u32>,
}

/// What a path leads to when there are no patterns.
#[derive(Clone, Copy, Debug)]
pub enum Found {
    /// It has a location of its own, or differs from one by the slash at its end.
    Exact(Match),
    Prefix(Match),
    Nothing,
}

#[derive(Clone, Debug)]
pub struct Tree {
    /// Sorted by path; no path twice.
    nodes: Box<[Node]>,
    /// The nodes' paths one behind the other, so that a search stays within few cache lines.
    paths: Box<[u8]>,
    /// `None`: no route has conditions or stands within another, and the nodes say all.
    choices: Option<Box<Choices>>,
}

/// Where routes are not there for every request: all that could have a node's path, the best first.
#[derive(Clone, Debug, Default)]
struct Choices {
    all: Vec<Choice>,
    /// Where those of each node end.
    ends: Vec<u32>,
}

#[derive(Clone, Copy, Debug)]
struct Choice {
    route: u32,
    rank: Rank,
}

impl Tree {
    pub fn new(routes: &[Route]) -> Self {
        let mut candidates: Vec<Candidate> =
            (0..).zip(routes).flat_map(|(i, route)| candidates(i, route)).collect();
        candidates.sort_by(|a, b| a.path.cmp(b.path).then(a.rank.cmp(&b.rank)));
        let mut paths = Vec::new();
        let mut nodes: Vec<Node> = Vec::with_capacity(candidates.len());
        let has_choices =
            routes.iter().any(|route| !route.conditions.is_empty() || route.within.is_some());
        let mut choices = has_choices.then(Box::<Choices>::default);
        for same in candidates.chunk_by(|a, b| a.path == b.path) {
            nodes.push(Node::new(paths.len(), same));
            paths.extend_from_slice(same[0].path);
            if let Some(choices) = &mut choices {
                choices.push(same);
            }
        }
        let mut tree = Self { nodes: nodes.into(), paths: paths.into(), choices };
        tree.link();
        tree
    }

    pub fn find(&self, path: &[u8]) -> Found {
        // As `last_not_behind`, which would become a call if both used it.
        let behind = self.nodes.partition_point(|node| self.path(node) <= path);
        let Some(last) = behind.checked_sub(1) else { return Found::Nothing };
        let mut node = &self.nodes[last];
        let common = common_bytes(self.path(node), path);
        if let (Some(exact), true) =
            (node.exact, common == path.len() && common == node.len as usize)
        {
            return Found::Exact(exact);
        }
        loop {
            match (node.prefix, node.parent) {
                (Some(route), _) if node.len as usize <= common => {
                    return Found::Prefix(enter(route));
                }
                (_, Some(parent)) => node = &self.nodes[parent as usize],
                (_, None) => return Found::Nothing,
            }
        }
    }

    /// Whether [`Tree::find`] knows too little, because some routes are not there for every request.
    #[inline]
    pub fn has_choices(&self) -> bool {
        self.choices.is_some()
    }

    /// What `find` would find if there were only those routes that `meets` says yes of.
    ///
    /// # Errors: the first of `meets`.
    pub fn find_where<E>(
        &self,
        path: &[u8],
        mut meets: impl FnMut(u32) -> Result<bool, E>,
    ) -> Result<Found, E> {
        let Some((last, common)) = self.last_not_behind(path) else { return Ok(Found::Nothing) };
        if common == path.len()
            && common == self.nodes[last].len as usize
            && let Some(exact) = self.exact_where(last, &mut meets)?
        {
            return Ok(Found::Exact(exact));
        }
        let mut at = Some(last as u32);
        while let Some(index) = at {
            let node = &self.nodes[index as usize];
            if node.prefix.is_some()
                && node.len as usize <= common
                && let Some(route) = first(self.below(index as usize), &mut meets)?
            {
                return Ok(Found::Prefix(enter(route.route)));
            }
            at = node.parent;
        }
        Ok(Found::Nothing)
    }

    /// The last node not behind `path`, and how many bytes the two have in common. Every prefix of `path` that has a node is this one or one of its
    /// parents.
    #[inline]
    fn last_not_behind(&self, path: &[u8]) -> Option<(usize, usize)> {
        let behind = self.nodes.partition_point(|node| self.path(node) <= path);
        let last = behind.checked_sub(1)?;
        Some((last, common_bytes(self.path(&self.nodes[last]), path)))
    }

    /// What answers exactly the path of this node.
    #[inline(never)] // Most paths are below a prefix.
    fn exact_where<E>(
        &self,
        node: usize,
        meets: &mut impl FnMut(u32) -> Result<bool, E>,
    ) -> Result<Option<Match>, E> {
        let Some(choice) = first(self.exact(node), meets)? else {
            return Ok(None);
        };
        let action = choice.rank.action();
        // A path that has a location of its own is not redirected to one with one more slash.
        if action == Action::AddSlash && first(self.below(node), meets)?.is_some() {
            return Ok(None);
        }
        Ok(Some(Match { route: choice.route as usize, action }))
    }

    /// What could answer everything below the path of this node, the best first.
    #[inline]
    fn below(&self, node: usize) -> impl Iterator<Item = Choice> + '_ {
        self.choices(node).iter().copied().filter(|choice| choice.rank.is_below())
    }

    /// The same of the path itself.
    fn exact(&self, node: usize) -> impl Iterator<Item = Choice> + '_ {
        self.choices(node).iter().copied().filter(|choice| !choice.rank.is_below())
    }

    #[inline]
    fn choices(&self, node: usize) -> &[Choice] {
        self.choices.as_deref().map_or(&[], |choices| choices.of(node))
    }

    /// The nodes whose paths `path` begins with, the longest first: the last one not behind it, and its parents.
    fn around(&self, path: &[u8]) -> impl Iterator<Item = usize> + '_ {
        let (last, common) = self.last_not_behind(path).unzip();
        let common = common.unwrap_or(0);
        let parent = |node: &usize| self.nodes[*node].parent.map(|parent| parent as usize);
        std::iter::successors(last, parent)
            .filter(move |node| self.nodes[*node].len as usize <= common)
    }

    /// The prefixes that `path` begins with: each one's route and length, the longest first; of equal ones the best first.
    pub fn prefixes_of(&self, path: &[u8]) -> Vec<(u32, u32)> {
        let of_node = |node: usize| {
            let all: Vec<u32> = match self.has_choices() {
                true => self.below(node).map(|choice| choice.route).collect(),
                false => self.nodes[node].prefix.into_iter().collect(),
            };
            all.into_iter().map(move |route| (route, self.nodes[node].len))
        };
        self.around(path).flat_map(of_node).collect()
    }

    #[inline]
    fn path(&self, node: &Node) -> &[u8] {
        &self.paths[node.start as usize..][..node.len as usize]
    }

    /// Sets each node's parent. The prefixes around the node being visited are a stack: sorted order is depth first.
    fn link(&mut self) {
        let mut around: Vec<u32> = Vec::new();
        for index in 0..self.nodes.len() {
            let path = self.path(&self.nodes[index]);
            let is_around = |node: u32| path.starts_with(self.path(&self.nodes[node as usize]));
            while around.pop_if(|top| !is_around(*top)).is_some() {}
            self.nodes[index].parent = around.last().copied();
            if self.nodes[index].prefix.is_some() {
                around.push(index as u32);
            }
        }
    }
}

impl Choices {
    fn push(&mut self, candidates: &[Candidate]) {
        self.all
            .extend(candidates.iter().map(|&Candidate { route, rank, .. }| Choice { route, rank }));
        self.ends.push(self.all.len() as u32);
    }

    #[inline]
    fn of(&self, node: usize) -> &[Choice] {
        let start = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start as usize..self.ends[node] as usize]
    }
}

/// The first of these that `meets` says yes of.
#[inline]
fn first<E>(
    choices: impl Iterator<Item = Choice>,
    meets: &mut impl FnMut(u32) -> Result<bool, E>,
) -> Result<Option<Choice>, E> {
    for choice in choices {
        if meets(choice.route)? {
            return Ok(Some(choice));
        }
    }
    Ok(None)
}

/// A route that could have a path. The lowest rank gets it; among equals, which the sort keeps in order, the first.
struct Candidate<'a> {
    path: &'a [u8],
    route: u32,
    rank: Rank,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// An exact route.
    Exact,
    /// A prefix route's own path, written without a slash at its end.
    PrefixItself,
    /// The path of an exact route without the slash at its end.
    BeforeExact,
    /// The path of a prefix route without the slash at its end.
    BeforePrefix,
    /// Everything below a prefix that was written with a slash at its end, and everything that begins with one of bytes.
    Below,
    /// Everything below a prefix that was written without.
    BelowAddedSlash,
}

impl Rank {
    /// It is about what lies below the path, not about the path itself.
    fn is_below(self) -> bool {
        matches!(self, Rank::Below | Rank::BelowAddedSlash)
    }

    fn action(self) -> Action {
        match self {
            Rank::BeforeExact | Rank::BeforePrefix => Action::AddSlash,
            Rank::Exact | Rank::PrefixItself | Rank::Below | Rank::BelowAddedSlash => Action::Enter,
        }
    }
}

fn candidates(index: u32, route: &Route) -> impl Iterator<Item = Candidate<'_>> {
    let written = route.path();
    let slashed = route.slashed_path();
    // The location `/` is never asked for without its slash.
    let before =
        written.strip_suffix(b"/").filter(|path| !path.is_empty() && !route.has_no_slash_redirect);
    let ranks = match route.path_match {
        PathMatch::Exact => {
            [Some((Rank::Exact, written)), before.map(|path| (Rank::BeforeExact, path))]
        }
        PathMatch::StringPrefix | PathMatch::StringPrefixFinal => {
            [Some((Rank::Below, written)), before.map(|path| (Rank::BeforePrefix, path))]
        }
        PathMatch::Prefix if written == slashed => {
            [Some((Rank::Below, slashed)), before.map(|path| (Rank::BeforePrefix, path))]
        }
        PathMatch::Prefix => {
            [Some((Rank::BelowAddedSlash, slashed)), Some((Rank::PrefixItself, written))]
        }
        PathMatch::Regex | PathMatch::Pattern | PathMatch::PatternAnyCase => [None, None],
    };
    ranks.into_iter().flatten().map(move |(rank, path)| Candidate { path, route: index, rank })
}

impl Node {
    /// The node of a path that all of `candidates` could have, the best first.
    fn new(start: usize, candidates: &[Candidate]) -> Self {
        let len = candidates[0].path.len() as u32;
        let mut node = Self { start: start as u32, len, exact: None, prefix: None, parent: None };
        candidates.iter().for_each(|candidate| node.add(candidate));
        node
    }

    fn add(&mut self, candidate: &Candidate) {
        if candidate.rank.is_below() {
            self.prefix.get_or_insert(candidate.route);
            // A path that has a location of its own is not redirected to one with one more slash.
            self.exact.take_if(|exact| exact.action == Action::AddSlash);
        } else {
            let (route, action) = (candidate.route as usize, candidate.rank.action());
            self.exact.get_or_insert(Match { route, action });
        }
    }
}

pub fn enter(route: u32) -> Match {
    Match { route: route as usize, action: Action::Enter }
}
