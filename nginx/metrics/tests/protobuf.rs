//! What is printed as protobuf, read by another library.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicU64;

use prost::Message;
use wick_metrics::{
    Bucket, Capacity, Cause, Cells, Cursor, Family, Format, Labels, Printer, Resolution, Shape,
    Subject, Table, Worker,
};

/// Those of client_model's messages that are used.
#[derive(Clone, PartialEq, Message)]
struct MetricFamily {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    help: String,
    #[prost(int32, tag = "3")]
    kind: i32,
    #[prost(message, repeated, tag = "4")]
    metric: Vec<Metric>,
}

#[derive(Clone, PartialEq, Message)]
struct Metric {
    #[prost(message, repeated, tag = "1")]
    label: Vec<LabelPair>,
    #[prost(message, optional, tag = "2")]
    gauge: Option<Number>,
    #[prost(message, optional, tag = "3")]
    counter: Option<Number>,
    #[prost(message, optional, tag = "7")]
    histogram: Option<Histogram>,
}

#[derive(Clone, PartialEq, Message)]
struct LabelPair {
    #[prost(string, tag = "1")]
    name: String,
    #[prost(string, tag = "2")]
    value: String,
}

#[derive(Clone, PartialEq, Message)]
struct Number {
    #[prost(double, tag = "1")]
    value: f64,
}

#[derive(Clone, PartialEq, Message)]
struct Histogram {
    #[prost(uint64, tag = "1")]
    sample_count: u64,
    #[prost(double, tag = "2")]
    sample_sum: f64,
    #[prost(message, repeated, tag = "3")]
    bucket: Vec<ClassicBucket>,
    #[prost(sint32, optional, tag = "5")]
    schema: Option<i32>,
    #[prost(double, optional, tag = "6")]
    zero_threshold: Option<f64>,
    #[prost(uint64, optional, tag = "7")]
    zero_count: Option<u64>,
    #[prost(message, repeated, tag = "12")]
    positive_span: Vec<Span>,
    #[prost(sint64, repeated, tag = "13")]
    positive_delta: Vec<i64>,
}

#[derive(Clone, PartialEq, Message)]
struct ClassicBucket {
    #[prost(uint64, tag = "1")]
    cumulative_count: u64,
    #[prost(double, tag = "2")]
    upper_bound: f64,
}

#[derive(Clone, PartialEq, Message)]
struct Span {
    #[prost(sint32, tag = "1")]
    offset: i32,
    #[prost(uint32, tag = "2")]
    length: u32,
}

impl Histogram {
    /// Bucket → what is in it; empty ones are left out.
    fn native(&self) -> BTreeMap<i32, i64> {
        let (mut at, mut count, mut deltas) = (0, 0, self.positive_delta.iter());
        let mut all = BTreeMap::new();
        for span in &self.positive_span {
            at += span.offset;
            for _ in 0..span.length {
                count += deltas.next().expect("a count for each bucket");
                all.insert(at, count);
                at += 1;
            }
        }
        assert_eq!(deltas.next(), None);
        all.retain(|_, count| *count != 0);
        all
    }
}

const CAPACITY: Capacity = Capacity { series: 64, planes: 4 };

fn shape() -> Shape {
    let bucket = |text: &str| Bucket { text: text.into(), bound: text.parse().unwrap() };
    Shape::new(true, |family| {
        let texts: &[&str] = if family.is_time() { &["0.005", "0.57"] } else { &["10", "1e+06"] };
        Some(texts.iter().map(|text| bucket(text)).collect())
    })
}

fn labels(path: &str) -> Labels<'_> {
    Labels {
        namespace: b"shop",
        ingress: b"grpcroute/cart",
        service: b"cart",
        canary: b"",
        path: path.as_bytes(),
        rule: b"read",
        host: None,
    }
}

