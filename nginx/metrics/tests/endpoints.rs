//! Attempts by endpoint.

use std::cell::Cell;
use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use wick_metrics::{
    Bucket, Capacity, Cause, Cursor, EndpointLabels, EndpointWorker, Family, Format, Printer,
    Shape, Subject, Table,
};

const CAPACITY: Capacity = Capacity { series: 64, planes: 2 };
/// Long after anything was freed.
const LATER_MS: u64 = 1_000_000;

fn shape() -> Shape {
    let bucket = |text: &str| Bucket { text: text.into(), bound: text.parse().unwrap() };
    Shape::new(true, |family| {
        (family == Family::HeaderDuration).then(|| ["0.01", "1"].map(bucket).to_vec())
    })
}

fn words(shape: &Shape) -> Box<[AtomicU64]> {
    (0..Table::words(CAPACITY, shape)).map(|_| AtomicU64::new(0)).collect()
}

fn create<'m, 's>(words: &'m [AtomicU64], shape: &'s Shape) -> Table<'m, 's> {
    Table::create(words, CAPACITY, shape, &EndpointLabels::FOLDED, 7).unwrap()
}

fn labels<'a>(backend: &'a str, endpoint: &'a str) -> EndpointLabels<'a> {
    EndpointLabels { backend: backend.as_bytes(), endpoint: endpoint.as_bytes() }
}

fn count(table: &Table, worker: &mut EndpointWorker, backend: &str, endpoint: &str) -> bool {
    let cells = worker.cells(table, &labels(backend, endpoint), LATER_MS, || true, |f| f());
    cells.map(|cells| cells.request()).is_some()
}

fn print(table: &Table, backend: Option<&str>) -> HashMap<String, String> {
    let new = || Printer::new(&[("pod", b"p")], Subject::Endpoints);
    let printer = backend.map_or_else(new, |backend| new().only_backend(table, backend.as_bytes()));
    let (mut text, mut from) = (Vec::new(), Some(Cursor::default()));
    while let Some(at) = from {
        from = printer.page(table, at, 100, Format::Text, &mut text);
    }
    let text = String::from_utf8(text).unwrap();
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

#[test]
fn an_attempt_is_printed_with_its_endpoint() {
    let shape = shape();
    let words = words(&shape);
    let table = create(&words, &shape);
    let mut worker = EndpointWorker::new(&table, 0);
    let labels = labels("shop-80", "10.0.0.1:80");
    let cells = worker.cells(&table, &labels, 1, || true, |f| f()).unwrap();
    cells.request();
    cells.failed(Cause::Timeout);
    cells.observe(Family::HeaderDuration, 7);
    cells.observe(Family::HeaderDuration, 2000);
    cells.observe(Family::ResponseDuration, 3000);
    let all = print(&table, None);
    let of = |name: &str, end: &str| {
        let labels = "pod=\"p\",backend=\"shop-80\",endpoint=\"10.0.0.1:80\"";
        all.get(&format!("wick_endpoint_{name}{{{labels}{end}}}")).map(String::as_str)
    };
    assert_eq!(of("attempts_total", ""), Some("1"));
    assert_eq!(of("failures_total", ",cause=\"timeout\""), Some("1"));
    assert_eq!(of("failures_total", ",cause=\"connect\""), None);
    assert_eq!(of("response_seconds_bucket", ",le=\"0.01\""), Some("1"));
    assert_eq!(of("response_seconds_bucket", ",le=\"+Inf\""), Some("2"));
    assert_eq!(of("response_seconds_sum", ""), Some("2.007"));
    assert_eq!(of("response_seconds_count", ""), Some("2"));
    assert_eq!(all["wick_endpoint_series{pod=\"p\"}"], "1");
    assert_eq!(all["wick_endpoint_series_limit{pod=\"p\"}"], "63");
    assert_eq!(all["wick_endpoint_attempts_folded_total{pod=\"p\"}"], "0");
}

#[test]
fn one_backend_is_printed_alone_where_that_is_wanted() {
    let shape = shape();
    let words = words(&shape);
    let table = create(&words, &shape);
    let mut worker = EndpointWorker::new(&table, 0);
    for (backend, endpoint) in [("a", "10.0.0.1:80"), ("a", "10.0.0.2:80"), ("b", "10.0.0.1:80")] {
        count(&table, &mut worker, backend, endpoint);
    }
    assert_eq!(print(&table, Some("a")).len(), 2);
    assert_eq!(print(&table, Some("c")).len(), 0);
    assert_eq!(print(&table, None).len(), 3 + 3);
}

#[test]
fn who_is_met_again_is_not_asked_for_again() {
    let shape = shape();
    let words = words(&shape);
    let table = create(&words, &shape);
    let mut worker = EndpointWorker::new(&table, 0);
    let asked = Cell::new(0);
    let is_there = || {
        asked.set(asked.get() + 1);
        true
    };
    for _ in 0..3 {
        worker.cells(&table, &labels("a", "10.0.0.1:80"), 1, is_there, |f| f()).unwrap().request();
    }
    assert_eq!(asked.get(), 1);
    assert_eq!(print(&table, Some("a")).into_values().collect::<Vec<_>>(), ["3"]);
}

#[test]
fn endpoints_that_are_gone_go_and_do_not_come_back_by_attempts_that_end_late() {
    let shape = shape();
    let words = words(&shape);
    let table = create(&words, &shape);
    let mut worker = EndpointWorker::new(&table, 0);
    for endpoint in ["10.0.0.1:80", "10.0.0.2:80"] {
        count(&table, &mut worker, "a", endpoint);
    }
    count(&table, &mut worker, "b\"c", "10.0.0.1:80");
    let mut asked = Vec::new();
    let are_there = |backend: &[u8], endpoints: &[&[u8]]| -> Vec<bool> {
        asked.push((backend.to_vec(), endpoints.len()));
        endpoints.iter().map(|endpoint| **endpoint != b"10.0.0.2:80"[..]).collect()
    };
    table.remove_endpoints(Some(b"a"), |_, all| vec![true; all.len()], LATER_MS, |_| panic!());
    table.remove_endpoints(Some(b"none"), |_, _| panic!(), LATER_MS, |_| panic!());
    table.remove_endpoints(None, are_there, LATER_MS, |f| f());
    assert_eq!(asked, [(b"a".to_vec(), 2), (b"b\"c".to_vec(), 1)]);
    let gone = labels("a", "10.0.0.2:80");
    assert!(worker.cells(&table, &gone, 2 * LATER_MS, || false, |f| f()).is_none());
    assert_eq!(print(&table, Some("a")).len(), 1);
    assert!(count(&table, &mut worker, "a", "10.0.0.1:80"), "others stay");
    assert_eq!(print(&table, Some("a")).into_values().collect::<Vec<_>>(), ["2"]);
    table.remove_endpoints(
        None,
        |_, all| vec![true; all.len()],
        LATER_MS,
        |_| panic!("nothing is gone"),
    );
}

#[test]
fn attempts_without_room_are_folded() {
    let shape = shape();
    let words = words(&shape);
    let table = create(&words, &shape);
    let mut worker = EndpointWorker::new(&table, 0);
    for nth in 0..100 {
        assert!(count(&table, &mut worker, "a", &format!("10.0.0.{nth}:80")));
    }
    let all = print(&table, None);
    assert_eq!(all["wick_endpoint_attempts_folded_total{pod=\"p\"}"], "37");
    let folded = "wick_endpoint_attempts_total{pod=\"p\",backend=\"_folded\",endpoint=\"_folded\"}";
    assert_eq!(all[folded], "37");
}
