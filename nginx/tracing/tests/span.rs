//! The record of a span: the same bytes that the controller's test reads.

use wick_tracing::{Attempt, Context, Head, Kind, Parent, SpanWriter, Text};

/// Lines of hexadecimal digits.
const FIXTURE: &str = include_str!("../../../test/fixtures/wire/span.hex");

fn record() -> Vec<u8> {
    let parent = Parent::read(b"00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01");
    let context = Context::new(parent, [0, 0, 0x53ce_929d_0e0e_4736], |_| true);
    let head = Head {
        kind: Kind::Request,
        context: &context,
        status: 200,
        start_ms: 1_795_000_000_123,
        duration_ms: 1500,
        request_bytes: 321,
        response_bytes: 6_000_000_000,
    };
    let mut bytes = b"what was there before".to_vec();
    let mut span = SpanWriter::new(&mut bytes, &head);
    for (text, value) in [
        (Text::Name, "checkout"),
        (Text::Method, "GET"),
        (Text::Scheme, "https"),
        (Text::Host, "shop.test"),
        (Text::Path, "/cart/ä"),
        (Text::Query, "a=1&sig=secret"),
        (Text::Protocol, "HTTP/2.0"),
        (Text::UserAgent, "curl/8"),
        (Text::ClientAddress, "192.0.2.7"),
        (Text::ClientPort, "40000"),
        (Text::PeerAddress, "192.0.2.1"),
        (Text::ServerPort, "443"),
        (Text::Route, "/cart"),
        (Text::Namespace, "shop"),
        (Text::Ingress, "cart"),
        (Text::Service, ""),
        (Text::Backend, "shop-cart-80"),
        (Text::Tracestate, "a=1"),
        (Text::UpstreamScheme, "http"),
        (Text::UpstreamTarget, "/v2/%C3%A4?a=1&sig=secret"),
    ] {
        span.text(text, value.as_bytes());
    }
    let first = Attempt {
        span: 1,
        status: 502,
        start_ms: 1_795_000_000_200,
        duration_ms: 20,
        connect_ms: Some(3),
        header_ms: None,
        response_bytes: 0,
        address: b"10.0.0.1:80",
    };
    let second =
        Attempt { span: 2, status: 200, header_ms: Some(900), address: b"[fd00::7]:8080", ..first };
    span.attempt(&first);
    span.attempt(&second);
    bytes
}

#[test]
fn a_record_is_as_the_fixture_has_it() {
    let text: String = record()
        .chunks(32)
        .map(|line| line.iter().map(|byte| format!("{byte:02x}")).collect::<String>() + "\n")
        .collect();
    assert_eq!(text, FIXTURE);
}

#[test]
fn one_request_cannot_fill_the_ring() {
    let context = Context::new(None, [1, 2, 3], |_| true);
    let head = Head {
        kind: Kind::Subrequest,
        context: &context,
        status: 0,
        start_ms: 0,
        duration_ms: 0,
        request_bytes: 0,
        response_bytes: 0,
    };
    let mut bytes = Vec::new();
    let mut span = SpanWriter::new(&mut bytes, &head);
    span.text(Text::Path, &[b'a'; 70_000]);
    let long = [b'1'; 1000];
    let attempt = Attempt {
        span: 1,
        status: 0,
        start_ms: 0,
        duration_ms: 0,
        connect_ms: None,
        header_ms: None,
        response_bytes: 0,
        address: &long,
    };
    (0..1000).for_each(|_| span.attempt(&attempt));
    assert!(bytes.len() < 4096, "{}", bytes.len());
}
