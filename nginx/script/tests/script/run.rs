//! What steps do, and how a request goes on.

use wick_script::{Directive, End, Flag, MAX_BYTES, Test};

use crate::fake::{Fake, Fault, returned, rewrite, script, set};

const ON: Result<End<'static>, Fault> = Ok(End::Done { is_moved: false });
const MOVED: Result<End<'static>, Fault> = Ok(End::Done { is_moved: true });

fn text(code: u16, text: &'static str) -> Result<End<'static>, Fault> {
    Ok(End::Return { code, text: Some(text.as_bytes()) })
}

/// `if (value test) { body }` whose body is one step.
fn when<'a>(value: &'a str, test: Test<'a>) -> Directive<'a> {
    Directive::If { value: value.as_bytes(), test, skip: 1, level: None }
}

fn holds(value: &str, test: Test<'_>) -> bool {
    let script = script(&[when(value, test), returned(403, None)]);
    let mut request = Fake::new(&script, "/a").with("x", "1").with("zero", "0").with("name", "Bob");
    match request.run() {
        Ok(End::Return { code: 403, text: None }) => true,
        other => {
            assert_eq!(other, ON);
            false
        }
    }
}

#[test]
fn conditions_hold_as_in_nginx() {
    assert!(holds("$x", Test::Filled) && holds("00", Test::Filled));
    assert!(!holds("$zero", Test::Filled) && !holds("$none", Test::Filled));
    assert!(holds("$name", Test::Equal(b"Bob")) && !holds("$name", Test::Equal(b"bob")));
    assert!(holds("$name", Test::Unequal(b"bob")) && !holds("$none", Test::Unequal(b"")));
    assert!(holds("$name", Test::Equal(b"${name}")) && holds("${x}0", Test::Equal(b"$x$zero")));
    for (any_case, pattern, is_match) in
        [(false, "Bo", true), (false, "bo", false), (true, "bO", true), (true, "x", false)]
    {
        let pattern = pattern.as_bytes();
        assert_eq!(holds("$name", Test::Match { pattern, any_case }), is_match);
        assert_eq!(holds("$name", Test::Mismatch { pattern, any_case }), !is_match);
    }
}

#[test]
fn the_last_level_whose_condition_holds_is_in_force() {
    let when =
        |value, level| Directive::If { value, test: Test::Filled, skip: 0, level: Some(level) };
    let script = script(&[when(b"$x", 1), when(b"$none", 2), when(b"$x", 3), when(b"$none", 4)]);
    let mut request = Fake::new(&script, "/").with("x", "1");
    assert_eq!(request.run(), ON);
    assert_eq!(request.level, 3);
}

#[test]
fn a_body_is_passed_over_as_a_whole() {
    let inner = Directive::If { value: b"1", test: Test::Filled, skip: 1, level: None };
    let outer = Directive::If { value: b"$none", test: Test::Filled, skip: 3, level: None };
    let script = script(&[outer, set("a", "1"), inner, set("a", "2"), returned(200, Some("a$a"))]);
    assert_eq!(Fake::new(&script, "/").run(), text(200, "a"));
}

#[test]
fn groups_are_those_of_the_last_pattern_that_was_tried() {
    let tested = |pattern| Directive::If {
        value: b"$uri",
        test: Test::Match { pattern, any_case: false },
        skip: 0,
        level: None,
    };
    let first = script(&[
        tested(b"/a/"),
        set("one", "$1"),
        set("two", "$one-$2"),
        returned(200, Some("$two")),
    ]);
    assert_eq!(Fake::new(&first, "/a/b").run(), text(200, "b-"));
    let second = script(&[tested(b"/a/"), tested(b"/b/"), returned(200, Some("<$1>"))]);
    assert_eq!(Fake::new(&second, "/a/b").run(), text(200, "<>"));
    let named = script(&[tested(b"/a/+"), returned(200, Some("<$REST>"))]);
    assert_eq!(Fake::new(&named, "/a/b").run(), text(200, "<b>"));
}

#[test]
fn a_path_is_rewritten_and_its_arguments_are_appended() {
    for (value, from, to) in [
        ("/b/$1", "/a/x", "/b/x?"),
        ("/b/$1", "/a/x?q=1", "/b/x?q=1"),
        ("/b?p=$1", "/a/x?q=1", "/b?p=x&q=1"),
        ("/b?p=$1?", "/a/x?q=1", "/b?p=x"),
        ("/b?", "/a/x?q=1", "/b?"),
        ("/b?p=1?&$1", "/a/x", "/b?p=1?&x"),
        ("$var", "/a/x?q=1", "/v?w?q=1"),
        ("$var?p", "/a/x?q=1", "/v?w?p&q=1"),
    ] {
        let script = script(&[rewrite("/a/", value, Flag::Break)]);
        let mut request = Fake::new(&script, from).with("var", "/v?w");
        assert_eq!(request.run(), Ok(End::Stopped), "{value}");
        assert_eq!(request.target(), to, "{value}");
    }
}

#[test]
fn flags_say_how_a_request_goes_on() {
    for (flag, end) in
        [(Flag::None, MOVED), (Flag::Last, Ok(End::Again)), (Flag::Break, Ok(End::Stopped))]
    {
        let matching = script(&[rewrite("/a", "/b", flag), set("x", "1")]);
        let mut request = Fake::new(&matching, "/a");
        assert_eq!(request.run(), end);
        assert_eq!(request.target(), "/b?");
        assert_eq!(request.variables.contains_key(&b"x"[..]), flag == Flag::None);
        let other = script(&[rewrite("/c", "/b", flag)]);
        assert_eq!(Fake::new(&other, "/a").run(), ON);
    }
    let stopped = script(&[rewrite("/a", "/b", Flag::None), Directive::Break, returned(403, None)]);
    assert_eq!(Fake::new(&stopped, "/a").run(), Ok(End::Stopped));
    let twice = script(&[rewrite("/a", "/b", Flag::None), rewrite("/b", "/c", Flag::Last)]);
    let mut request = Fake::new(&twice, "/a");
    assert_eq!((request.run(), request.target().as_str()), (Ok(End::Again), "/c?"));
}

#[test]
fn an_address_is_a_redirect_whatever_the_flag() {
    for (value, flag, code) in [
        ("http://b$uri", Flag::None, 302),
        ("https://b$uri", Flag::Break, 302),
        ("$scheme://b$uri", Flag::Last, 302),
        ("$scheme://b$uri", Flag::Permanent, 301),
        ("//b$uri", Flag::Redirect, 302),
    ] {
        let script = script(&[rewrite("/a", value, flag)]);
        let mut request = Fake::new(&script, "/a?q").with("scheme", "http");
        let to = value.replace("$scheme", "http").replace("$uri", "/a?q").into_bytes().leak();
        assert_eq!(request.run(), Ok(End::Redirect { code, location: to }));
        assert_eq!(request.target(), "/a?q", "it stays where it is");
    }
}

#[test]
fn an_address_has_the_escapes_that_it_needs() {
    for (value, location) in [
        ("http://b/$1", "http://b/x%20y%0D?q"),
        ("http://b/$uri", "http://b//a/x y%0D?q"),
        ("http://b/%61?c=%61", "http://b/a?c=%61&q"),
        ("http://b/?", "http://b/"),
    ] {
        let script = script(&[rewrite("/a/", value, Flag::Permanent)]);
        let mut request = Fake::new(&script, "/a/x y\r?q");
        request.has_escapes = true;
        let location = location.as_bytes();
        assert_eq!(request.run(), Ok(End::Redirect { code: 301, location }));
    }
}

#[test]
fn groups_are_escaped_until_a_path_was_rewritten_and_in_arguments() {
    let tested = Directive::If {
        value: b"$uri",
        test: Test::Match { pattern: b"/a/", any_case: false },
        skip: 0,
        level: None,
    };
    let show = returned(200, Some("$x|$1"));
    let before = script(&[tested, set("x", "$1"), show]);
    let behind = script(&[rewrite("/", "/a/b&c", Flag::None), tested, set("x", "$1"), show]);
    for (script, has_escapes, shown) in
        [(&before, true, "b%26c|b&c"), (&before, false, "b&c|b&c"), (&behind, true, "b&c|b&c")]
    {
        let mut request = Fake::new(script, "/a/b&c");
        request.has_escapes = has_escapes;
        assert_eq!(request.run(), text(200, shown));
    }
    let args = script(&[rewrite("/a/", "/$1?p=$1", Flag::Break)]);
    let mut request = Fake::new(&args, "/a/b&c d");
    request.has_escapes = true;
    assert_eq!(request.run(), Ok(End::Stopped));
    assert_eq!(request.target(), "/b&c d?p=b%26c%20d");
}

#[test]
fn arguments_of_a_script_end_no_line() {
    let script = script(&[rewrite("/", "/x?p=$var", Flag::Break)]);
    let mut request = Fake::new(&script, "/a?q").with("var", "1 HTTP/1.1\r\nX: y");
    assert_eq!(request.run(), Ok(End::Stopped));
    assert_eq!(request.target(), "/x?p=1%20HTTP/1.1%0D%0AX:%20y&q");
}

#[test]
fn an_address_of_return_ends_no_line_and_a_body_may_have_many() {
    let value = "http://b/$var";
    for (code, shown) in [(302, "http://b/x%0D%0AY: z"), (200, "http://b/x\r\nY: z")] {
        let script = script(&[returned(code, Some(value))]);
        assert_eq!(Fake::new(&script, "/").with("var", "x\r\nY: z").run(), text(code, shown));
    }
}

#[test]
fn arguments_may_be_set() {
    let script = script(&[set("args", "a=$args"), rewrite("/", "/b", Flag::Last)]);
    let mut request = Fake::new(&script, "/a?q");
    assert_eq!((request.run(), request.target().as_str()), (Ok(End::Again), "/b?a=q"));
}

#[test]
fn a_path_is_not_empty() {
    let script = script(&[rewrite("/", "$none", Flag::Break)]);
    assert_eq!(Fake::new(&script, "/").run(), Err(Fault::BadPath));
}

#[test]
fn texts_have_an_end() {
    let doubled = [set("x", "$x$x"); 200];
    let script = script(&doubled);
    let mut request = Fake::new(&script, "/").with("x", "a long text that becomes longer");
    assert!(matches!(request.run(), Err(Fault::TooLong | Fault::OutOfMemory)));
    assert!(request.variables.values().all(|value| value.len() <= MAX_BYTES));
}
