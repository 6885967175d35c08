//! Reading records: what was written comes back, and no bytes do harm.

use crate::support::{field, find, named, record, record_of, redirect, required, route};
use proptest::prelude::*;
use wick_routes::{HostRoutes, Overrides, PathMatch, RecordError, Template, Value};

fn error(record: &[u8]) -> RecordError {
    HostRoutes::decode(b"shop.test", record).map(|_| ()).expect_err("a record that must be refused")
}

fn with(extra: Vec<u8>) -> Vec<u8> {
    record(&[route(&[required("/", PathMatch::Prefix), vec![extra]].concat())])
}

/// All overrides that are eight bytes long, by id.
const NUMBERS: [(u8, i64); 18] = [
    (32, 1),
    (33, 0x7fff_ffff),
    (34, 60_000),
    (35, 1 << 53),
    (37, 0),
    (38, 2),
    (39, 3),
    (40, 4),
    (41, 5),
    (44, 6),
    (45, 7),
    (48, 0),
    (49, 1 << 53),
    (50, 8),
    (51, 9),
    (52, 1),
    (54, (1 << 3) | (1 << 49)),
    (55, 1 << 49),
];

#[test]
fn every_field_comes_back() {
    let mut fields = required("/cart", PathMatch::Exact);
    for (id, text) in (5..).zip(["shop", "cart-ingress", "cart", "http", "/cart"]) {
        fields.push(field(id, text.as_bytes()));
    }
    fields.push(field(10, &503u16.to_le_bytes()));
    for (id, number) in NUMBERS {
        fields.push(field(id, &number.to_le_bytes()));
    }
    fields.push(field(36, &0b1000_0000_0101u32.to_le_bytes()));
    for (id, flag) in [(42, 1), (43, 0), (46, 0), (47, 1), (56, 0)] {
        fields.push(field(id, &[flag]));
    }
    fields.push(field(58, &429u16.to_le_bytes()));
    fields.push(field(59, b"read"));
    let host = HostRoutes::decode(b"shop.test", &record(&[route(&fields)])).unwrap();
    let [route] = host.routes() else { panic!("one route") };
    assert_eq!((route.path(), route.slashed_path()), (&b"/cart"[..], &b"/cart/"[..]));
    assert_eq!((route.path_match, route.location()), (PathMatch::Exact, &b"location"[..]));
    assert_eq!(route.rule(), b"read");
    let values = Value::ALL.map(|value| std::str::from_utf8(route.value(value)).unwrap());
    assert_eq!(values, ["backend", "shop", "cart-ingress", "cart", "http", "/cart", "shop.test"]);
    assert_eq!(route.values(), values.concat().as_bytes());
    assert_eq!(route.value_lengths(), values.map(|value| value.len() as u32));
    assert_eq!(route.status.map(u16::from), Some(503));
    let overrides = route.overrides.as_deref().expect("overrides");
    let words = overrides.proxy_next_upstream.map(|next| next.words().collect::<Vec<_>>());
    assert_eq!(words, Some(vec![0, 2, 11]));
    let expected = Overrides {
        proxy_connect_timeout_ms: Some(1),
        proxy_send_timeout_ms: Some(0x7fff_ffff),
        proxy_read_timeout_ms: Some(60_000),
        client_max_body_size_bytes: Some(1 << 53),
        proxy_next_upstream: overrides.proxy_next_upstream,
        proxy_next_upstream_tries: Some(0),
        proxy_next_upstream_timeout_ms: Some(2),
        proxy_buffer_size_bytes: Some(3),
        proxy_buffers_number: Some(4),
        proxy_busy_buffers_size_bytes: Some(5),
        proxy_buffering: Some(true),
        proxy_request_buffering: Some(false),
        proxy_max_temp_file_size_bytes: Some(6),
        client_body_buffer_size_bytes: Some(7),
        absolute_redirect: Some(false),
        port_in_redirect: Some(true),
        limit_rate_bytes: Some(0),
        limit_rate_after_bytes: Some(1 << 53),
        client_body_timeout_ms: Some(8),
        send_timeout_ms: Some(9),
        error_pages_400: Some(1),
        error_pages_450: None,
        error_pages_500: Some((1 << 3) | (1 << 49)),
        error_pages_550: Some(1 << 49),
        proxy_intercept_errors: Some(false),
        limit_req_status: None,
        limit_conn_status: Some(429),
    };
    assert_eq!(*overrides, expected);
    let codes = overrides.error_codes().map(Iterator::collect);
    assert_eq!(codes, Some(vec![400, 503, 549, 599]));
}

