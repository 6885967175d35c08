//! What conditions compare, and what tells routes with conditions apart.

use std::borrow::Cow;

use wick_routes::{Condition, Head, HostRoutes, PathMatch, RecordError, Route, Subject, Wanted};

use crate::support::{CRITICAL, condition, field, record, required, route};

struct Request;

impl Head<'static> for Request {
    fn method(&self) -> &'static [u8] {
        b"PATCH"
    }

    fn header(&self, name: &[u8]) -> Option<Cow<'static, [u8]>> {
        (name == b"x-one").then_some(Cow::Borrowed(b"1"))
    }

    fn query(&self) -> &'static [u8] {
        b"a=b%20c&d"
    }

    fn scheme(&self) -> &'static [u8] {
        b"https"
    }
}

fn decode(conditions: &[Vec<u8>]) -> Result<Route, RecordError> {
    let mut fields = required("/", PathMatch::Prefix);
    fields.extend_from_slice(conditions);
    Ok(HostRoutes::decode(b"a.test", &record(&[route(&fields)]))?.routes()[0].clone())
}

#[test]
fn a_condition_compares_what_it_names() {
    let value = |of, name: &str| {
        let route = decode(&[condition(of, name.as_bytes(), b"")]).expect("a record");
        route.conditions[0]
            .value(&Request)
            .map(|value| String::from_utf8_lossy(&value).into_owned())
    };
    assert_eq!(value(1, "").as_deref(), Some("PATCH"));
    assert_eq!(value(2, "x-one").as_deref(), Some("1"));
    assert_eq!(value(2, "X-One").as_deref(), Some("1"));
    assert_eq!(value(2, "x-two"), None);
    assert_eq!(value(3, "a").as_deref(), Some("b c"));
    assert_eq!(value(3, "d").as_deref(), Some(""));
    assert_eq!(value(3, "x-one"), None);
    assert_eq!(value(4, "").as_deref(), Some("https"));
}

#[test]
fn a_value_is_exact_unless_it_is_a_pattern() {
    let with = |how: &[u8]| {
        let how = if how.is_empty() { vec![] } else { field(3 | CRITICAL, how) };
        let fields = [field(1 | CRITICAL, &[1]), how, field(4 | CRITICAL, b"v")].concat();
        decode(&[field(24 | CRITICAL, &fields)]).map(|route| route.conditions[0].clone())
    };
    let of_method = |wanted| Ok(Condition { subject: Subject::Method, wanted });
    assert_eq!(with(&[]), of_method(Wanted::Exact((*b"v").into())));
    assert_eq!(with(&[1]), of_method(Wanted::Exact((*b"v").into())));
    assert_eq!(with(&[2]), of_method(Wanted::Pattern((*b"v").into())));
    assert_eq!(with(&[3]), Err(RecordError::Field));
}

#[test]
fn what_is_no_condition_is_refused() {
    for (bytes, error) in [
        (condition(2, b"", b"v"), RecordError::Missing),
        (condition(3, b"", b"v"), RecordError::Missing),
        (condition(1, b"name", b"v"), RecordError::Field),
        (condition(4, b"name", b"v"), RecordError::Field),
        (condition(5, b"", b"v"), RecordError::Field),
        (condition(1, b"", &[b'a'; 4097]), RecordError::Field),
        (field(24 | CRITICAL, &field(4 | CRITICAL, b"v")), RecordError::Missing),
        (field(24 | CRITICAL, &field(1 | CRITICAL, &[1])), RecordError::Missing),
        (field(24 | CRITICAL, b"x"), RecordError::Length),
    ] {
        assert_eq!(decode(&[bytes]).err(), Some(error));
    }
}

/// What is kept for a route, an answer that let a client in say, must not be another's.
#[test]
fn conditions_tell_routes_apart() {
    let all = [
        vec![],
        vec![condition(1, b"", b"GET")],
        vec![condition(2, b"a", b"bc")],
        vec![condition(2, b"ab", b"c")],
        vec![condition(3, b"ab", b"c")],
        vec![condition(2, b"a", b"bc"), condition(1, b"", b"GET")],
        vec![condition(1, b"", b"GET"), condition(2, b"a", b"bc")],
    ];
    let identities = all.map(|conditions| decode(&conditions).expect("a record").identity());
    for (place, identity) in identities.iter().enumerate() {
        assert!(!identities[..place].contains(identity));
    }
}
