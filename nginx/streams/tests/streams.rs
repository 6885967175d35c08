//! The crate as its users see it: records written as docs/wire.md 2 has them, names, and PROXY headers.

#[path = "../../wire/tests/support/fixtures.rs"]
mod fixtures;

use std::net::{IpAddr, SocketAddr};

use proptest::prelude::*;
use wick_streams::{
    BackendTls, Name, Numbers, Protocol, ProxyVersion, RecordError, Stream, Target, Tls,
    proxy_header,
};
use wick_tls::{ClientVerification, TlsHost, Verify};

/// `tag`: the id, and [`CRITICAL`] if it is.
fn field(tag: u8, bytes: &[u8]) -> Vec<u8> {
    let word = u32::from(tag) | (bytes.len() as u32) << 8;
    [&word.to_le_bytes(), bytes].concat()
}

/// Who does not know such a field must not serve without it.
const CRITICAL: u8 = 0x80;

/// With a backend and these.
fn record(fields: &[Vec<u8>]) -> Vec<u8> {
    field(3, &[field(1, b"b"), fields.concat()].concat())
}

#[test]
fn the_shared_record_says_what_its_json_says() {
    let list: Option<Box<[u8]>> = Some(b"2b4e_A-z0".as_slice().into());
    let target = Target {
        backend: b"tcp-shop-db-5432".as_slice().into(),
        namespace: b"shop".as_slice().into(),
        service_name: b"db".as_slice().into(),
        service_port: b"5432".as_slice().into(),
        tls: Some(tls()),
        backend_tls: Some(backend_tls()),
    };
    let names = Stream::decode(&fixtures::record("stream-everything.hex")).unwrap().names;
    let backend = |name: Option<&[u8]>| names.find(name).and_then(|at| names.get(at)).unwrap();
    assert_eq!(backend(Some(b"db.test")), &target);
    assert_eq!(*backend(Some(b"a.db.test")).backend, *b"tcp-shop-all-5432");
    for other in [Some(&b"a.b.db.test"[..]), Some(b"test"), Some(b"_"), None] {
        assert_eq!(*backend(other).backend, *b"tcp-shop-other-5432");
    }
    let expected = Stream {
        target,
        names: names.clone(),
        accepts_proxy_protocol: true,
        proxy_protocol_timeout_ms: Some(3_000),
        sends_proxy_protocol: Some(ProxyVersion::V2),
        numbers: Numbers {
            proxy_timeout_ms: Some(600_000),
            proxy_connect_timeout_ms: Some(5_000),
            next_upstream: Some(true),
            next_upstream_timeout_ms: Some(0),
            next_upstream_tries: Some(3),
            responses: Some(2),
            requests: Some(0),
            upload_bytes: Some(1 << 20),
            download_bytes: Some(0),
        },
        allow: list.clone(),
        deny: list,
        connections: Some(100),
        connections_per_second: Some(20),
        drain_ms: Some(30_000),
    };
    let [known, newer, critical] = ["", "newer/", "newer/critical/"]
        .map(|folder| Stream::decode(&fixtures::record(&format!("{folder}stream-everything.hex"))));
    assert_eq!(known.as_ref(), Ok(&expected));
    assert_eq!(newer, known);
    assert_eq!(critical, Err(RecordError::Critical(127)));
}

fn boxed(text: &str) -> Box<[u8]> {
    text.as_bytes().into()
}

fn tls() -> Tls {
    let client =
        ClientVerification { authority: boxed("5d1e"), verify: Verify::Optional, depth: 2 };
    let host = TlsHost {
        certificates: [boxed("9f3c_A-z0"), boxed("p")].into(),
        client: Some(client),
        ..TlsHost::default()
    };
    Tls { host, alpn: boxed("\x04mqtt\x02h2") }
}

fn backend_tls() -> BackendTls {
    BackendTls {
        server_name: Some(boxed("db.internal")),
        authority: Some(boxed("a")),
        depth: 3,
        alternative_names: [boxed("db-1.internal"), boxed("db-2.internal")].into(),
        certificate: Some(boxed("p")),
    }
}

