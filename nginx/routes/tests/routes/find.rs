//! The rules by which a path finds its route, one by one.

use crate::support::{sketch, sketched};
use wick_routes::PathMatch::{Exact, Prefix};
use wick_routes::{Action, HostRoutes, Match, PathMatch};

fn host(routes: &[(&str, PathMatch)]) -> HostRoutes {
    let sketches: Vec<_> = routes.iter().map(|(path, m)| sketch(path, *m)).collect();
    HostRoutes::decode(b"shop.test", &sketched(&sketches))
        .expect("a record that we wrote ourselves")
}

fn enter(route: usize) -> Option<Match> {
    Some(Match { route, action: Action::Enter })
}

fn add_slash(route: usize) -> Option<Match> {
    Some(Match { route, action: Action::AddSlash })
}

#[track_caller]
fn expect(host: &HostRoutes, answers: &[(&str, Option<Match>)]) {
    for (path, answer) in answers {
        assert_eq!(host.find(path.as_bytes()), *answer, "{path}");
    }
}

#[test]
fn a_prefix_matches_whole_elements() {
    let host = host(&[("/aaa", Prefix)]);
    expect(&host, &[("/aaa", enter(0)), ("/aaa/", enter(0)), ("/aaa/cccc", enter(0))]);
    expect(&host, &[("/aaacccc", None), ("/aa", None), ("/", None), ("/AAA", None)]);
}

#[test]
fn an_exact_path_matches_itself_only() {
    let host = host(&[("/exact", Exact)]);
    expect(&host, &[("/exact", enter(0)), ("/exact/", None), ("/exact/x", None), ("/exac", None)]);
}

#[test]
fn exact_beats_prefix() {
    let host = host(&[("/foo", Prefix), ("/foo", Exact), ("/", Prefix), ("/", Exact)]);
    expect(&host, &[("/foo", enter(1)), ("/foo/", enter(0)), ("/foo/bar", enter(0))]);
    expect(&host, &[("/foobar", enter(2)), ("/", enter(3)), ("/bar", enter(2))]);
}

#[test]
fn the_longest_prefix_wins_in_any_order() {
    let host = host(&[("/", Prefix), ("/a/b/c", Prefix), ("/a", Prefix), ("/a/b", Prefix)]);
    expect(&host, &[("/a/b/c/d", enter(1)), ("/a/b/x", enter(3)), ("/a/x", enter(2))]);
    expect(&host, &[("/a/bc", enter(2)), ("/ab", enter(0)), ("/a/b/c", enter(1))]);
}

#[test]
fn a_neighbour_between_a_prefix_and_the_path_does_not_hide_the_prefix() {
    let host = host(&[("/a", Prefix), ("/a/m", Prefix), ("/a/n", Exact)]);
    expect(&host, &[("/a/z", enter(0)), ("/a/n/x", enter(0)), ("/a/mm", enter(0))]);
}

#[test]
fn a_path_with_a_slash_at_its_end_redirects_the_path_without() {
    let host = host(&[("/foo/", Prefix), ("/bar/", Exact), ("/", Prefix)]);
    expect(&host, &[("/foo", add_slash(0)), ("/foo/", enter(0)), ("/foo/x", enter(0))]);
    expect(&host, &[("/bar", add_slash(1)), ("/bar/", enter(1)), ("/bar/x", enter(2))]);
}

#[test]
fn the_redirect_gives_way_to_a_route_of_that_very_path() {
    let host = host(&[("/foo/", Prefix), ("/foo", Exact), ("/bar/", Exact), ("/bar", Prefix)]);
    expect(&host, &[("/foo", enter(1)), ("/foo/", enter(0))]);
    expect(&host, &[("/bar", enter(3)), ("/bar/", enter(2)), ("/bar/x", enter(3))]);
}

#[test]
fn a_prefix_that_ends_in_two_slashes_does_not_redirect_for_ever() {
    let host = host(&[("/foo/", Prefix), ("/foo//", Prefix)]);
    expect(&host, &[("/foo/", enter(0)), ("/foo", add_slash(0))]);
}

#[test]
fn of_equal_routes_the_first_counts() {
    let host = host(&[("/a", Prefix), ("/a", Prefix), ("/b", Exact), ("/b", Exact)]);
    expect(&host, &[("/a", enter(0)), ("/a/x", enter(0)), ("/b", enter(2))]);
}

#[test]
fn a_prefix_that_was_written_with_its_slash_has_what_lies_below() {
    let host = host(&[("/a", Prefix), ("/a/", Prefix)]);
    expect(&host, &[("/a", enter(0)), ("/a/", enter(1)), ("/a/x", enter(1))]);
}

#[test]
fn without_routes_nothing_is_found() {
    let host = host(&[]);
    expect(&host, &[("/", None), ("", None)]);
}

#[test]
fn bytes_are_compared_not_letters() {
    let host = host(&[("/straße", Prefix), ("/a b", Exact), ("/.*", Prefix)]);
    expect(&host, &[("/straße/x", enter(0)), ("/stra", None), ("/a b", enter(1)), ("/x", None)]);
    assert_eq!(host.find(b"/\xff\x00"), None);
}
