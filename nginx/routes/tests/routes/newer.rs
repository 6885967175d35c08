//! Records that a newer filter wrote: fields that are not known change nothing else, and close what they guard.

use std::rc::Rc;

use proptest::prelude::*;
use wick_routes::{ClientCertificate, HostRoutes, PathMatch, RecordError, Route};

use crate::fixtures;
use crate::support::{CRITICAL, field, named, record_of, redirect, required, route};

type Decoded = Result<(Vec<Route>, Option<ClientCertificate>), RecordError>;

fn decode(record: &[u8]) -> Decoded {
    let host = HostRoutes::decode(b"shop.test", record)?;
    let routes = host.routes().iter().cloned().map(without_bytes).collect();
    Ok((routes, host.client_certificate().cloned()))
}

/// From which bytes it was read is not what a route says.
fn without_bytes(mut route: Route) -> Route {
    let external = route.access.as_mut().and_then(|access| access.external.as_mut());
    if let Some(external) = external {
        Rc::make_mut(external).record = Box::default();
    }
    route
}

#[test]
fn an_unknown_field_at_each_place_changes_nothing() {
    let known = decode(&fixtures::record("host-everything.test.hex"));
    assert!(known.is_ok());
    assert_eq!(decode(&fixtures::record("newer/host-everything.test.hex")), known);
}

#[test]
fn a_critical_one_closes_its_route_and_no_other() {
    let (mut known, asked) = decode(&fixtures::record("host-everything.test.hex")).unwrap();
    known.last_mut().expect("a route").unknown = Some(127);
    assert_eq!(
        decode(&fixtures::record("newer/critical/host-everything.test.hex")),
        Ok((known, asked))
    );
}

/// The fields of a host, and those of two routes.
fn parts() -> [Vec<Vec<u8>>; 3] {
    let own = [(1, &b"ca"[..]), (2, &[1]), (3, b"CN=a")];
    let mut first = required("/cart", PathMatch::Prefix);
    first.extend([field(11, &redirect(301, b"/$1")), field(15, &named(b"a", b"b"))]);
    let mut second = required("/", PathMatch::Regex);
    second.extend([field(16, &named(b"X-A", b"b")), field(34, &5000i64.to_le_bytes())]);
    [own.map(|(id, bytes)| field(id | CRITICAL, bytes)).into(), first, second]
}

fn written([own, first, second]: &[Vec<Vec<u8>>; 3]) -> Vec<u8> {
    record_of(own, &[route(first), route(second)])
}

/// Ids that have no meaning, in a host and in a route.
fn unknown() -> impl Strategy<Value = u8> {
    prop_oneof![Just(0u8), 64u8..128]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]

    #[test]
    fn an_unknown_field_anywhere_changes_nothing_else(
        (part, place) in (0usize..3, any::<proptest::sample::Index>()),
        (id, is_critical, bytes) in (unknown(), any::<bool>(), any::<Vec<u8>>()),
    ) {
        let (mut parts, known) = (parts(), decode(&written(&parts())));
        let tag = if is_critical { id | CRITICAL } else { id };
        let place = place.index(parts[part].len() + 1);
        parts[part].insert(place, field(tag, &bytes));
        let newer = decode(&written(&parts));
        match (is_critical, part) {
            (false, _) => prop_assert_eq!(newer, known),
            (true, 0) => prop_assert_eq!(newer, Err(RecordError::Critical(id))),
            (true, _) => {
                let (mut routes, asked) = known.unwrap();
                routes[part - 1].unknown = Some(id);
                prop_assert_eq!(newer, Ok((routes, asked)));
            }
        }
    }
}