#[test]
fn tls_that_cannot_be_read_closes_the_port() {
    let with = |id: u8, fields: &[u8]| Stream::decode(&record(&[field(id | CRITICAL, fields)]));
    let target = |id, fields: &[u8]| with(id, fields).unwrap().target;
    assert_eq!(target(23, b"").tls, Some(Tls::default()));
    assert_eq!(target(24, b"").backend_tls.map(|tls| tls.depth), Some(1));
    // An authority alone asks for nothing that could be checked.
    assert_eq!(with(23, &field(4 | CRITICAL, b"a")), Err(RecordError::Missing));
    for (id, part) in [(23, field(8, b"")), (23, field(8, &[b'h'; 256])), (24, field(3, b"\0"))] {
        assert_eq!(with(id, &part), Err(RecordError::Field), "{id}");
    }
    for id in [23, 24] {
        assert_eq!(with(id, &field(99 | CRITICAL, b"")), Err(RecordError::Critical(99)));
    }
    let many = vec![field(4 | CRITICAL, b"a.test"); 17].concat();
    assert_eq!(with(24, &many), Err(RecordError::Field));
}

#[test]
fn a_backend_is_all_that_it_needs() {
    let target = Target { backend: b"b".as_slice().into(), ..Target::default() };
    let least = Stream { target, ..Stream::default() };
    assert_eq!(Stream::decode(&record(&[])), Ok(least));
    assert_eq!(Stream::decode(&field(3, b"")), Err(RecordError::Missing));
    assert_eq!(Stream::decode(&field(2, b"")), Err(RecordError::Version(2)));
    assert_eq!(Stream::decode(&field(3, &field(1, &[b'b'; 254]))), Err(RecordError::Field));
}

#[test]
fn what_cannot_be_is_refused() {
    let impossible: &[(u8, &[u8])] = &[
        (1, b"a\nb"),
        (6, b"\x02"),
        (7, b"\0"),
        (7, b"\x03"),
        (8, &[0; 8]),
        (8, b"\x01"),
        (13, &[0xff; 4]),
        (15, b"a b"),
        (17, &[0; 4]),
        (18, &[0xff; 4]),
        (19, &[0xff; 8]),
    ];
    for (id, value) in impossible {
        let found = Stream::decode(&record(&[field(*id, value)]));
        assert_eq!(found, Err(RecordError::Field), "{id}");
    }
    let unknown = Stream::decode(&record(&[field(99 | CRITICAL, b"")]));
    assert_eq!(unknown, Err(RecordError::Critical(99)));
}

#[test]
fn a_name_has_a_host_and_a_backend() {
    let with = |fields: &[u8]| Stream::decode(&record(&[field(22 | CRITICAL, fields)]));
    assert_eq!(with(b""), Err(RecordError::Missing));
    assert_eq!(with(&field(1, b"a.test")), Err(RecordError::Missing));
    let whole = [field(1, b"a.test"), field(2, b"b")].concat();
    let names = with(&whole).unwrap().names;
    assert_eq!([names.find(Some(b"a.test")), names.find(Some(b"b.test"))], [Some(0), None]);
    let newer = [whole.clone(), field(99 | CRITICAL, b"")].concat();
    assert_eq!(with(&newer), Err(RecordError::Critical(99)));
    let many = vec![field(22 | CRITICAL, &whole); 1025];
    assert_eq!(Stream::decode(&record(&many)), Err(RecordError::Field));
}

#[test]
fn names_are_found_from_the_narrowest_on() {
    let named = |host: &str| {
        field(22 | CRITICAL, &[field(1, host.as_bytes()), field(2, host.as_bytes())].concat())
    };
    let hosts = ["a.test", "*.test", "**.b.test", "**.test", "_"];
    let names = Stream::decode(&record(&hosts.map(named))).unwrap().names;
    let found = |name: Option<&[u8]>| names.find(name).map(|place| hosts[place]);
    for (name, host) in [
        ("a.test", "a.test"),
        ("b.test", "*.test"),
        ("a.b.test", "**.b.test"),
        ("a.a.b.test", "**.b.test"),
        ("a.c.test", "**.test"),
        ("test", "_"),
        ("a.other", "_"),
    ] {
        assert_eq!(found(Some(name.as_bytes())), Some(host), "{name}");
    }
    assert_eq!(found(None), Some("_"));
}

