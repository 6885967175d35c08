//! What a route says about other origins: read from its record, and which origins it means.

use proptest::prelude::*;
use wick_routes::{Cors, HostRoutes, Origins, PathMatch, RecordError};

use crate::support::{CRITICAL, field, record, required, route};
use crate::tries::tries;

fn allows(listed: &[&str], origin: &str) -> bool {
    let texts: Vec<&[u8]> = listed.iter().map(|text| text.as_bytes()).collect();
    match Origins::new(&texts, false) {
        Origins::All => true,
        Origins::Listed(listed) => listed.contains(origin.as_bytes()),
    }
}

#[test]
fn by_the_gateway_api_a_wildcard_is_any_number_of_labels() {
    let listed = ["https://*.bar.test", "http://*", "https://*:8443"].map(str::as_bytes);
    let Origins::Listed(wide) = Origins::new(&listed, true) else { panic!("a list") };
    for origin in
        ["https://a.bar.test", "https://a.b.bar.TEST", "http://a", "http://a.b", "https://x.y:8443"]
    {
        assert!(wide.contains(origin.as_bytes()), "{origin}");
    }
    for origin in [
        "https://bar.test",
        "https://abar.test",
        "https://a@b.bar.test",
        "https://a/.bar.test",
        "http://a:80",
        "https://x.y",
        "ftp://a.bar.test",
        "null",
        "",
    ] {
        assert!(!wide.contains(origin.as_bytes()), "{origin}");
    }
}

#[test]
fn origins_are_compared_from_end_to_end() {
    let listed = ["https://a.test", "http://b.test:8080", "null", "https://*.shop.test"];
    for origin in ["https://a.test", "HTTPS://A.test", "http://b.test:8080", "null", "NULL"] {
        assert!(allows(&listed, origin), "{origin}");
    }
    for origin in [
        "",
        "https://",
        "a.test",
        "http://a.test",
        "https://a.test:443",
        "https://axtest",
        "evil-https://a.test",
        "https://a.test.evil.test",
        "https://a.test/",
        "https://a.test, https://a.test",
        "http://b.test",
        "http://b.test:80801",
        "https://xnull",
        "https://a.null",
        "*",
    ] {
        assert!(!allows(&listed, origin), "{origin}");
    }
}

#[test]
fn an_asterisk_stands_for_one_label() {
    let listed = ["http://*.origin.test:8080", "http://*.cors.test"];
    for origin in ["http://abc.origin.test:8080", "http://bar-foo.CORS.test", "http://-.cors.test"]
    {
        assert!(allows(&listed, origin), "{origin}");
    }
    for origin in [
        "http://abc.origin.test",
        "http://origin.test:8080",
        "http://.origin.test:8080",
        "http://bar.foo.cors.test",
        "http://a_b.cors.test",
        "http://a:b@c.cors.test",
        "http://x/.cors.test",
        "http://*.cors.test",
        "http://é.cors.test",
        "https://foo.cors.test",
        "x://http://foo.cors.test",
    ] {
        assert!(!allows(&listed, origin), "{origin}");
    }
}

#[test]
fn an_asterisk_alone_is_every_origin_wherever_it_stands() {
    assert!(allows(&["https://a.test", "*"], "https://b.test"));
    assert!(!allows(&[], "https://b.test"));
}

