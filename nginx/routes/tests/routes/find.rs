//! The rules by which a path finds its route, one by one.

use crate::support::{self, sketch, sketched};
use wick_routes::PathMatch::{Exact, Prefix, Regex};
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
        assert_eq!(support::find(host, path.as_bytes()), *answer, "{path}");
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
    assert_eq!(support::find(&host, b"/\xff\x00"), None);
}

#[test]
fn a_pattern_matches_at_the_start_whatever_the_case() {
    let host = host(&[("/id/.*x", Regex)]);
    expect(
        &host,
        &[("/id/1x", enter(0)), ("/ID/1X2", enter(0)), ("/id/1", None), ("/a/id/x", None)],
    );
}

#[test]
fn of_patterns_the_first_in_the_record_wins() {
    let host = host(&[("/foo/bar", Regex), ("/foo/.*", Regex), ("/foo/bar/baz", Regex)]);
    expect(&host, &[("/foo/bar/baz", enter(0)), ("/foo/x", enter(1)), ("/foo", None)]);
}

#[test]
fn exact_beats_pattern_beats_prefix() {
    let host = host(&[
        ("/a/b/c", Prefix),
        ("/", Prefix),
        ("/a/b*", Regex),
        ("/a/x", Exact),
        ("/slash/", Prefix),
        ("/slash", Regex),
    ]);
    expect(&host, &[("/a/b/c/d", enter(2)), ("/a/x", enter(3)), ("/a/x/", enter(2))]);
    expect(&host, &[("/b", enter(1)), ("/slash/x", enter(5))]);
    // As in nginx, which redirects while it looks at the plain locations.
    expect(&host, &[("/slash", add_slash(4)), ("/a/b/c", enter(0))]);
}

#[test]
fn a_pattern_is_asked_about_only_where_it_may_match_and_no_exact_route_does() {
    let host = host(&[("/cart/.*", Regex), ("/", Exact), ("/(cart|shop)", Regex)]);
    let asked = |path: &str| {
        let mut asked = Vec::new();
        let found = host.find(path.as_bytes(), |nth, pattern| {
            asked.push((nth, pattern.to_vec()));
            Ok::<_, ()>(false)
        });
        assert!(found.is_ok());
        asked
    };
    assert_eq!(asked("/"), []);
    assert_eq!(asked("/shop"), [(1, b"/(cart|shop)".to_vec())]);
    assert_eq!(asked("/CART/x"), [(0, b"/cart/.*".to_vec()), (1, b"/(cart|shop)".to_vec())]);
    assert_eq!(asked("/c"), [(1, b"/(cart|shop)".to_vec())]);
}

#[test]
fn a_pattern_without_an_answer_ends_the_search() {
    let host = host(&[("/a.", Regex), ("/a.*", Regex), ("/", Prefix)]);
    let found = host.find(b"/ab", |nth, _| if nth == 0 { Err("gave up") } else { Ok(true) });
    assert_eq!(found, Err("gave up"));
}
