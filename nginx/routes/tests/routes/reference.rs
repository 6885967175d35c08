//! Any routes, any path: the same answer as the locations of ingress-nginx in nginx (`oracle`).

use crate::oracle::{choose, choose_with};
use crate::support::{Sketch, find, find_with, sketch, sketched};
use crate::tries::tries;
use proptest::prelude::*;
use wick_routes::{HostRoutes, PathMatch};

fn path() -> impl Strategy<Value = String> {
    // Few elements and few letters, so that paths meet; empty elements give slashes in a row and at the end.
    proptest::collection::vec("[ab]{0,2}", 0..5)
        .prop_map(|elements| format!("/{}", elements.join("/")))
}

fn plain_route() -> impl Strategy<Value = Sketch> {
    let path_match = prop_oneof![
        2 => Just(PathMatch::Exact),
        2 => Just(PathMatch::Prefix),
        1 => Just(PathMatch::StringPrefix),
        1 => Just(PathMatch::StringPrefixFinal),
    ];
    (path(), path_match).prop_map(|(p, m)| sketch(&p, m))
}

fn pattern_route() -> impl Strategy<Value = Sketch> {
    let at_start = "/([aB./][*]?){0,4}[$]?";
    let anywhere = || "[\\^]?[aB./]([aB./][*]?){0,3}[$]?";
    prop_oneof![
        at_start.prop_map(|pattern| sketch(&pattern, PathMatch::Regex)),
        anywhere().prop_map(|pattern| sketch(&pattern, PathMatch::Pattern)),
        anywhere().prop_map(|pattern| sketch(&pattern, PathMatch::PatternAnyCase)),
    ]
}

fn routes() -> impl Strategy<Value = Vec<Sketch>> {
    let plain = proptest::collection::vec(plain_route(), 0..12);
    let mixed = proptest::collection::vec(prop_oneof![plain_route(), pattern_route()], 0..12);
    prop_oneof![plain, mixed]
}

/// Each stands within another where `places` says so and nginx allows it. Locations have their names once, so that it is clear which one is meant.
pub fn nested(mut routes: Vec<Sketch>, places: &[usize]) -> Vec<Sketch> {
    let mut names = std::collections::HashSet::new();
    routes
        .retain(|route| names.insert(route.name().unwrap_or_else(|| format!("= {}", route.path))));
    let outer = |at: usize, around: &Sketch| {
        let (own, name) = (&routes[at], around.name()?);
        let is_inside = match (around.path_match.is_pattern(), own.path_match.is_pattern()) {
            (false, true) => true,
            (false, false) => {
                let is_longer = own.path_match == PathMatch::Exact || own.path.len() > name.len();
                own.path_match != PathMatch::Prefix && own.path.starts_with(&name) && is_longer
            }
            (true, false) => false,
            // What stands within another comes first.
            (true, true) => routes[at + 1..].iter().any(|later| later.path == around.path),
        };
        is_inside.then_some(name)
    };
    let within = |at: usize| outer(at, routes.get(*places.get(at)?)?);
    let all: Vec<Option<String>> = (0..routes.len()).map(within).collect();
    routes.iter().cloned().zip(all).map(|(route, within)| Sketch { within, ..route }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tries(2_000), failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_same_route_as_nginx_finds(routes in routes(), path in path()) {
        let host = HostRoutes::decode(b"shop.test", &sketched(&routes)).unwrap();
        prop_assert_eq!(find(&host, path.as_bytes()), choose(&routes, &path));
    }

    #[test]
    fn the_same_route_as_nginx_finds_among_locations_within_others(
        routes in routes(),
        places in proptest::collection::vec(0usize..16, 12),
        paths in proptest::collection::vec(path(), 1..6),
    ) {
        let routes = nested(routes, &places);
        let host = HostRoutes::decode(b"shop.test", &sketched(&routes)).unwrap();
        for path in paths.iter().chain(routes.iter().map(|route| &route.path)) {
            prop_assert_eq!(find(&host, path.as_bytes()), choose(&routes, path), "{}", path);
        }
    }

    #[test]
    fn as_if_routes_whose_conditions_do_not_hold_were_not_there(
        routes in routes(),
        needs in proptest::collection::vec(0u8..4, 12),
        path in path(),
        has in 0u8..4,
    ) {
        let routes: Vec<Sketch> =
            routes.into_iter().zip(needs).map(|(route, needs)| Sketch { needs, ..route }).collect();
        let host = HostRoutes::decode(b"shop.test", &sketched(&routes)).unwrap();
        prop_assert_eq!(find_with(&host, path.as_bytes(), has), choose_with(&routes, &path, has));
    }

    #[test]
    fn the_order_of_different_routes_without_patterns_does_not_matter(
        mut routes in proptest::collection::vec(plain_route(), 0..12),
        path in path()
    ) {
        routes.sort_by(|a, b| a.path.cmp(&b.path).then((a.path_match as u8).cmp(&(b.path_match as u8))));
        // Two prefixes of bytes are one location to nginx, and so is one with a slash at its end that a snippet has too.
        let is_prefix = |route: &Sketch| route.path_match != PathMatch::Exact;
        routes.dedup_by(|a, b| a.path == b.path && is_prefix(a) == is_prefix(b));
        let found = |routes: &[Sketch]| {
            let host = HostRoutes::decode(b"shop.test", &sketched(routes)).unwrap();
            find(&host, path.as_bytes()).map(|m| (routes[m.route].path.clone(), m.action))
        };
        let forwards = found(&routes);
        routes.reverse();
        prop_assert_eq!(forwards, found(&routes));
    }
}
