//! Which route ingress-nginx's locations would lead a path to, worked out the long way. For tests and for fuzzing.

use crate::support::{Sketch, matches};
use wick_routes::{Action, Match, PathMatch};

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
    let pattern = |r: &Sketch| {
        r.path_match == PathMatch::Regex && matches(r.path.as_bytes(), path.as_bytes())
    };
    if let Some(route) = routes.iter().position(pattern) {
        return Some(Match { route, action: Action::Enter });
    }
    let around = locations.iter().filter(|l| !l.exact && path.starts_with(&l.name));
    around.max_by_key(|l| l.name.len()).map(enter)
}