#[test]
fn a_record_that_was_cut_is_none() {
    let whole = fixtures::record("stream-everything.hex");
    for len in 0..whole.len() {
        assert_eq!(Stream::decode(&whole[..len]), Err(RecordError::Length), "{len}");
    }
}

#[test]
fn names_are_read_in_one_form_only() {
    let plain = |protocol, port| Some(Name { protocol, address: None, port });
    assert_eq!(Name::read(b"tcp:5432"), plain(Protocol::Tcp, 5432));
    assert_eq!(Name::read(b"udp:65535"), plain(Protocol::Udp, 65535));
    for text in ["", "tcp", "tcp:", "tcp:0", "tcp:01", "tcp:+1", "tcp:65536", "TCP:1", "tcp: 1"] {
        assert_eq!(Name::read(text.as_bytes()), None, "{text}");
    }
}

#[test]
fn an_address_has_a_name_of_its_own() {
    let at = |text: &str| Name::read(b"tcp:443").unwrap().at(text.parse().unwrap()).to_string();
    assert_eq!(at("10.0.0.1"), "tcp:10.0.0.1:443");
    assert_eq!(at("::ffff:10.0.0.1"), "tcp:10.0.0.1:443");
    assert_eq!(at("2001:DB8:0::1"), "tcp:[2001:db8::1]:443");
}

#[test]
fn a_header_has_both_addresses() {
    let at = |text: &str| -> Option<SocketAddr> { Some(text.parse().expect("an address")) };
    let v4 = proxy_header(at("192.0.2.7:50000"), at("10.0.0.1:443"));
    let expected = b"\r\n\r\n\0\r\nQUIT\n\x21\x11\0\x0c\xc0\0\x02\x07\x0a\0\0\x01\xc3\x50\x01\xbb";
    assert_eq!(v4, expected);
    let v6 = proxy_header(at("[2001:db8::7]:1"), at("10.0.0.1:443"));
    assert_eq!(v6[12..16], *b"\x21\x21\0\x24");
    assert_eq!(v6[16..32], [0x20, 1, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
    assert_eq!(v6[32..48], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 10, 0, 0, 1]);
    assert_eq!(v6.len(), 52);
    // A socket for both families has IPv4 addresses in IPv6's form.
    assert_eq!(proxy_header(at("[::ffff:192.0.2.7]:50000"), at("[::ffff:10.0.0.1]:443")), v4);
}

#[test]
fn without_an_address_the_header_says_so() {
    let unknown = proxy_header(None, "10.0.0.1:443".parse().ok());
    assert_eq!(unknown, b"\r\n\r\n\0\r\nQUIT\n\x20\0\0\0");
}

proptest! {
    #[test]
    fn any_bytes_are_refused_or_name_a_backend(bytes: Vec<u8>) {
        for bytes in [record(std::slice::from_ref(&bytes)), bytes] {
            if let Ok(stream) = Stream::decode(&bytes) {
                prop_assert!((1..=253).contains(&stream.target.backend.len()));
            }
        }
    }

    #[test]
    fn a_name_is_found_by_its_words(port in 1..=u16::MAX, is_udp: bool, address: IpAddr) {
        let protocol = if is_udp { Protocol::Udp } else { Protocol::Tcp };
        let plain = Name { protocol, address: None, port };
        prop_assert_eq!(Name::of_words(plain.words()), plain);
        prop_assert_eq!(Name::read(plain.to_string().as_bytes()), Some(plain));
        prop_assume!(!address.is_unspecified());
        let own = plain.at(address);
        prop_assert_eq!(Name::of_words(own.words()), own);
        prop_assert_ne!(own.tag(), plain.tag());
    }
}
