//! The rules by which a path finds its route, one by one.

use crate::support::{
    self, Sketch, field, find_with, needing, record, required, route, sketch, sketched,
};
use wick_routes::PathMatch::{
    Exact, Pattern, PatternAnyCase, Prefix, Regex, StringPrefix, StringPrefixFinal,
};
use wick_routes::{Action, Asks, Condition, HostRoutes, Match, PathMatch, Route};

fn host(routes: &[(&str, PathMatch)]) -> HostRoutes {
    let sketches: Vec<_> = routes.iter().map(|(path, m)| sketch(path, *m)).collect();
    HostRoutes::decode(b"shop.test", &sketched(&sketches))
        .expect("a record that we wrote ourselves")
}

/// Each with the location in which it stands; empty: none.
fn nested(routes: &[(&str, &str, PathMatch)]) -> HostRoutes {
    let within = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    let sketches: Vec<Sketch> = routes
        .iter()
        .map(|(name, path, m)| Sketch { within: within(name), ..sketch(path, *m) })
        .collect();
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
fn a_prefix_of_bytes_matches_what_begins_with_it() {
    let host = host(&[("/aa", StringPrefix), ("/aab", StringPrefix), ("/c/", StringPrefix)]);
    expect(
        &host,
        &[("/aa", enter(0)), ("/aa/", enter(0)), ("/aac", enter(0)), ("/aabc", enter(1))],
    );
    expect(&host, &[("/a", None), ("/c", add_slash(2)), ("/c/x", enter(2)), ("/cc", None)]);
}

#[test]
fn it_gives_way_to_longer_paths_of_any_kind_and_to_exact_ones() {
    let host = host(&[("/a", StringPrefix), ("/a/b", Prefix), ("/ab", Exact), ("/", Prefix)]);
    expect(&host, &[("/a/b", enter(1)), ("/a/b/c", enter(1)), ("/a/bc", enter(0))]);
    expect(&host, &[("/ab", enter(2)), ("/abc", enter(0)), ("/b", enter(3))]);
}

#[test]
fn where_the_longest_prefix_is_final_no_pattern_is_tried() {
    let host = host(&[("/a", StringPrefixFinal), ("/a/b", StringPrefix), ("x$", Pattern)]);
    expect(&host, &[("/ax", enter(0)), ("/a", enter(0)), ("/x", enter(2))]);
    // A longer one that is not final hides it.
    expect(&host, &[("/a/bx", enter(2)), ("/a/b", enter(1)), ("/a/x", enter(0))]);
}

#[test]
fn patterns_match_anywhere_in_their_order_among_those_of_the_start() {
    let host =
        host(&[("/a", Regex), ("b", Pattern), ("^/B", PatternAnyCase), ("c$", PatternAnyCase)]);
    expect(&host, &[("/ab", enter(0)), ("/xb", enter(1)), ("/B", enter(2)), ("/xB", None)]);
    expect(&host, &[("/C", enter(3)), ("/Cx", None), ("/bc", enter(1))]);
}

#[test]
fn what_proxies_nothing_leads_nobody_to_its_slash() {
    let slashless = |path_match: PathMatch| {
        let fields = [required("/a/", path_match), vec![field(27, &[1])]].concat();
        HostRoutes::decode(b"shop.test", &record(&[route(&fields)])).unwrap()
    };
    for path_match in [Exact, Prefix, StringPrefix, StringPrefixFinal] {
        expect(&slashless(path_match), &[("/a", None), ("/a/", enter(0))]);
    }
}

#[test]
fn what_stands_within_a_location_is_searched_there_only() {
    let host = nested(&[
        ("/a/", "x$", Pattern),
        ("/a/", "/a/b", StringPrefix),
        ("/a/b", "y$", PatternAnyCase),
        ("", "x$", Pattern),
        ("", "/a/", StringPrefixFinal),
        ("", "/a/c", StringPrefix),
        ("", "/", Prefix),
    ]);
    // A final prefix keeps patterns beside it away, not those within it.
    expect(&host, &[("/a/x", enter(0)), ("/a/y", enter(4)), ("/x", enter(3)), ("/z", enter(6))]);
    expect(&host, &[("/a/b", enter(1)), ("/a/bY", enter(2)), ("/a/bx", enter(0))]);
    // A longer location beside the outer one hides what stands within that.
    expect(&host, &[("/a/cx", enter(3)), ("/a/c", enter(5))]);
}

#[test]
fn patterns_stand_within_patterns_and_within_paths_of_ingresses() {
    let host = nested(&[
        ("~ ^/a", "x$", Pattern),
        ("", "^/a", Pattern),
        ("~* ^/b", "y$", PatternAnyCase),
        ("", "/b", Regex),
        ("/c/", "z$", Pattern),
        ("", "/c", Prefix),
    ]);
    expect(&host, &[("/ax", enter(0)), ("/a", enter(1)), ("/x", None)]);
    expect(&host, &[("/B/Y", enter(2)), ("/b", enter(3)), ("/y", None)]);
    expect(&host, &[("/c/z", enter(4)), ("/c", enter(5)), ("/z", None)]);
}

#[test]
fn a_location_within_itself_or_within_none_has_an_end() {
    let inner = [("~ a", "a", Pattern), ("/b", "/b", StringPrefix), ("/gone", "/", StringPrefix)];
    let without = nested(&[&inner[..], &[("", "/", Prefix)]].concat());
    expect(&without, &[("/a", enter(3)), ("/b", enter(3)), ("/", enter(3))]);
    let with = nested(&[&inner[..], &[("", "a", Pattern), ("", "/b", StringPrefix)]].concat());
    expect(&with, &[("/a", enter(0)), ("/b", enter(1)), ("/", None)]);
}

/// Answers about patterns; there are no conditions.
struct Patterns<F>(F);

impl<E, F: FnMut(usize, &[u8]) -> Result<bool, E>> Asks for Patterns<F> {
    type Error = E;

    fn is_match(&mut self, _: usize, nth: usize, route: &Route) -> Result<bool, E> {
        self.0(nth, route.path())
    }

    fn meets(&mut self, _: usize, _: usize, _: &[Condition]) -> Result<bool, E> {
        unreachable!("no route has conditions")
    }
}

#[test]
fn a_pattern_is_asked_about_only_where_it_may_match_and_no_exact_route_does() {
    let host = host(&[("/cart/.*", Regex), ("/", Exact), ("/(cart|shop)", Regex)]);
    let asked = |path: &str| {
        let mut asked = Vec::new();
        let found = host.find(
            path.as_bytes(),
            &mut Patterns(|nth, pattern: &[u8]| {
                asked.push((nth, pattern.to_vec()));
                Ok::<_, ()>(false)
            }),
        );
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
    let ask = |nth, _: &[u8]| if nth == 0 { Err("gave up") } else { Ok(true) };
    let found = host.find(b"/ab", &mut Patterns(ask));
    assert_eq!(found, Err("gave up"));
}

#[test]
fn of_equal_routes_the_first_whose_conditions_hold_counts() {
    let all = [needing(3, "/a", Prefix), needing(1, "/a", Prefix), sketch("/a", Prefix)];
    let host = HostRoutes::decode(b"shop.test", &sketched(&all)).unwrap();
    for (has, route) in [(3, 0), (1, 1), (2, 2), (0, 2)] {
        assert_eq!(find_with(&host, b"/a/b", has), enter(route), "{has}");
    }
    // No order but that of the record.
    let all = [sketch("/a", Prefix), needing(3, "/a", Prefix)];
    let host = HostRoutes::decode(b"shop.test", &sketched(&all)).unwrap();
    assert_eq!(find_with(&host, b"/a/b", 3), enter(0));
}

#[test]
fn where_no_condition_holds_the_next_best_path_serves() {
    let all = [
        needing(1, "/a/b", Exact),
        needing(1, "/a/.*", Regex),
        needing(1, "/a/b", Prefix),
        sketch("/a", Prefix),
        needing(2, "/", Prefix),
    ];
    let host = HostRoutes::decode(b"shop.test", &sketched(&all)).unwrap();
    assert_eq!(find_with(&host, b"/a/b", 1), enter(0));
    assert_eq!(find_with(&host, b"/a/b/c", 1), enter(1));
    assert_eq!(find_with(&host, b"/a/b", 0), enter(3));
    assert_eq!(find_with(&host, b"/x", 2), enter(4));
    assert_eq!(find_with(&host, b"/x", 1), None);
}

#[test]
fn a_slash_is_added_only_for_requests_that_the_route_is_for() {
    let all = [needing(1, "/foo/", Prefix), sketch("/", Prefix)];
    let host = HostRoutes::decode(b"shop.test", &sketched(&all)).unwrap();
    assert_eq!(find_with(&host, b"/foo", 1), add_slash(0));
    assert_eq!(find_with(&host, b"/foo", 0), enter(1));
}
