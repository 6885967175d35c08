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

/// The locations that ingress-nginx writes for a host, as far as they stand in this level. Two that nginx would call duplicates: the earlier stays.
fn locations(routes: &[Sketch], level: Option<&str>) -> Vec<Location> {
    let mut all: Vec<Location> = Vec::new();
    let mut push = |exact: bool, name: String, route: usize| {
        if !all.iter().any(|l| l.exact == exact && l.name == name) {
            let is_final = routes[route].path_match == PathMatch::StringPrefixFinal;
            all.push(Location { exact, is_final, name, route });
        }
    };
    let numbered =
        || routes.iter().enumerate().filter(move |(_, route)| route.within.as_deref() == level);
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
    match search(routes, None, path) {
        Searched::Ends(found) | Searched::GoesOn(found) => Some(found),
        Searched::Nothing => None,
    }
}

/// What comes of the search in one level: nothing else is looked at, or patterns beside what was found.
enum Searched {
    Ends(Match),
    GoesOn(Match),
    Nothing,
}

/// As ngx_http_core_find_location does, for the locations within one, or within the server block.
fn search(routes: &[Sketch], level: Option<&str>, path: &str) -> Searched {
    let locations = locations(routes, level);
    let enter = |route: usize| Match { route, action: Action::Enter };
    let named =
        |exact: bool, name: &str| locations.iter().find(|l| l.exact == exact && l.name == name);
    if let Some(location) = named(true, path) {
        return Searched::Ends(enter(location.route));
    }
    let slashed = format!("{path}/");
    let before = named(true, &slashed).or_else(|| named(false, &slashed));
    if let (Some(location), None) = (before, named(false, path)) {
        return Searched::Ends(Match { route: location.route, action: Action::AddSlash });
    }
    let around = locations.iter().filter(|l| !l.exact && path.starts_with(&l.name));
    let longest = around.max_by_key(|l| l.name.len());
    let mut found = Searched::Nothing;
    if let Some(location) = longest {
        found = match inside(routes, location.route, path) {
            ends @ Searched::Ends(_) => return ends,
            Searched::GoesOn(inner) => Searched::GoesOn(inner),
            Searched::Nothing => Searched::GoesOn(enter(location.route)),
        };
        if location.is_final {
            return found;
        }
    }
    let is_pattern = |r: &Sketch| {
        let (text, path) = (r.path.as_bytes(), path.as_bytes());
        r.within.as_deref() == level
            && r.path_match.is_pattern()
            && matches(r.path_match, text, path)
    };
    match routes.iter().position(is_pattern) {
        None => found,
        Some(route) => match inside(routes, route, path) {
            Searched::Ends(inner) | Searched::GoesOn(inner) => Searched::Ends(inner),
            Searched::Nothing => Searched::Ends(enter(route)),
        },
    }
}

fn inside(routes: &[Sketch], route: usize, path: &str) -> Searched {
    let name = routes[route].name();
    name.map_or(Searched::Nothing, |name| search(routes, Some(&name), path))
}
