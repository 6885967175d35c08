//! Exact paths and prefixes in one sorted list, each pointing to the longest prefix around it.
//!
//! As ingress-nginx writes locations: a prefix `/cart` becomes the location `/cart/` and, unless there is an exact route
//! `/cart`, the exact location `/cart`. As nginx adds: a location that ends in a slash answers the same path without
//! the slash by a redirect, unless a location has exactly that path; the redirect beats shorter prefixes
//! (`ngx_http_core_find_static_location`, `auto_redirect`).

use crate::host::{Action, Match};
use crate::route::{PathMatch, Route};

/// One path, the first `len` bytes of a route's slashed path.
#[derive(Clone, Debug)]
struct Node {
    route: u32,
    len: u32,
    /// What answers exactly this path.
    exact: Option<Match>,
    /// The route that answers everything below this path; the path ends in a slash.
    prefix: Option<u32>,
    /// The node of the longest prefix that this path begins with, other than itself.
    parent: Option<u32>,
}

#[derive(Clone, Debug)]
pub struct Tree {
    /// Sorted by path; no path twice.
    nodes: Box<[Node]>,
}

impl Tree {
    pub fn new(routes: &[Route]) -> Self {
        let mut claims: Vec<Claim> =
            (0..).zip(routes).flat_map(|(i, route)| claims(i, route)).collect();
        claims.sort_by(|a, b| a.path(routes).cmp(b.path(routes)).then(a.rank.cmp(&b.rank)));
        let mut nodes: Vec<Node> = Vec::with_capacity(claims.len());
        for claim in &claims {
            match nodes.last_mut() {
                Some(node) if node.path(routes) == claim.path(routes) => node.add(claim),
                _ => nodes.push(Node::new(claim)),
            }
        }
        link(&mut nodes, routes);
        Self { nodes: nodes.into() }
    }

    pub fn find(&self, routes: &[Route], path: &[u8]) -> Option<Match> {
        // Every prefix of `path` that has a node is the last node not behind `path`, or one of its parents.
        let behind = self.nodes.partition_point(|node| node.path(routes) <= path);
        let mut node = &self.nodes[behind.checked_sub(1)?];
        let common = common_bytes(node.path(routes), path);
        if let (Some(exact), true) =
            (node.exact, common == path.len() && common == node.len as usize)
        {
            return Some(exact);
        }
        loop {
            match node.prefix {
                Some(route) if node.len as usize <= common => return Some(enter(route)),
                _ => node = &self.nodes[node.parent? as usize],
            }
        }
    }
}

/// One path that a route lays claim to. The lowest rank gets it; among equals, which the sort keeps in order, the first.
struct Claim {
    route: u32,
    len: u32,
    rank: Rank,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    /// An exact route.
    Exact,
    /// A prefix route's own path, written without a slash at its end.
    PrefixItself,
    /// The path of an exact route without the slash at its end.
    BeforeExact,
    /// The path of a prefix route without the slash at its end.
    BeforePrefix,
    /// Everything below a prefix that was written with a slash at its end.
    Below,
    /// Everything below a prefix that was written without.
    BelowAddedSlash,
}

fn claims(index: u32, route: &Route) -> impl Iterator<Item = Claim> {
    let written = route.path().len();
    let slashed = route.slashed_path().len();
    // The location `/` is never asked for without its slash.
    let before = (written == slashed && written > 1).then_some(written - 1);
    let ranks = match route.path_match {
        PathMatch::Exact => {
            [Some((Rank::Exact, written)), before.map(|len| (Rank::BeforeExact, len))]
        }
        PathMatch::Prefix if written == slashed => {
            [Some((Rank::Below, slashed)), before.map(|len| (Rank::BeforePrefix, len))]
        }
        PathMatch::Prefix => {
            [Some((Rank::BelowAddedSlash, slashed)), Some((Rank::PrefixItself, written))]
        }
    };
    let claim = move |(rank, len)| Claim { route: index, len: len as u32, rank };
    ranks.into_iter().flatten().map(claim)
}

impl Claim {
    fn path<'a>(&self, routes: &'a [Route]) -> &'a [u8] {
        &routes[self.route as usize].slashed_path()[..self.len as usize]
    }
}

impl Node {
    fn new(claim: &Claim) -> Self {
        let mut node =
            Self { route: claim.route, len: claim.len, exact: None, prefix: None, parent: None };
        node.add(claim);
        node
    }

    fn add(&mut self, claim: &Claim) {
        match claim.rank {
            Rank::Exact | Rank::PrefixItself => {
                self.exact.get_or_insert(enter(claim.route));
            }
            Rank::BeforeExact | Rank::BeforePrefix => {
                let route = claim.route as usize;
                self.exact.get_or_insert(Match { route, action: Action::AddSlash });
            }
            Rank::Below | Rank::BelowAddedSlash => {
                self.prefix.get_or_insert(claim.route);
                // A path that has a location of its own is not redirected to one with one more slash.
                self.exact.take_if(|exact| exact.action == Action::AddSlash);
            }
        }
    }

    fn path<'a>(&self, routes: &'a [Route]) -> &'a [u8] {
        &routes[self.route as usize].slashed_path()[..self.len as usize]
    }
}

/// Sets each node's parent. The prefixes around the node being visited are a stack: sorted order is depth first.
fn link(nodes: &mut [Node], routes: &[Route]) {
    let mut around: Vec<u32> = Vec::new();
    for index in 0..nodes.len() {
        let path = nodes[index].path(routes);
        while around.pop_if(|top| !path.starts_with(nodes[*top as usize].path(routes))).is_some() {}
        nodes[index].parent = around.last().copied();
        if nodes[index].prefix.is_some() {
            around.push(index as u32);
        }
    }
}

fn enter(route: u32) -> Match {
    Match { route: route as usize, action: Action::Enter }
}

fn common_bytes(a: &[u8], b: &[u8]) -> usize {
    a.iter().zip(b).take_while(|(a, b)| a == b).count()
}
