//! Any routes, any path: the same answer as the long way round, in one record and in parts.
#![no_main]

#[path = "../../../nginx/routes/tests/routes/oracle.rs"]
mod oracle;
#[allow(dead_code)]
#[path = "../../../nginx/routes/tests/routes/support.rs"]
mod support;

use libfuzzer_sys::fuzz_target;
use support::{Client, Sketch, needing, sketched};
use wick_routes::{HostRoutes, PathMatch};

/// Few letters, so that paths meet.
const LETTERS: &[u8] = b"/ab/";
const PATTERN_LETTERS: &[u8] = b"/aB.*$/b";

fuzz_target!(|bytes: &[u8]| {
    let mut lines = bytes.split(|byte| *byte == b'\n').take(40);
    let first = lines.next().unwrap_or_default();
    let (path, has) = (plain(first), first.len() as u8 % 4);
    let routes = nested(lines.filter_map(route).collect(), first);
    let Ok(host) = HostRoutes::decode(b"shop.test", &sketched(&routes)) else { return };
    let expected = oracle::choose_with(&routes, &path, has);
    let found = support::find_with(&host, path.as_bytes(), has);
    assert_eq!(found, expected, "{path} with {has} in {routes:?}");
    in_parts(&routes, &path, has);
});

/// Some routes stand within others, where `places` says so. Of two with one name it would not be clear which one is meant.
fn nested(mut routes: Vec<Sketch>, places: &[u8]) -> Vec<Sketch> {
    if places.first().is_none_or(|byte| byte % 2 == 0) {
        return routes;
    }
    let mut names = std::collections::HashSet::new();
    routes
        .retain(|route| names.insert(route.name().unwrap_or_else(|| format!("= {}", route.path))));
    let names: Vec<Option<String>> = routes.iter().map(Sketch::name).collect();
    for (at, byte) in places.iter().enumerate().take(routes.len()) {
        let outer = usize::from(*byte) % routes.len();
        let route = &routes[at];
        let is_static = !route.path_match.is_pattern() && !routes[outer].path_match.is_pattern();
        let is_below = |name: &String| {
            let is_longer = route.path_match == PathMatch::Exact || route.path.len() > name.len();
            route.path_match != PathMatch::Prefix && route.path.starts_with(name) && is_longer
        };
        let is_within_path =
            route.path_match.is_pattern() && !routes[outer].path_match.is_pattern();
        let is_within_pattern =
            outer > at && routes[at..=outer].iter().all(|r| r.path_match.is_pattern());
        let name = names[outer].clone();
        let may =
            is_static && name.as_ref().is_some_and(is_below) || is_within_path || is_within_pattern;
        routes[at].within = name.filter(|_| may && outer != at);
    }
    routes
}

fn plain(line: &[u8]) -> String {
    let letters = line.iter().take(24).map(|byte| char::from(LETTERS[usize::from(byte % 4)]));
    std::iter::once('/').chain(letters).collect()
}

fn route(line: &[u8]) -> Option<Sketch> {
    let (kind, rest) = line.split_first()?;
    // Most have no conditions.
    let needs = if kind >> 4 & 1 != 0 { kind >> 5 & 3 } else { 0 };
    Some(match kind % 8 {
        0 => needing(needs, &plain(rest), PathMatch::Exact),
        1 => needing(needs, &pattern(rest), PathMatch::Regex),
        2 => needing(needs, &plain(rest), PathMatch::StringPrefix),
        3 => needing(needs, &plain(rest), PathMatch::StringPrefixFinal),
        4 => needing(needs, &pattern(rest), PathMatch::Pattern),
        5 => needing(needs, &pattern(rest), PathMatch::PatternAnyCase),
        _ => needing(needs, &plain(rest), PathMatch::Prefix),
    })
}

/// A letter, dot or slash, each with a star behind it or not.
fn pattern(line: &[u8]) -> String {
    let mut text = String::from("/");
    for byte in line.iter().take(8) {
        let letter = char::from(PATTERN_LETTERS[usize::from(byte % 8)]);
        if letter != '*' || !text.ends_with(['*', '$']) {
            text.push(letter);
        }
    }
    text
}

/// The routes in the order of parts, cut in two: the same route as in one record.
fn in_parts(routes: &[Sketch], path: &str, has: u8) {
    let mut plain: Vec<Sketch> =
        routes.iter().filter(|r| !r.path_match.is_pattern()).cloned().collect();
    plain.sort_by_key(|r| (key(&r.path), r.path_match as u8));
    // Those of one path stay together.
    let middle = plain.len() / 2;
    let cut = plain.iter().skip(middle).take_while(|r| key(&r.path) == key(&plain[middle].path));
    let (first, second) = plain.split_at(middle + cut.count());
    let whole = HostRoutes::decode(b"shop.test", &sketched(&plain)).expect("as before");
    let parts = [first, second]
        .map(|part| HostRoutes::decode_part(b"shop.test", &sketched(part)).expect("as before"));
    let spans = parts.each_ref().map(wick_routes::Span::of);
    let index = wick_routes::PartIndex::new(parts.iter().zip(&spans)).expect("they are in order");
    let found = index
        .find(|nth| &parts[nth], path.as_bytes(), &mut Client { path: path.as_bytes(), has })
        .unwrap_or_else(|never| match never {});
    let found = found.map(|found| {
        let before = if found.part == 0 { 0 } else { first.len() };
        wick_routes::Match { route: before + found.found.route, ..found.found }
    });
    let expected = support::find_with(&whole, path.as_bytes(), has);
    assert_eq!(found, expected, "{path} with {has} in {plain:?}");
}

/// Without slashes at its end, and with slashes before all other bytes.
fn key(path: &str) -> Vec<u8> {
    path.trim_end_matches('/').bytes().map(|byte| if byte == b'/' { 0 } else { byte }).collect()
}
