//! What clients send as their trace, and what becomes of it.

use proptest::prelude::*;
use wick_tracing::{Context, Parent, Root, Sampler, TraceId, is_tracestate};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const SPAN: &str = "00f067aa0ba902b7";

fn read(text: &str) -> Option<Parent> {
    Parent::read(text.as_bytes())
}

#[test]
fn a_context_goes_on_with_a_span_of_its_own() {
    let parent = read(&format!("00-{TRACE}-{SPAN}-01")).unwrap();
    assert!(parent.is_sampled());
    let context = Context::new(Some(parent), [1, 2, 0xabc], |_| true);
    assert_eq!((context.parent, context.span), (0x00f0_67aa_0ba9_02b7, 0xabc));
    assert_eq!(context.traceparent(), *format!("00-{TRACE}-0000000000000abc-01").as_bytes());
    let context = Context::new(None, [1, 2, 3], |_| false);
    assert_eq!(context.traceparent(), *b"00-00000000000000010000000000000002-0000000000000003-00");
}

#[test]
fn ids_are_never_zero() {
    let context = Context::new(None, [0; 3], |_| true);
    assert!(context.trace.low != 0 && context.span != 0);
    assert!(Parent::read(&context.traceparent()).is_some());
}

#[test]
fn that_ids_are_random_is_handed_on() {
    let parent = read(&format!("00-{TRACE}-{SPAN}-fe")).unwrap();
    assert!(!parent.is_sampled());
    let text = Context::new(Some(parent), [0; 3], |_| true).traceparent();
    assert!(text.ends_with(b"-03"));
}

#[test]
fn what_is_no_context_is_not_used() {
    let zeros = "0".repeat(32);
    for text in [
        String::new(),
        format!("00-{TRACE}-{SPAN}"),
        format!("00-{TRACE}-{SPAN}-1"),
        format!("00-{TRACE}-{SPAN}-01-more"),
        format!("00-{TRACE}-{SPAN}-01 "),
        format!(" 00-{TRACE}-{SPAN}-01"),
        format!("ff-{TRACE}-{SPAN}-01"),
        format!("00-{}-{SPAN}-01", TRACE.to_uppercase()),
        format!("00-{zeros}-{SPAN}-01"),
        format!("00-{TRACE}-0000000000000000-01"),
        format!("00-{TRACE}_{SPAN}-01"),
        format!("00-{TRACE}-{SPAN}-0x"),
        format!("0x-{TRACE}-{SPAN}-01"),
        format!("01-{TRACE}-{SPAN}-01more"),
        format!("00-{TRACE}-{SPAN}-01\u{0}"),
    ] {
        assert_eq!(read(&text), None, "{text:?}");
    }
    // Of a later version what is known counts.
    assert!(read(&format!("01-{TRACE}-{SPAN}-01")).is_some());
    assert!(read(&format!("cc-{TRACE}-{SPAN}-01-what-comes-later")).is_some());
}

#[test]
fn a_tracestate_is_handed_on_or_not_at_all() {
    let is = |values: &[&str]| is_tracestate(values.iter().map(|value| value.as_bytes()));
    assert!(
        is(&[]) && is(&[""]) && is(&["a=1"]) && is(&["rojo=00f067aa0ba902b7,congo=t61rcWkgMzE"])
    );
    assert!(is(&["a=1 , b=2,", "tenant@vendor/x=a b"]));
    assert!(!is(&["a"]) && !is(&["=1"]) && !is(&["a="]) && !is(&["A=1"]) && !is(&["a=1=2"]));
    assert!(!is(&["a=\u{7f}"]) && !is(&["a=ä"]) && !is(&["a=\0"]));
    assert!(!is(&[&format!("a={}", "x".repeat(257))]));
    let members = |count| vec!["a=1"; count].join(",");
    assert!(is(&[&members(32)]) && !is(&[&members(33)]) && !is(&[&members(20), &members(20)]));
    let long = format!("a={}", "x".repeat(250));
    assert!(is(&[&long, &long]) && !is(&[&long, &long, &long]));
}

#[test]
fn the_parent_decides_where_it_is_asked() {
    let sampled = read(&format!("00-{TRACE}-{SPAN}-01")).map(|parent| parent.is_sampled());
    let not_sampled = read(&format!("00-{TRACE}-{SPAN}-00")).map(|parent| parent.is_sampled());
    for (root, alone) in
        [(Root::AlwaysOn, true), (Root::AlwaysOff, false), (Root::Ratio(1.0), true)]
    {
        let asks = Sampler::new(root, true);
        assert!(
            asks.samples(TraceId::from(1), sampled) && !asks.samples(TraceId::from(1), not_sampled)
        );
        assert_eq!(asks.samples(TraceId::from(1), None), alone);
        let decides = Sampler::new(root, false);
        assert_eq!(
            (
                decides.samples(TraceId::from(1), sampled),
                decides.samples(TraceId::from(1), not_sampled)
            ),
            (alone, alone)
        );
    }
}

#[test]
fn so_many_traces_are_recorded_as_the_ratio_says() {
    let count = |ratio| {
        let sampler = Sampler::new(Root::Ratio(ratio), true);
        let spread = |n: u128| n.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
        (0..100_000).filter(|n| sampler.samples(spread(*n).into(), None)).count()
    };
    assert_eq!((count(0.0), count(-1.0), count(f64::NAN)), (0, 0, 0));
    assert_eq!((count(1.0), count(7.0)), (100_000, 100_000));
    assert!((900..1100).contains(&count(0.01)), "{}", count(0.01));
}

#[test]
fn all_with_the_same_ratio_record_the_same_traces() {
    // opentelemetry-go: the second half of the id, without its last bit, below ratio × 2^63.
    let sampler = Sampler::new(Root::Ratio(0.5), false);
    assert!(sampler.samples((u128::MAX << 64 | 0x7fff_ffff_ffff_fffe).into(), None));
    assert!(!sampler.samples(0x8000_0000_0000_0000.into(), None));
}

proptest! {
    #[test]
    fn whatever_is_sent_what_is_read_comes_back(text in proptest::collection::vec(any::<u8>(), 0..80)) {
        if let Some(parent) = Parent::read(&text) {
            let context = Context::new(Some(parent), [0, 0, parent.span], |_| parent.is_sampled());
            prop_assert_eq!(&context.traceparent()[3..53], &text[3..53]);
        }
    }

    #[test]
    fn what_is_written_is_read(high: u64, low in 1u64.., span in 1u64.., sampled: bool) {
        let (random, trace) = ([high, low, span], TraceId { high, low });
        let text = Context::new(None, random, |_| sampled).traceparent();
        let parent = Parent::read(&text).unwrap();
        prop_assert_eq!((parent.trace, parent.span, parent.is_sampled()), (trace, span, sampled));
    }

    #[test]
    fn no_tracestate_is_too_much(values in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..700), 0..4)) {
        let is = is_tracestate(values.iter().map(|value| &value[..]));
        prop_assert!(!is || values.concat().len() <= 512 && values.concat().iter().all(|byte| matches!(byte, b' '..=b'~' | b'\t')));
    }
}