/// A table with the series of these paths, and what is read of it, in pages of so many bytes. All workers count.
fn printed(
    shape: &Shape,
    paths: &[&str],
    page: usize,
    count: impl Fn(&Cells),
) -> Vec<MetricFamily> {
    let words: Box<[AtomicU64]> =
        (0..Table::words(CAPACITY, shape)).map(|_| AtomicU64::new(0)).collect();
    let table = Table::create(&words, CAPACITY, shape, &Labels::FOLDED, 7).unwrap();
    for path in paths {
        let handle = table.set(&labels(path), 1);
        for nth in 0..4 {
            let mut worker = Worker::new(&table, nth, false);
            count(&worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap());
        }
    }
    let printer = Printer::new(&[("pod", b"p\"1")], Subject::Requests { has_classes: false });
    let (mut bytes, mut from) = (Vec::new(), Some(Cursor::default()));
    while let Some(at) = from {
        from = printer.page(&table, at, page, Format::Protobuf, &mut bytes);
    }
    let (mut rest, mut all) = (&bytes[..], Vec::new());
    while !rest.is_empty() {
        all.push(MetricFamily::decode_length_delimited(&mut rest).unwrap());
    }
    all
}

/// The metric of this name, put together from all pages.
fn family(all: &[MetricFamily], name: &str) -> MetricFamily {
    let mut found = all.iter().filter(|family| family.name == name);
    let mut whole = found.next().unwrap_or_else(|| panic!("no {name}")).clone();
    for more in found {
        assert_eq!((&more.help, more.kind), (&whole.help, whole.kind));
        whole.metric.extend(more.metric.clone());
    }
    whole
}

#[test]
fn numbers_and_classic_buckets_are_those_of_the_text() {
    let paths = ["/", "/a\"b\\\n", "/long".repeat(60).leak()];
    for page in [1, 100, 1 << 20] {
        let all = printed(&shape(), &paths, page, |cells| {
            cells.request();
            cells.failed(Cause::Timeout);
            cells.observe(Family::RequestDuration, 570);
            cells.observe(Family::RequestDuration, 2001);
            cells.observe(Family::BytesSent, 10);
        });
        let requests = family(&all, "nginx_ingress_controller_requests");
        assert_eq!((requests.kind, &*requests.help), (0, "Requests served"));
        let mut seen: Vec<&str> = Vec::new();
        for metric in &requests.metric {
            assert_eq!(metric.counter, Some(Number { value: 4.0 }));
            let names: Vec<&str> = metric.label.iter().map(|label| &*label.name).collect();
            let expected =
                "pod status method path namespace ingress service canary kind route rule";
            assert_eq!(names.join(" "), expected);
            let value = |nth: usize| &*metric.label[nth].value;
            assert_eq!([value(0), value(1), value(2), value(7)], ["p\"1", "200", "GET", ""]);
            assert_eq!([value(8), value(9), value(10)], ["GRPCRoute", "cart", "read"]);
            seen.push(value(3));
        }
        seen.sort_unstable();
        assert_eq!(seen, paths);
        let retries = family(&all, "wick_retries_total");
        assert_eq!(retries.metric[0].label.last().unwrap().value, "timeout");
        let times = family(&all, "nginx_ingress_controller_request_duration_seconds");
        assert_eq!(times.kind, 4);
        let bucket =
            |cumulative_count, upper_bound| ClassicBucket { cumulative_count, upper_bound };
        let expected = Histogram {
            sample_count: 8,
            sample_sum: 10.284,
            bucket: vec![bucket(0, 0.005), bucket(4, 0.57)],
            ..Histogram::default()
        };
        assert_eq!(times.metric[0].histogram, Some(expected));
        let series = family(&all, "wick_request_series");
        assert_eq!((series.kind, series.metric.len()), (1, 1));
        assert_eq!(series.metric[0].gauge, Some(Number { value: 3.0 }));
        assert!(!all.iter().any(|family| family.name.ends_with("connect_duration_seconds")));
    }
}

