//! What clients send as B3, and what backends get of it.

use proptest::prelude::*;
use wick_tracing::{B3, Context, Decision, Parent, Several};

const TRACE: &str = "80f198ee56343ba864fe8b2a57d3eff7";
const SPAN: &str = "e457b5a2e4d86bd1";

fn read(text: &str) -> Option<B3> {
    B3::read(text.as_bytes())
}

fn parent(text: &str) -> Option<Parent> {
    Parent::read(text.as_bytes())
}

#[test]
fn one_line_has_ids_a_decision_or_both() {
    let sampled = parent(&format!("00-{TRACE}-{SPAN}-01"));
    let not = parent(&format!("00-{TRACE}-{SPAN}-00"));
    for (text, expected, decision) in [
        (format!("{TRACE}-{SPAN}-1"), sampled, Some(Decision::Accept)),
        (format!("{TRACE}-{SPAN}-1-05e3ac9a4f6e3b90"), sampled, Some(Decision::Accept)),
        (format!("{TRACE}-{SPAN}-d"), sampled, Some(Decision::Debug)),
        (format!("{TRACE}-{SPAN}-0"), not, Some(Decision::Deny)),
        (format!("{TRACE}-{SPAN}"), not, None),
        ("0".into(), None, Some(Decision::Deny)),
        ("1".into(), None, Some(Decision::Accept)),
        ("d".into(), None, Some(Decision::Debug)),
    ] {
        assert_eq!(read(&text), Some(B3 { parent: expected, decision }), "{text}");
    }
}

#[test]
fn a_trace_of_sixty_four_bits_is_one_that_begins_with_zeros() {
    let read = read(&format!("64fe8b2a57d3eff7-{SPAN}-1")).unwrap();
    assert_eq!(read.parent, parent(&format!("00-000000000000000064fe8b2a57d3eff7-{SPAN}-01")));
}

#[test]
fn what_is_no_header_is_not_used() {
    for text in [
        String::new(),
        "2".into(),
        "true".into(),
        TRACE.into(),
        format!("{TRACE}-"),
        format!("{TRACE}-{SPAN}-"),
        format!("{TRACE}-{SPAN}-2"),
        format!("{TRACE}-{SPAN}-1-"),
        format!("{TRACE}-{SPAN}-1-05e3ac9a4f6e3b90-1"),
        format!("{TRACE}0-{SPAN}-1"),
        format!("{}-{SPAN}-1", TRACE.to_uppercase()),
        format!("{}-{SPAN}-1", "0".repeat(32)),
        format!("{TRACE}-{}-1", "0".repeat(16)),
        format!(" {TRACE}-{SPAN}-1"),
    ] {
        assert_eq!(read(&text), None, "{text:?}");
    }
}

#[test]
fn several_lines_say_the_same() {
    let ids = Several {
        trace: Some(TRACE.as_bytes()),
        span: Some(SPAN.as_bytes()),
        ..Several::default()
    };
    let decided = |sampled: Option<&'static [u8]>, flags: Option<&'static [u8]>| {
        B3::of_several(Several { sampled, flags, ..ids })
    };
    assert_eq!(decided(Some(b"1"), None), read(&format!("{TRACE}-{SPAN}-1")));
    assert_eq!(decided(Some(b"true"), None), read(&format!("{TRACE}-{SPAN}-1")));
    assert_eq!(decided(Some(b"0"), Some(b"0")), read(&format!("{TRACE}-{SPAN}-0")));
    assert_eq!(decided(Some(b"false"), None), read(&format!("{TRACE}-{SPAN}-0")));
    assert_eq!(decided(None, Some(b"1")), read(&format!("{TRACE}-{SPAN}-d")));
    assert_eq!(decided(None, None), read(&format!("{TRACE}-{SPAN}")));
    assert_eq!(decided(Some(b"maybe"), None), None);
    let alone = Several { sampled: Some(b"0"), ..Several::default() };
    assert_eq!(B3::of_several(alone), read("0"));
    assert_eq!(B3::of_several(Several::default()), None);
    assert_eq!(B3::of_several(Several { span: None, ..ids }), None);
}

proptest! {
    #[test]
    fn what_is_sent_can_be_read(trace in 1u128.., span in 1u64.., is_sampled: bool, is_debug: bool) {
        let sent = Parent::new(trace, span, is_sampled).unwrap();
        let context = Context::new(Some(sent), [0, 0, span], |_| is_sampled);
        let read = B3::read(&context.b3(is_debug)).unwrap();
        let ids = read.parent.map(|parent| (parent.trace, parent.span));
        prop_assert_eq!(ids, Some((trace.into(), span)));
        prop_assert_eq!(read.decision.map(Decision::is_sampled), Some(is_sampled || is_debug));
    }

    #[test]
    fn nothing_that_is_sent_is_too_much(text in proptest::collection::vec(any::<u8>(), 0..80)) {
        let read = B3::read(&text);
        let Some(parent) = read.and_then(|read| read.parent) else { return Ok(()) };
        prop_assert!(parent.span != 0 && text.len() <= 68);
    }
}