#[test]
fn errors_have_the_pages_of_the_location_unless_a_route_says_otherwise() {
    let codes = |numbers: Overrides| numbers.error_codes().map(Iterator::collect::<Vec<u16>>);
    assert_eq!(codes(Overrides::default()), None);
    assert_eq!(codes(Overrides { error_pages_550: Some(0), ..Overrides::default() }), Some(vec![]));
    for code in 400..600 {
        let mut numbers = Overrides::default();
        let set = 1 << ((code - 400) % 50);
        match (code - 400) / 50 {
            0 => numbers.error_pages_400 = Some(set),
            1 => numbers.error_pages_450 = Some(set),
            2 => numbers.error_pages_500 = Some(set),
            _ => numbers.error_pages_550 = Some(set),
        }
        assert_eq!(codes(numbers), Some(vec![code]));
    }
}

#[test]
fn what_is_absent_is_empty() {
    let host = HostRoutes::decode(b"shop.test", &with(Vec::new())).unwrap();
    let route = &host.routes()[0];
    assert_eq!(route.value(Value::LocationPath), b"");
    assert_eq!(route.values(), b"backendshop.test");
    assert_eq!((route.rule(), route.location()), (&b""[..], &b"location"[..]));
    assert!(route.status.is_none() && route.overrides.is_none());
    assert!(route.redirect.is_none() && route.https_redirect.is_none());
    assert!(route.rewrite.is_none() && !route.logs_rewrite && !route.rewrites_raw);
    assert!(route.variables.is_empty() && route.headers.is_empty());
}

#[test]
fn what_a_route_does_and_brings_comes_back() {
    let mut fields = required("/cart(/|$)(.*)", PathMatch::Regex);
    fields.push(field(11, &redirect(300, b"/new")));
    fields.push(field(12, &redirect(308, b"https://$redirect_host$redirect_uri")));
    fields.push(field(13, b"/$2"));
    fields.push(field(14, &[1]));
    fields.push(field(15, &named(b"upstream_vhost", b"$host")));
    fields.push(field(15, &named(b"a1", b"")));
    fields.push(field(16, &named(b"X-Frame-Options", b"DENY")));
    fields.push(field(16, &named(b"Server", b"")));
    let host = HostRoutes::decode(b"shop.test", &record(&[route(&fields)])).unwrap();
    let [route] = host.routes() else { panic!("one route") };
    assert_eq!((route.path_match, route.path()), (PathMatch::Regex, &b"/cart(/|$)(.*)"[..]));
    let redirects = [&route.redirect, &route.https_redirect].map(|r| r.as_deref().unwrap());
    let redirects = redirects.map(|r| (r.code, r.to.text()));
    assert_eq!(redirects, [(300, &b"/new"[..]), (308, b"https://$redirect_host$redirect_uri")]);
    assert_eq!(route.rewrite.as_deref().map(Template::text), Some(&b"/$2"[..]));
    assert!(route.logs_rewrite);
    let variables: Vec<_> = route.variables.iter().map(|v| (&*v.name, v.value.text())).collect();
    assert_eq!(variables, [(&b"upstream_vhost"[..], &b"$host"[..]), (b"a1", b"")]);
    let headers: Vec<_> = route.headers.iter().map(|h| (&*h.name, &*h.value)).collect();
    assert_eq!(headers, [(&b"X-Frame-Options"[..], &b"DENY"[..]), (b"Server", b"")]);
}

#[test]
fn what_a_route_cannot_do_is_refused() {
    let long = [b'a'; 254];
    for (id, bytes) in [
        (11, redirect(299, b"/")),
        (11, redirect(309, b"/")),
        (11, redirect(301, b"")),
        (12, vec![1]),
        (12, redirect(301, &[b'/'; 4097])),
        (13, vec![b'/'; 4097]),
        (14, vec![0]),
        (14, vec![1, 1]),
        (15, vec![]),
        (15, named(b"", b"x")),
        (15, named(b"Upper", b"x")),
        (15, named(&[b'a'; 64], b"x")),
        (15, vec![9, b'a']),
        (16, named(b"a b", b"x")),
        (16, named(&long, b"x")),
        (16, named(b"X-A", b"a\r\nX-B: b")),
        (59, vec![]),
        (59, vec![b'a'; 4097]),
        (59, b"a\nb".to_vec()),
    ] {
        assert_eq!(error(&with(field(id, &bytes))), RecordError::Field, "{id} {bytes:?}");
    }
    let long = format!("/{}", "a".repeat(4096));
    for path_match in [PathMatch::Regex, PathMatch::Pattern, PathMatch::PatternAnyCase] {
        assert_eq!(error(&record(&[route(&required(&long, path_match))])), RecordError::Field);
    }
    for path_match in [PathMatch::StringPrefix, PathMatch::StringPrefixFinal] {
        assert_eq!(error(&record(&[route(&required("a", path_match))])), RecordError::Field);
    }
    assert_eq!(error(&record(&[route(&required("", PathMatch::Pattern))])), RecordError::Field);
}

