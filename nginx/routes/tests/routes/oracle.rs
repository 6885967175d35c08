//! Which route the locations of ingress-nginx and of snippets would lead a path to, worked out the long way, as ngx_http_core_find_location does.
//! For tests and for fuzzing.

use crate::support::{Sketch, matches};
use wick_routes::{Action, Match, PathMatch};

struct Location {
    exact: bool,
    is_final: bool,
    name: String,
    route: usize,
}

/// The locations that ingress-nginx writes for a host. Two that nginx would call duplicates: the earlier stays.
fn locations(routes: &[Sketch]) -> Vec<Location> {
    let mut all: Vec<Location> = Vec::new();
    let mut push = |exact: bool, name: String, route: usize| {
        if !all.iter().any(|l| l.exact == exact && l.name == name) {
            let is_final = routes[route].path_match == PathMatch::StringPrefixFinal;
            all.push(Location { exact, is_final, name, route });
        }
    };
    let numbered = || routes.iter().enumerate();
    for (i, r) in numbered().filter(|(_, r)| r.path_match == PathMatch::Exact) {
        push(true, r.path.clone(), i);
    }
    let prefixes = || numbered().filter(|(_, r)| r.path_match == PathMatch::Prefix);
    let is_string = |m| matches!(m, PathMatch::StringPrefix | PathMatch::StringPrefixFinal);
    let is_plain = |r: &Sketch| {
        is_string(r.path_match) || r.path_match == PathMatch::Prefix && r.path.ends_with('/')
    };
    for (i, r) in numbered().filter(|(_, r)| is_plain(r)) {
        push(false, r.path.clone(), i);
    }
    for (i, r) in prefixes().filter(|(_, r)| !r.path.ends_with('/')) {
        push(false, format!("{}/", r.path), i);
        push(true, r.path.clone(), i);
    }
    all
}

/// Its choice among those routes whose headers the request has, as if there were no others.
pub fn choose_with(routes: &[Sketch], path: &str, has: u8) -> Option<Match> {
    let is_there = |route: &Sketch| route.needs & !has == 0;
    let places: Vec<usize> = (0..routes.len()).filter(|i| is_there(&routes[*i])).collect();
    let there: Vec<Sketch> = places.iter().map(|i| routes[*i].clone()).collect();
    choose(&there, path).map(|found| Match { route: places[found.route], ..found })
}

/// nginx's choice among them, for locations that proxy.
pub fn choose(routes: &[Sketch], path: &str) -> Option<Match> {
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
    let around = locations.iter().filter(|l| !l.exact && path.starts_with(&l.name));
    let longest = around.max_by_key(|l| l.name.len());
    let pattern = |r: &Sketch| {
        let (text, path) = (r.path.as_bytes(), path.as_bytes());
        r.path_match.is_pattern() && matches(r.path_match, text, path)
    };
    let tries_patterns = longest.is_none_or(|l| !l.is_final);
    match routes.iter().position(pattern).filter(|_| tries_patterns) {
        Some(route) => Some(Match { route, action: Action::Enter }),
        None => longest.map(enter),
    }
}
