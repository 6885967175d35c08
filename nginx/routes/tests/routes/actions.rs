//! What becomes of requests beyond where they go.

use wick_routes::{Actions, HostRoutes, PathMatch, RecordError};

use crate::support::{CRITICAL, field, named, record, required, route};

const ACTIONS: u8 = 29 | CRITICAL;

fn host(actions: &[Vec<u8>]) -> Result<HostRoutes, RecordError> {
    let mut fields = required("/", PathMatch::Prefix);
    fields.push(field(ACTIONS, &actions.concat()));
    HostRoutes::decode(b"a.test", &record(&[route(&fields)]))
}

fn decode(actions: &[Vec<u8>]) -> Result<Actions, RecordError> {
    Ok(*host(actions)?.routes()[0].actions.clone().expect("it has some"))
}

#[test]
fn without_any_field_nothing_becomes_of_them() {
    assert_eq!(decode(&[]), Ok(Actions::default()));
}

#[test]
fn what_would_end_a_line_early_is_refused() {
    for (id, value) in [
        (1 | CRITICAL, named(b"X-A", b"a\r\nX-B: b")),
        (2 | CRITICAL, named(b"X-A", b"a\0")),
        (3, named(b"X A", b"a")),
        (4, named(b"", b"a")),
        (5 | CRITICAL, b"/a\r\n".to_vec()),
        (5 | CRITICAL, b"a".to_vec()),
        (5 | CRITICAL, b"".to_vec()),
    ] {
        assert_eq!(decode(&[field(id, &value)]), Err(RecordError::Field), "{id}");
    }
}

#[test]
fn numbers_are_within_their_bounds() {
    let ms = |ms: i64| decode(&[field(7, &ms.to_le_bytes())]);
    assert_eq!(ms(1).map(|actions| actions.request_timeout), Ok(Some(1)));
    assert_eq!(ms(0), Err(RecordError::Field));
    let code = |code: u16| decode(&[field(9, &code.to_le_bytes())]);
    assert_eq!(code(599).map(|actions| actions.retry_codes), Ok([599].into()));
    assert_eq!((code(399), code(600)), (Err(RecordError::Field), Err(RecordError::Field)));
}

#[test]
fn a_copy_is_of_all_requests_unless_of_a_part() {
    let mirror = |more: &[Vec<u8>]| {
        let fields = [field(1 | CRITICAL, b"b"), more.concat()].concat();
        decode(&[field(10, &fields)]).map(|actions| actions.mirrors[0].part)
    };
    let number = |id: u8, number: u32| field(id | CRITICAL, &number.to_le_bytes());
    assert_eq!(mirror(&[]), Ok((100, 100)));
    assert_eq!(mirror(&[number(4, 20)]), Ok((20, 100)));
    assert_eq!(mirror(&[number(4, 0), number(5, 7)]), Ok((0, 7)));
    assert_eq!(mirror(&[number(5, 7)]), Ok((7, 7)));
    assert_eq!(mirror(&[number(5, 0)]), Err(RecordError::Field));
    assert_eq!(decode(&[field(10, &[])]), Err(RecordError::Missing));
}

#[test]
fn variables_of_a_copy_have_the_names_of_routes_variables() {
    let mirror = |variable: &[u8]| {
        let fields = [field(1 | CRITICAL, b"b"), field(3 | CRITICAL, variable)].concat();
        decode(&[field(10, &fields)]).map(|actions| actions.mirrors[0].variables[0].value.clone())
    };
    assert_eq!(mirror(&named(b"proxy_ssl_name", b"$a")), Ok(b"$a"[..].into()));
    assert_eq!(mirror(&named(b"proxy-ssl-name", b"a")), Err(RecordError::Field));
    assert_eq!(mirror(&named(b"a", b"a\n")), Err(RecordError::Field));
}

#[test]
fn a_route_of_which_something_must_be_known_is_not_served() {
    for actions in [field(99 | CRITICAL, b""), field(10, &field(99 | CRITICAL, b""))] {
        assert_eq!(host(&[actions]).expect("a host").routes()[0].unknown, Some(99));
    }
}
