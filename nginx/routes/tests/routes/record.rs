//! Reading records: what was written comes back, and no bytes do harm.

use crate::support::{field, record, required, route};
use proptest::prelude::*;
use wick_routes::{HostRoutes, Overrides, PathMatch, RecordError, Value};

fn error(record: &[u8]) -> RecordError {
    HostRoutes::decode(b"shop.test", record).map(|_| ()).expect_err("a record that must be refused")
}

fn with(extra: Vec<u8>) -> Vec<u8> {
    record(&[route(&[required("/", PathMatch::Prefix), vec![extra]].concat())])
}

#[test]
fn every_field_comes_back() {
    let mut fields = required("/cart", PathMatch::Exact);
    for (id, text) in (5..).zip(["shop", "cart-ingress", "cart", "http", "/cart"]) {
        fields.push(field(id, text.as_bytes()));
    }
    fields.push(field(10, &503u16.to_le_bytes()));
    for (id, number) in (32..).zip([1i64, 0x7fff_ffff, 60_000, 1 << 53]) {
        fields.push(field(id, &number.to_le_bytes()));
    }
    let host = HostRoutes::decode(b"shop.test", &record(&[route(&fields)])).unwrap();
    let [route] = host.routes() else { panic!("one route") };
    assert_eq!((route.path(), route.slashed_path()), (&b"/cart"[..], &b"/cart/"[..]));
    assert_eq!((route.path_match, route.policy()), (PathMatch::Exact, &b"policy"[..]));
    let values = Value::ALL.map(|value| std::str::from_utf8(route.value(value)).unwrap());
    assert_eq!(values, ["backend", "shop", "cart-ingress", "cart", "http", "/cart", "shop.test"]);
    assert_eq!(route.values(), values.concat().as_bytes());
    assert_eq!(route.value_lengths(), values.map(|value| value.len() as u32));
    assert_eq!(route.status.map(u16::from), Some(503));
    let overrides = Overrides {
        connect_timeout_ms: Some(1),
        send_timeout_ms: Some(0x7fff_ffff),
        read_timeout_ms: Some(60_000),
        max_body_bytes: Some(1 << 53),
    };
    assert_eq!(route.overrides, overrides);
}

#[test]
fn what_is_absent_is_empty() {
    let host = HostRoutes::decode(b"shop.test", &with(Vec::new())).unwrap();
    let route = &host.routes()[0];
    assert_eq!(route.value(Value::LocationPath), b"");
    assert_eq!(route.values(), b"backendshop.test");
    assert!(route.status.is_none() && route.overrides.is_empty());
}

#[test]
fn unknown_fields_are_skipped() {
    assert!(HostRoutes::decode(b"shop.test", &with(field(200, b"from the future"))).is_ok());
}

#[test]
fn an_unknown_version_is_refused() {
    let mut bytes = with(Vec::new());
    bytes[0] = 2;
    assert_eq!(error(&bytes), RecordError::Version(2));
}

#[test]
fn impossible_values_are_refused() {
    let milliseconds = |ms: i64| with(field(34, &ms.to_le_bytes()));
    let bytes = |size: i64| with(field(35, &size.to_le_bytes()));
    let status = |code: u16| with(field(10, &code.to_le_bytes()));
    for wrong in
        [milliseconds(0), milliseconds(-1), milliseconds(1 << 31), bytes(-1), bytes((1 << 53) + 1)]
    {
        assert_eq!(error(&wrong), RecordError::Field);
    }
    for wrong in
        [status(0), status(399), status(600), with(field(10, &[1])), with(field(34, &[0; 4]))]
    {
        assert_eq!(error(&wrong), RecordError::Field);
    }
    for wrong in
        [with(field(2, &[2])), with(field(2, &[])), with(field(1, b"cart")), with(field(1, b""))]
    {
        assert_eq!(error(&wrong), RecordError::Field);
    }
}

#[test]
fn a_route_needs_its_four_fields() {
    for missing in 0..4 {
        let mut fields = required("/", PathMatch::Prefix);
        fields.remove(missing);
        assert_eq!(error(&record(&[route(&fields)])), RecordError::Missing);
    }
}

#[test]
fn a_cut_or_lengthened_record_is_refused() {
    let whole = with(field(5, b"shop"));
    for len in 0..whole.len() {
        assert_eq!(error(&whole[..len]), RecordError::Length, "{len}");
    }
    assert_eq!(error(&[&whole[..], &[0]].concat()), RecordError::Length);
}

#[test]
fn a_count_that_lies_reserves_no_memory() {
    assert_eq!(error(&[1, 0, 0, 0, 0xff, 0xff, 0xff, 0xff]), RecordError::Length);
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let paths = proptest::collection::vec("/[a-c/]{0,6}", 0..6);
    let damage = proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4);
    (paths, damage).prop_map(|(paths, damage)| {
        let routes = paths.iter().map(|path| route(&required(path, PathMatch::Prefix)));
        let mut bytes = record(&routes.collect::<Vec<_>>());
        damage.iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = *byte);
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_bytes_panic(bytes in prop_oneof![any::<Vec<u8>>(), damaged()], path in any::<Vec<u8>>()) {
        if let Ok(host) = HostRoutes::decode(b"shop.test", &bytes) {
            if let Some(found) = host.find(&path) {
                prop_assert!(found.route < host.routes().len());
            }
            for route in host.routes() {
                prop_assert!(route.path().starts_with(b"/") && route.slashed_path().ends_with(b"/"));
            }
        }
    }
}
