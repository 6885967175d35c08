//! Any routes, any path: the same answer as the locations of ingress-nginx in nginx, worked out the long way.

use crate::support::{Sketch, find, matches, sketch, sketched};
use proptest::prelude::*;
use wick_routes::{Action, HostRoutes, Match, PathMatch};

struct Location {
    exact: bool,
    name: String,
    route: usize,
}

/// The locations that ingress-nginx writes for a host. Two that nginx would call duplicates: the earlier stays.
fn locations(routes: &[Sketch]) -> Vec<Location> {
    let mut all: Vec<Location> = Vec::new();
    let mut push = |exact: bool, name: String, route: usize| {
        if !all.iter().any(|l| l.exact == exact && l.name == name) {
            all.push(Location { exact, name, route });
        }
    };
    let numbered = || routes.iter().enumerate();
    for (i, r) in numbered().filter(|(_, r)| r.path_match == PathMatch::Exact) {
        push(true, r.path.clone(), i);
    }
    let prefixes = || numbered().filter(|(_, r)| r.path_match == PathMatch::Prefix);
    for (i, r) in prefixes().filter(|(_, r)| r.path.ends_with('/')) {
        push(false, r.path.clone(), i);
    }
    for (i, r) in prefixes().filter(|(_, r)| !r.path.ends_with('/')) {
        push(false, format!("{}/", r.path), i);
        push(true, r.path.clone(), i);
    }
    all
}

/// nginx's choice among them, for locations that proxy.
fn choose(routes: &[Sketch], path: &str) -> Option<Match> {
    let locations = locations(routes);
    let enter = |l: &Location| Match { route: l.route, action: Action::Enter };
    let named =
        |exact: bool, name: &str| locations.iter().find(|l| l.exact == exact && l.name == name);
    if let Some(location) = named(true, path) {
        return Some(enter(location));
    }
    let slashed = format!("{path}/");
    let before = named(true, &slashed).or_else(|| named(false, &slashed));
    if let (Some(location), None) = (before, named(false, path)) {
        return Some(Match { route: location.route, action: Action::AddSlash });
    }
    let pattern = |r: &Sketch| {
        r.path_match == PathMatch::Regex && matches(r.path.as_bytes(), path.as_bytes())
    };
    if let Some(route) = routes.iter().position(pattern) {
        return Some(Match { route, action: Action::Enter });
    }
    let around = locations.iter().filter(|l| !l.exact && path.starts_with(&l.name));
    around.max_by_key(|l| l.name.len()).map(enter)
}

fn path() -> impl Strategy<Value = String> {
    // Few elements and few letters, so that paths meet; empty elements give slashes in a row and at the end.
    proptest::collection::vec("[ab]{0,2}", 0..5)
        .prop_map(|elements| format!("/{}", elements.join("/")))
}

fn plain_route() -> impl Strategy<Value = Sketch> {
    let path_match = prop_oneof![Just(PathMatch::Exact), Just(PathMatch::Prefix)];
    (path(), path_match).prop_map(|(p, m)| sketch(&p, m))
}

fn pattern_route() -> impl Strategy<Value = Sketch> {
    let pattern = "/([aB./][*]?){0,4}[$]?";
    pattern.prop_map(|pattern| sketch(&pattern, PathMatch::Regex))
}

fn routes() -> impl Strategy<Value = Vec<Sketch>> {
    let plain = proptest::collection::vec(plain_route(), 0..12);
    let mixed = proptest::collection::vec(prop_oneof![plain_route(), pattern_route()], 0..12);
    prop_oneof![plain, mixed]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_same_route_as_nginx_finds(routes in routes(), path in path()) {
        let host = HostRoutes::decode(b"shop.test", &sketched(&routes)).unwrap();
        prop_assert_eq!(find(&host, path.as_bytes()), choose(&routes, &path));
    }

    #[test]
    fn the_order_of_different_routes_without_patterns_does_not_matter(
        mut routes in proptest::collection::vec(plain_route(), 0..12),
        path in path()
    ) {
        routes.sort_by(|a, b| a.path.cmp(&b.path).then((a.path_match as u8).cmp(&(b.path_match as u8))));
        routes.dedup_by(|a, b| a.path == b.path && a.path_match == b.path_match);
        let found = |routes: &[Sketch]| {
            let host = HostRoutes::decode(b"shop.test", &sketched(routes)).unwrap();
            find(&host, path.as_bytes()).map(|m| (routes[m.route].path.clone(), m.action))
        };
        let forwards = found(&routes);
        routes.reverse();
        prop_assert_eq!(forwards, found(&routes));
    }
}