#[test]
fn native_histograms_stand_beside_the_classic_buckets() {
    let shape = shape().with_native(Resolution::of(1.1, 100).unwrap());
    let all = printed(&shape, &["/"], 1 << 20, |cells| {
        for ms in [0, 1, 1, 3, 1000, 1001, 60_000] {
            cells.observe(Family::RequestDuration, ms);
            cells.observe_native(Family::RequestDuration, ms);
        }
        cells.observe(Family::BytesSent, 10);
        cells.observe_native(Family::BytesSent, 10);
    });
    let times = family(&all, "nginx_ingress_controller_request_duration_seconds");
    let times = times.metric[0].histogram.as_ref().unwrap();
    assert_eq!((times.sample_count, times.bucket.len()), (28, 2));
    assert_eq!((times.schema, times.zero_count), (Some(3), Some(4)));
    assert_eq!(times.zero_threshold, Some(2.938735877055719e-39));
    let bucket = |seconds: f64| (seconds.log2() * 8.0).ceil() as i32;
    let expected = [(0.001, 8), (0.003, 4), (1.0, 4), (1.001, 4), (60.0, 4)];
    assert_eq!(times.native(), expected.map(|(seconds, count)| (bucket(seconds), count)).into());
    let bytes = family(&all, "nginx_ingress_controller_bytes_sent");
    assert_eq!(bytes.metric[0].histogram.as_ref().unwrap().schema, None, "never native");
}

#[test]
fn empty_buckets_stand_in_a_span_where_they_are_few() {
    let shape = shape().with_native(Resolution::of(2.0, 0).unwrap());
    let all = printed(&shape, &["/"], 1 << 20, |cells| {
        for bytes in [1, 2, 16, 1024] {
            cells.observe(Family::RequestSize, bytes);
            cells.observe_native(Family::RequestSize, bytes);
        }
    });
    let sizes = family(&all, "nginx_ingress_controller_request_size");
    let sizes = sizes.metric[0].histogram.as_ref().unwrap();
    let span = |offset, length| Span { offset, length };
    assert_eq!(sizes.positive_span, [span(0, 5), span(5, 1)]);
    assert_eq!(sizes.positive_delta, [4, 0, -4, 0, 4, 0]);
}

#[test]
fn text_has_no_native_histograms_and_memory_none_where_they_are_off() {
    let classic = shape();
    let native = shape().with_native(Resolution::of(1.1, 100).unwrap());
    assert_eq!(classic.native_words, 0);
    assert_eq!(native.words, classic.words);
    assert!(Table::words(CAPACITY, &native) > 10 * Table::words(CAPACITY, &classic));
    let words: Box<[AtomicU64]> =
        (0..Table::words(CAPACITY, &native)).map(|_| AtomicU64::new(0)).collect();
    Table::create(&words, CAPACITY, &native, &Labels::FOLDED, 7).unwrap();
    assert!(Table::attach(&words, CAPACITY, &native).is_some());
    assert!(Table::attach(&words, CAPACITY, &classic).is_none());
}

#[test]
fn a_series_that_takes_the_place_of_another_one_begins_with_nothing() {
    let shape = shape().with_native(Resolution::of(1.1, 100).unwrap());
    let words: Box<[AtomicU64]> =
        (0..Table::words(CAPACITY, &shape)).map(|_| AtomicU64::new(0)).collect();
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, 7).unwrap();
    let mut later = 1;
    // So often that every place was used.
    for _ in 0..100 {
        let handle = table.set(&labels("/"), later);
        for nth in 0..4 {
            let mut worker = Worker::new(&table, nth, false);
            let cells = worker.cells(&table, handle, nth, 200, later, |f| f()).unwrap();
            cells.observe(Family::RequestSize, 7);
            cells.observe_native(Family::RequestSize, 7);
        }
        let mut bytes = Vec::new();
        let printer = Printer::new(&[], Subject::Requests { has_classes: false });
        printer.page(&table, Cursor::default(), 1 << 20, Format::Protobuf, &mut bytes);
        let first = MetricFamily::decode_length_delimited(&bytes[..]).unwrap();
        assert_eq!(first.metric.len(), 4);
        for metric in &first.metric {
            assert_eq!(metric.histogram.as_ref().unwrap().sample_count, 1);
        }
        table.remove(b"shop", b"grpcroute/cart", later);
        later += 20_000;
    }
}