#[test]
fn unknown_fields_are_skipped() {
    let host = HostRoutes::decode(b"shop.test", &with(field(100, b"from the future"))).unwrap();
    assert_eq!(host.routes()[0].unknown, None);
}

#[test]
fn an_unknown_version_is_refused() {
    let mut bytes = with(Vec::new());
    bytes[0] = 4;
    assert_eq!(error(&bytes), RecordError::Version(4));
}

#[test]
fn impossible_values_are_refused() {
    let status = |code: u16| with(field(10, &code.to_le_bytes()));
    for wrong in [status(0), status(399), status(600), with(field(10, &[1]))] {
        assert_eq!(error(&wrong), RecordError::Field);
    }
    for wrong in
        [with(field(2, &[7])), with(field(2, &[])), with(field(1, b"cart")), with(field(1, b""))]
    {
        assert_eq!(error(&wrong), RecordError::Field);
    }
}

#[test]
fn impossible_numbers_are_refused() {
    for (id, _) in NUMBERS {
        let number = |number: i64| with(field(id, &number.to_le_bytes()));
        let is_size = [35, 44, 48, 49].contains(&id);
        let is_set = (52..=55).contains(&id);
        let min = if is_size || is_set || [37, 38].contains(&id) { 0 } else { 1 };
        let max = match () {
            _ if is_size => 1 << 53,
            _ if is_set => (1 << 50) - 1,
            _ => (1 << 31) - 1,
        };
        for wrong in [number(min - 1), number(max + 1), number(i64::MIN), with(field(id, &[0; 4]))]
        {
            assert_eq!(error(&wrong), RecordError::Field, "{id}");
        }
        for right in [number(min), number(max)] {
            assert!(HostRoutes::decode(b"shop.test", &right).is_ok(), "{id}");
        }
    }
    for id in [42, 43, 46, 47, 56] {
        for wrong in [with(field(id, &[2])), with(field(id, &[])), with(field(id, &[1, 0]))] {
            assert_eq!(error(&wrong), RecordError::Field, "{id}");
        }
    }
    let words = |bits: u32| with(field(36, &bits.to_le_bytes()));
    for wrong in [words(0), words(1 << 12), words(u32::MAX), with(field(36, &[1]))] {
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
fn a_length_that_lies_is_refused() {
    assert_eq!(error(&[3, 0xff, 0xff, 0xff, 0, 0, 0, 0]), RecordError::Length);
    assert_eq!(error(&field(3, &[6, 0xff, 0xff, 0xff])), RecordError::Length);
}

fn damaged() -> impl Strategy<Value = Vec<u8>> {
    let path_match =
        prop_oneof![Just(PathMatch::Exact), Just(PathMatch::Prefix), Just(PathMatch::Regex)];
    let paths = proptest::collection::vec(("/[a-c/]{0,6}", path_match), 0..6);
    let damage = proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 0..4);
    (paths, damage).prop_map(|(paths, damage)| {
        let templates = [
            field(11, &redirect(301, b"/$1")),
            field(15, &named(b"a", b"${host}$$")),
            field(16, &named(b"X-A", b"a")),
            field(18, &[1, 2, 3, 5].map(|id| field(id, b"a")).concat()),
        ];
        let fields =
            |(path, m): &(String, PathMatch)| [&required(path, *m)[..], &templates].concat();
        let routes = paths.iter().map(|path| route(&fields(path)));
        let own = [field(1, b"a"), field(2, &[1]), field(4, b"/login")];
        let mut bytes = record_of(&own, &routes.collect::<Vec<_>>());
        damage.iter().for_each(|(at, byte)| *at.get_mut(&mut bytes) = *byte);
        bytes
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 20_000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn no_bytes_panic(bytes in prop_oneof![any::<Vec<u8>>(), damaged()], path in any::<Vec<u8>>()) {
        if let Ok(host) = HostRoutes::decode(b"shop.test", &bytes) {
            if let Some(found) = find(&host, &path) {
                prop_assert!(found.route < host.routes().len());
            }
            for route in host.routes() {
                // Named locations have an @.
                prop_assert!(matches!(route.path().first(), Some(b'/' | b'@')));
                prop_assert!(route.slashed_path().ends_with(b"/"));
                for variable in &route.variables {
                    prop_assert!(variable.value.pieces().len() <= variable.value.text().len());
                }
            }
        }
    }
}