/// As the regular expression of ingress-nginx, but from the beginning on: each text literally, its `*` one label.
fn oracle(pattern: &[u8], origin: &[u8]) -> bool {
    let is_label = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'-';
    match (pattern, origin) {
        ([], _) => origin.is_empty(),
        ([b'*', rest @ ..], _) => {
            let most = origin.iter().take_while(|byte| is_label(byte)).count();
            (1..=most).any(|n| oracle(rest, &origin[n..]))
        }
        ([wanted, rest @ ..], [byte, origin @ ..]) => {
            wanted.eq_ignore_ascii_case(byte) && oracle(rest, origin)
        }
        (_, []) => false,
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: tries(2_000), failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_is_listed_is_found_and_nothing_else(
        listed in proptest::collection::vec("(null|[ab]{1,2}://(\\*\\.)?[aB-]{1,2}(\\.[ab]{1,2}){0,2}(:[12])?)", 0..6),
        origin in "(null|[abAB]{0,2}:?/?/?[ab.B-]{0,3}[ab.*]{0,3}(:[12])?)",
        (nth, label) in (any::<proptest::sample::Index>(), "[aB-]{0,2}"),
    ) {
        let expanded = if listed.is_empty() { origin.clone() } else { nth.get(&listed).replacen('*', &label, 1) };
        let texts: Vec<&str> = listed.iter().map(String::as_str).collect();
        for origin in [origin, expanded] {
            let wanted = listed.iter().any(|text| oracle(text.as_bytes(), origin.as_bytes()));
            prop_assert_eq!(allows(&texts, &origin), wanted, "{:?} {}", texts, origin);
        }
    }

    #[test]
    fn no_origin_panics(listed in any::<Vec<String>>(), origin in any::<String>()) {
        let texts: Vec<&str> = listed.iter().map(String::as_str).collect();
        allows(&texts, &origin);
    }
}

fn fields() -> Vec<Vec<u8>> {
    vec![field(1, b"https://a.test"), field(2, b"GET"), field(3, b"Range"), field(5, b"600")]
}

fn decode(fields: &[Vec<u8>]) -> Result<HostRoutes, RecordError> {
    let own = [&required("/", PathMatch::Prefix)[..], &[field(18, &fields.concat())]].concat();
    HostRoutes::decode(b"shop.test", &record(&[route(&own)]))
}

fn read(fields: &[Vec<u8>]) -> Result<Cors, RecordError> {
    let read = decode(fields)?.routes()[0].cors.as_deref().cloned();
    Ok(read.expect("it is there"))
}

#[test]
fn every_field_comes_back() {
    let small = read(&fields()).unwrap();
    assert_eq!(small.origins, Origins::new(&[b"https://a.test"], false));
    let [methods, headers] = [&small.allow_methods, &small.allow_headers].map(Option::as_deref);
    assert_eq!((methods, headers), (Some(&b"GET"[..]), Some(&b"Range"[..])));
    assert_eq!((small.expose_headers.as_deref(), small.credentials), (None, false));
    assert_eq!(&*small.max_age, b"600");
    let whole = read(&[fields(), vec![field(4, b"X-Total"), field(6, &[1])]].concat()).unwrap();
    assert_eq!((whole.expose_headers.as_deref(), whole.credentials), (Some(&b"X-Total"[..]), true));
}

#[test]
fn what_is_missing_or_could_end_a_header_is_refused() {
    let some = |left_out: usize| {
        let mut fields = fields();
        fields.remove(left_out);
        read(&fields)
    };
    assert_eq!(some(1).map(|cors| cors.allow_methods), Ok(None));
    assert_eq!(some(2).map(|cors| cors.allow_headers), Ok(None));
    assert_eq!(some(3), Err(RecordError::Missing));
    let long = [b'a'; 4097];
    for id in 1..=7 {
        for wrong in [&b""[..], b"a\r\nb", b"a\0", &long] {
            let fields = [fields(), vec![field(id, wrong)]].concat();
            assert_eq!(read(&fields), Err(RecordError::Field), "{id} {wrong:?}");
        }
    }
    assert_eq!(read(&[vec![1, 2, 3]]), Err(RecordError::Length));
}

#[test]
fn a_field_that_must_be_known_closes_the_route() {
    let with = |tag| decode(&[fields(), vec![field(tag, b"newer")]].concat()).unwrap();
    assert_eq!(with(127).routes()[0].unknown, None);
    let closed = with(127 | CRITICAL);
    assert_eq!((closed.routes()[0].unknown, &closed.routes()[0].cors), (Some(18), &None));
}
