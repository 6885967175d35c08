//! A host in parts answers as the host in one piece does.

use crate::reference::nested;
use crate::support::{Client, Sketch, find_with, needing, sketch, sketched};
use crate::tries::tries;
use proptest::prelude::*;
use wick_routes::{HostRoutes, Match, PartIndex, PathMatch, RecordError, Span};

/// The parts of a host, each read from a record of its own.
fn parts_of(parts: &[Vec<Sketch>]) -> Vec<HostRoutes> {
    let decode =
        |part: &Vec<Sketch>| HostRoutes::decode_part(b"shop.test", &sketched(part)).unwrap();
    parts.iter().map(decode).collect()
}

fn index_of(parts: &[HostRoutes]) -> Result<PartIndex, RecordError> {
    let spans: Vec<Span> = parts.iter().map(Span::of).collect();
    PartIndex::new(parts.iter().zip(&spans))
}

/// What is found, its route counted through all parts.
fn find_in(parts: &[HostRoutes], index: &PartIndex, path: &str, has: u8) -> Option<Match> {
    let path = path.as_bytes();
    let found = index.find(|part| &parts[part], path, &mut Client { path, has }).unwrap()?;
    let before: usize = parts[..found.part].iter().map(|part| part.routes().len()).sum();
    Some(Match { route: before + found.found.route, ..found.found })
}

fn key(route: &Sketch) -> &str {
    route.path.trim_end_matches('/')
}

/// Patterns as they are, then the others in the order that parts have.
fn arranged(routes: &[Sketch]) -> Vec<Sketch> {
    let bytes = |route: &Sketch| key(route).replace('/', "\0");
    let (mut all, mut plain): (Vec<_>, Vec<_>) =
        routes.iter().cloned().partition(|route| route.path_match.is_pattern());
    plain.sort_by_key(bytes);
    all.append(&mut plain);
    all
}

/// Cut where `cuts` says, but for paths that have to stay together.
fn cut(routes: &[Sketch], cuts: &[bool]) -> Vec<Vec<Sketch>> {
    let mut parts: Vec<Vec<Sketch>> = vec![];
    for (route, cut) in routes.iter().zip(cuts.iter().cycle()) {
        let stays = |last: &Sketch| {
            let plain = |route: &Sketch| !route.path_match.is_pattern();
            !cut || (plain(last) && plain(route) && key(last) == key(route))
        };
        match parts.last_mut() {
            Some(part) if stays(part.last().unwrap()) => part.push(route.clone()),
            _ => parts.push(vec![route.clone()]),
        }
    }
    parts
}

fn path() -> impl Strategy<Value = String> {
    // Bytes on both sides of the slash.
    proptest::collection::vec("[ab.]{0,2}", 0..5)
        .prop_map(|elements| format!("/{}", elements.join("/")))
}

fn route() -> impl Strategy<Value = Sketch> {
    let matched = prop_oneof![
        (path(), Just(PathMatch::Exact)),
        (path(), Just(PathMatch::Prefix)),
        (path(), Just(PathMatch::Prefix)),
        (path(), Just(PathMatch::StringPrefix)),
        (path(), Just(PathMatch::StringPrefixFinal)),
        ("/([aB./][*]?){0,4}[$]?", Just(PathMatch::Regex)),
        ("[\\^]?[aB./]([aB./][*]?){0,3}[$]?", Just(PathMatch::Pattern)),
        ("[\\^]?[aB./]([aB./][*]?){0,3}[$]?", Just(PathMatch::PatternAnyCase)),
    ];
    // Most hosts have routes without conditions as well.
    let needs = prop_oneof![Just(0u8), 0u8..4];
    (matched, needs).prop_map(|((path, path_match), needs)| needing(needs, &path, path_match))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tries(2_000), failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_same_route_as_in_one_piece(
        routes in proptest::collection::vec(route(), 0..16),
        cuts in proptest::collection::vec(any::<bool>(), 1..8),
        places in proptest::collection::vec(0usize..40, 16),
        paths in proptest::collection::vec(path(), 1..8),
        has in 0u8..4,
    ) {
        let routes = nested(arranged(&routes), &places);
        let whole = HostRoutes::decode(b"shop.test", &sketched(&routes)).unwrap();
        let parts = parts_of(&cut(&routes, &cuts));
        let index = index_of(&parts).unwrap();
        for path in paths.iter().chain(routes.iter().map(|route| &route.path)) {
            let expected = find_with(&whole, path.as_bytes(), has);
            prop_assert_eq!(find_in(&parts, &index, path, has), expected, "{}", path);
        }
    }
}

fn plain(paths: &[&str]) -> Vec<Sketch> {
    paths.iter().map(|path| sketch(path, PathMatch::Prefix)).collect()
}

#[test]
fn parts_out_of_order_are_refused() {
    for [first, second] in [
        [vec!["/b"], vec!["/a"]],
        [vec!["/a", "/c"], vec!["/b"]],
        [vec!["/a.b"], vec!["/a/b"]],
        [vec!["/a"], vec!["/a/"]],
        [vec!["/a//"], vec!["/a"]],
    ] {
        let parts = parts_of(&[plain(&first), plain(&second)]);
        assert!(matches!(index_of(&parts), Err(RecordError::Order)), "{first:?} {second:?}");
    }
    assert!(index_of(&parts_of(&[plain(&["/a"]), plain(&["/a/b"]), plain(&["/a.b"])])).is_ok());
}

#[test]
fn empty_parts_and_none_at_all_find_nothing() {
    for parts in [vec![], vec![vec![]], vec![vec![], vec![]]] {
        let parts = parts_of(&parts);
        assert_eq!(find_in(&parts, &index_of(&parts).unwrap(), "/", 0), None);
    }
}

#[test]
fn a_path_is_compared_with_few_parts() {
    let paths: Vec<String> = (0..20_000).map(|n| format!("/app/{n:05}/x")).collect();
    let names: Vec<&str> = paths.iter().map(String::as_str).collect();
    let parts = parts_of(&names.chunks(64).map(plain).collect::<Vec<_>>());
    let index = index_of(&parts).unwrap();
    let looked_at = std::cell::Cell::new(0);
    for (n, path) in paths.iter().enumerate() {
        let part = |part: usize| {
            looked_at.set(looked_at.get() + 1);
            &parts[part]
        };
        let mut client = Client { path: path.as_bytes(), has: 0 };
        let found = index.find(part, path.as_bytes(), &mut client).unwrap().unwrap();
        assert_eq!(64 * found.part + found.found.route, n);
    }
    assert_eq!(looked_at.get(), 20_000);
}