#[test]
fn an_unknown_condition_or_backend_closes_its_route() {
    let condition = [field(1 | CRITICAL, &[1]), field(4 | CRITICAL, b"GET")];
    let backend = [field(1 | CRITICAL, &1u32.to_le_bytes()), field(2 | CRITICAL, b"b")];
    for (id, known) in [(24, condition), (25, backend)] {
        let with = |more: Vec<u8>| {
            let mut fields = required("/", PathMatch::Prefix);
            fields.push(field(id | CRITICAL, &[known.concat(), more].concat()));
            decode(&record_of(&[], &[route(&fields)])).map(|(mut routes, _)| routes.remove(0))
        };
        let plain = with(vec![]).expect("a record");
        assert_eq!(with(field(99 | CRITICAL, b"")).expect("a record").unknown, Some(99));
        assert_eq!(with(field(99, b"")), Ok(plain));
        assert_eq!(with(field(1 | CRITICAL, b"no")), Err(RecordError::Field));
    }
}

/// What a route says of access has fields of its own: they are no less critical.
#[test]
fn an_unknown_check_closes_its_route_and_no_other() {
    let with = |check: Vec<u8>| {
        let access = field(17 | CRITICAL, &[field(1 | CRITICAL, b"list"), check].concat());
        let mut fields = required("/", PathMatch::Prefix);
        fields.push(access);
        let plain = route(&required("/open", PathMatch::Prefix));
        decode(&record_of(&[], &[route(&fields), plain])).map(|(routes, _)| routes)
    };
    let closed = with(field(99 | CRITICAL, b"newer")).expect("a record");
    assert_eq!(closed.iter().map(|route| route.unknown).collect::<Vec<_>>(), [Some(99), None]);
    let known = with(field(99, b"newer")).expect("a record");
    assert_eq!(known[0].unknown, None);
    assert_eq!(known[0].access.as_ref().unwrap().allow.as_deref(), Some(&b"list"[..]));
    assert_eq!(with(field(2, b"")), Err(RecordError::Field));
}

/// So are those of what it says of TLS: without one the backend might be spoken to unverified.
#[test]
fn unknown_tls_closes_its_route_wherever_it_stands() {
    let tls = |id: u8, tls: Vec<u8>| field(id | CRITICAL, &tls);
    let of_share = |it: Vec<u8>| {
        let weight = field(1 | CRITICAL, &1u32.to_le_bytes());
        field(25 | CRITICAL, &[weight, field(2 | CRITICAL, b"b"), tls(11, it)].concat())
    };
    let of_mirror = |it: Vec<u8>| {
        let mirror = [field(1 | CRITICAL, b"b"), tls(6, it)].concat();
        field(29 | CRITICAL, &field(10, &mirror))
    };
    let of_service = |it: Vec<u8>| {
        let asked = [&b"a"[..], b"b", b"/", b"a.test"];
        let asked = (1u8..).zip(asked).map(|(id, value)| field(id | CRITICAL, value));
        let asked: Vec<u8> = asked.chain([tls(15, it)]).flatten().collect();
        field(17 | CRITICAL, &field(6 | CRITICAL, &asked))
    };
    let places: [&dyn Fn(Vec<u8>) -> Vec<u8>; 4] =
        [&|it| tls(31, it), &of_share, &of_mirror, &of_service];
    for place in places {
        let with = |said: Vec<u8>| {
            let mut fields = required("/", PathMatch::Prefix);
            fields.push(place(said));
            decode(&record_of(&[], &[route(&fields)])).map(|(routes, _)| routes[0].clone())
        };
        assert_eq!(with(field(99 | CRITICAL, b"")).expect("a record").unknown, Some(99));
        assert_eq!(with(field(99, b"")).expect("a record").unknown, None);
        for wrong in [(1, &b"a b"[..]), (2, &[0, 0, 0, 0]), (3, b"a\n"), (6, b"A B"), (7, &[3])] {
            let wrong = field(wrong.0 | CRITICAL, wrong.1);
            assert_eq!(with(wrong), Err(RecordError::Field));
        }
        let names = field(3 | CRITICAL, b"a.test").repeat(17);
        assert_eq!(with(names), Err(RecordError::Field));
    }
}
