use std::collections::{BTreeSet, HashMap};
use std::sync::Mutex;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use wick_metrics::{
    Bucket, Capacity, Cause, Cursor, Family, Format, HISTOGRAMS, Handle, LabelSet, Labels, METHODS,
    Outcome, Printer, Shape, Subject, Table, Worker,
};

const CAPACITY: Capacity = Capacity { series: 64, planes: 2 };
const SEED: u64 = 7;
/// Long after anything was freed.
const LATER_MS: u64 = 1_000_000;

fn shape() -> Shape {
    Shape::new(true, |family| {
        Some(buckets(if family.is_time() { &["0.005", "0.57", "1"] } else { &["10", "1e+06"] }))
    })
}

fn buckets(texts: &[&str]) -> Vec<Bucket> {
    texts.iter().map(|text| Bucket { text: (*text).into(), bound: text.parse().unwrap() }).collect()
}

fn words(capacity: Capacity, shape: &Shape) -> Box<[AtomicU64]> {
    (0..Table::words(capacity, shape)).map(|_| AtomicU64::new(0)).collect()
}

fn labels<'a>(ingress: &'a str, path: &'a str) -> Labels<'a> {
    Labels {
        namespace: b"shop",
        ingress: ingress.as_bytes(),
        service: b"cart",
        canary: b"",
        path: path.as_bytes(),
        rule: b"",
        host: Some(b"cart.test"),
    }
}

fn count(table: &Table, worker: &mut Worker, handle: Handle, method: usize, status: u16) -> bool {
    let cells = worker.cells(table, handle, method, status, 3 * LATER_MS, |f| f());
    cells.map(|cells| cells.request()).is_some()
}

/// All samples, whatever the size of pages.
fn print(table: &Table, has_classes: bool, page: usize) -> HashMap<String, String> {
    let printer = Printer::new(&[("pod", b"p\"1")], Subject::Requests { has_classes });
    let (mut text, mut from) = (Vec::new(), Some(Cursor::default()));
    while let Some(at) = from {
        from = printer.page(table, at, page, Format::Text, &mut text);
    }
    let text = String::from_utf8(text).unwrap();
    let samples = text.lines().filter(|line| !line.starts_with('#'));
    samples
        .map(|line| line.rsplit_once(' ').unwrap())
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

fn series(name: &str, status: &str, method: &str, path: &str, ingress: &str) -> String {
    format!(
        "nginx_ingress_controller_{name}{{pod=\"p\\\"1\",status=\"{status}\",method=\"{method}\",path=\"{path}\",namespace=\"shop\",ingress=\"{ingress}\",service=\"cart\",canary=\"\",host=\"cart.test\""
    )
}

#[test]
fn a_route_of_the_gateway_api_has_its_kind_and_name_as_well_and_an_ingress_has_no_such_labels() {
    let text = |ingress| String::from_utf8(labels(ingress, "/").text()).unwrap();
    assert!(
        text("httproute/cart").ends_with(",host=\"cart.test\",kind=\"HTTPRoute\",route=\"cart\"")
    );
    assert!(text("grpcroute/cart").ends_with(",kind=\"GRPCRoute\",route=\"cart\""));
    assert!(text("cart").ends_with(",host=\"cart.test\""));
}

#[test]
fn a_rule_with_a_name_is_a_series_of_each_metric_and_one_without_has_no_label_more() {
    let shape = shape().with_inspections();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    for (rule, requests) in [("read", 1), ("write", 2), ("", 3)] {
        let of_rule = Labels { rule: rule.as_bytes(), ..labels("httproute/cart", "/") };
        let handle = table.set(&of_rule, 1);
        for _ in 0..requests {
            let cells = worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap();
            cells.request();
            cells.failed(Cause::Timeout);
            cells.inspected(Outcome::Passed);
            HISTOGRAMS.iter().for_each(|family| cells.observe(*family, 5));
        }
    }
    let all = print(&table, false, 1 << 20);
    let counted = |end: &str| {
        let route = format!(",kind=\"HTTPRoute\",route=\"cart\"{end}");
        let of_rule = all.iter().filter(move |(name, _)| name.contains(&route));
        of_rule.filter(|(name, _)| !name.contains("_sum{") && !name.contains("_bucket{"))
    };
    let names = |end| counted(end).map(|(name, _)| name.split('{').next().unwrap());
    let families: BTreeSet<&str> = names(",rule=\"read\"").collect();
    assert_eq!(families.len(), HISTOGRAMS.len() + 3);
    for (end, requests) in [(",rule=\"read\"", "1"), (",rule=\"write\"", "2")] {
        assert_eq!(names(end).collect::<BTreeSet<_>>(), families);
        assert!(counted(end).all(|(name, count)| name.contains("cause=") || count == requests));
    }
    let unnamed = counted("").filter(|(name, _)| !name.contains("rule="));
    assert_eq!(unnamed.filter(|(_, count)| *count == "3").count(), families.len());
    table.remove(b"shop", b"httproute/cart", LATER_MS);
    assert!(!print(&table, false, 1 << 20).keys().any(|name| name.contains("httproute")));
}

#[test]
fn the_name_of_a_rule_is_cut_and_an_ingress_has_none() {
    let of =
        |ingress, rule| String::from_utf8(Labels { rule, ..labels(ingress, "/") }.text()).unwrap();
    let long = of("httproute/cart", &[b'a'; 4096]);
    assert!(long.ends_with(&format!(",rule=\"{}\"", "a".repeat(512))));
    assert_eq!(of("cart", b"read"), of("cart", b""));
}

#[test]
fn a_sample_is_printed_with_its_labels_and_buckets() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("cart", "/a\"b\\"), 1);
    let cells = worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap();
    cells.request();
    cells.observe(Family::RequestDuration, 5);
    cells.observe(Family::RequestDuration, 570);
    cells.observe(Family::RequestDuration, 2001);
    cells.observe(Family::BytesSent, 10);
    for page in [1, 100, 1 << 20] {
        let all = print(&table, false, page);
        let of = |name: &str, end: &str| {
            all.get(&format!("{}{end}}}", series(name, "200", "GET", "/a\\\"b\\\\", "cart")))
                .map(String::as_str)
        };
        assert_eq!(of("requests", ""), Some("1"));
        assert_eq!(of("request_duration_seconds_bucket", ",le=\"0.005\""), Some("1"));
        assert_eq!(of("request_duration_seconds_bucket", ",le=\"0.57\""), Some("2"));
        assert_eq!(of("request_duration_seconds_bucket", ",le=\"1\""), Some("2"));
        assert_eq!(of("request_duration_seconds_bucket", ",le=\"+Inf\""), Some("3"));
        assert_eq!(of("request_duration_seconds_sum", ""), Some("2.576"));
        assert_eq!(of("request_duration_seconds_count", ""), Some("3"));
        assert_eq!(of("bytes_sent_bucket", ",le=\"10\""), Some("1"));
        assert_eq!(of("bytes_sent_sum", ""), Some("10"));
        assert_eq!(of("connect_duration_seconds_count", ""), None, "never observed");
        assert_eq!(all["wick_request_series{pod=\"p\\\"1\"}"], "1");
        assert_eq!(all["wick_request_samples_folded_total{pod=\"p\\\"1\"}"], "0");
    }
}

#[test]
fn a_histogram_is_found_by_its_name() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("cart", "/"), 1);
    let cells = worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap();
    cells.request();
    cells.observe(Family::RequestDuration, 5);
    let printer = Printer::new(&[], Subject::Requests { has_classes: false });
    let from = Cursor::of_histogram(b"request_duration_seconds").unwrap();
    let mut text = Vec::new();
    printer.page(&table, from, 1 << 20, Format::Text, &mut text);
    let text = String::from_utf8(text).unwrap();
    let first = text.lines().find(|line| !line.starts_with('#')).unwrap();
    assert!(
        first.starts_with("nginx_ingress_controller_request_duration_seconds_bucket{"),
        "{first}"
    );
    assert_eq!(Cursor::of_histogram(b"requests"), None);
}

#[test]
fn retries_are_printed_by_their_causes() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("cart", "/"), 1);
    let cells = worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap();
    for cause in [Cause::Connect, Cause::Timeout, Cause::Timeout] {
        cells.failed(cause);
    }
    for page in [1, 1 << 20] {
        let all = print(&table, false, page);
        let prefix = series("", "200", "GET", "/", "cart");
        let prefix = prefix.replace("nginx_ingress_controller_", "wick_retries_total");
        let of =
            |cause: &str| all.get(&format!("{prefix},cause=\"{cause}\"}}")).map(String::as_str);
        assert_eq!((of("connect"), of("timeout"), of("error")), (Some("1"), Some("2"), None));
    }
}

#[test]
fn what_became_of_inspected_requests_is_printed_where_it_is_counted() {
    for shape in [shape().with_inspections(), shape()] {
        let words = words(CAPACITY, &shape);
        let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
        let mut worker = Worker::new(&table, 0, false);
        let handle = table.set(&labels("cart", "/"), 1);
        let cells = worker.cells(&table, handle, 1, 403, 1, |f| f()).unwrap();
        for family in HISTOGRAMS {
            cells.observe(family, u64::from(u32::MAX));
        }
        for outcome in [Outcome::Passed, Outcome::Unseen, Outcome::Unseen] {
            cells.inspected(outcome);
        }
        let all = print(&table, false, 1 << 20);
        let prefix = series("", "403", "GET", "/", "cart");
        let prefix = prefix.replace("nginx_ingress_controller_", "wick_modsecurity_requests_total");
        let of = |outcome: &str| {
            all.get(&format!("{prefix},outcome=\"{outcome}\"}}")).map(String::as_str)
        };
        let counted = match shape.inspections {
            Some(_) => (Some("1"), Some("2"), None),
            None => (None, None, None),
        };
        assert_eq!((of("passed"), of("unseen"), of("closed")), counted);
    }
}

#[test]
fn the_cause_of_a_retry_is_how_far_the_attempt_got() {
    assert_eq!(Cause::of(false, false, false), Cause::Connect);
    assert_eq!(Cause::of(false, false, true), Cause::ConnectTimeout);
    assert_eq!(Cause::of(true, false, false), Cause::Error);
    assert_eq!(Cause::of(true, false, true), Cause::Timeout);
    assert_eq!(Cause::of(true, true, true), Cause::Status, "an answer with 504");
}

#[test]
fn statuses_become_classes_where_that_is_wanted() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, true);
    let handle = table.set(&labels("cart", "/"), 1);
    for status in [200, 204, 404] {
        count(&table, &mut worker, handle, 1, status);
    }
    let all = print(&table, true, 4096);
    assert_eq!(all[&format!("{}}}", series("requests", "2xx", "GET", "/", "cart"))], "2");
    assert_eq!(all[&format!("{}}}", series("requests", "4xx", "GET", "/", "cart"))], "1");
}

#[test]
fn another_worker_adds_to_the_same_series() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let first = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let second = Table::attach(&words, CAPACITY, &shape).unwrap();
    let (mut one, mut two) = (Worker::new(&first, 0, false), Worker::new(&second, 1, false));
    let (a, b) = (first.set(&labels("cart", "/"), 1), second.set(&labels("cart", "/"), 2));
    assert_eq!(a, b);
    assert_eq!(Handle::from_bits(a.to_bits()), a);
    for _ in 0..3 {
        count(&first, &mut one, a, 1, 200);
        count(&second, &mut two, b, 1, 200);
    }
    let name = format!("{}}}", series("requests", "200", "GET", "/", "cart"));
    assert_eq!(print(&first, false, 4096)[&name], "6");
    assert!(Table::attach(&words, Capacity { series: 65, planes: 2 }, &shape).is_none());
}

#[test]
fn the_series_of_a_removed_ingress_go_and_begin_anew() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let gone = table.set(&labels("gone", "/"), 1);
    let stays = table.set(&labels("stays", "/"), 1);
    for handle in [gone, stays] {
        count(&table, &mut worker, handle, 1, 200);
    }
    table.remove(b"shop", b"gone", LATER_MS);
    assert!(!table.is_current(gone) && table.is_current(stays));
    assert!(!count(&table, &mut worker, gone, 1, 200), "a request that was still under way");
    let name = |ingress| format!("{}}}", series("requests", "200", "GET", "/", ingress));
    let all = print(&table, false, 4096);
    assert_eq!(all.get(&name("gone")), None);
    assert_eq!(all[&name("stays")], "1");
    let again = table.set(&labels("gone", "/"), 2 * LATER_MS);
    assert!(count(&table, &mut worker, again, 1, 200));
    assert_eq!(print(&table, false, 4096)[&name("gone")], "1");
}

#[test]
fn what_there_is_no_room_for_is_folded_until_there_is() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    for nth in 0..100 {
        let name = format!("ingress-{nth}");
        let handle = table.set(&labels(&name, "/"), 1);
        assert!(count(&table, &mut worker, handle, 1, 200));
    }
    let all = print(&table, false, 4096);
    let folded =
        all.iter().find(|(name, _)| name.contains("requests{") && name.contains("_folded"));
    assert_eq!(folded.unwrap().1, "37");
    assert_eq!(all["wick_request_samples_folded_total{pod=\"p\\\"1\"}"], "37");
    let late = table.set(&labels("ingress-99", "/"), 1);
    table.remove(b"shop", b"ingress-0", 1);
    assert!(!table.is_current(late), "it is worth to ask again");
    let late = table.set(&labels("ingress-99", "/"), LATER_MS);
    assert!(count(&table, &mut worker, late, 1, 200));
    let name = format!("{}}}", series("requests", "200", "GET", "/", "ingress-99"));
    assert_eq!(print(&table, false, 4096)[&name], "1");
}

#[test]
fn one_backend_cannot_take_all_series_with_made_up_statuses() {
    let shape = shape();
    let capacity = Capacity { series: 1024, planes: 1 };
    let words = words(capacity, &shape);
    let table = Table::create(&words, capacity, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("cart", "/"), 1);
    for status in 100..1000 {
        for method in 0..METHODS.len() {
            count(&table, &mut worker, handle, method, status);
        }
    }
    let all = print(&table, false, 4096);
    let requests: Vec<_> = all.iter().filter(|(name, _)| name.contains("_requests{")).collect();
    assert!(requests.len() < 110);
    let sum: u64 = requests.iter().map(|(_, value)| value.parse::<u64>().unwrap()).sum();
    assert_eq!(sum, 900 * METHODS.len() as u64);
}

#[test]
fn metrics_that_are_left_out_take_no_room() {
    let shape = Shape::new(false, |_| None);
    let words = words(CAPACITY, &shape);
    let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("cart", "/"), 1);
    worker.cells(&table, handle, 1, 200, 1, |f| f()).unwrap().observe(Family::BytesSent, 1);
    assert_eq!(shape.words, 8);
    assert!(print(&table, false, 4096).keys().all(|name| name.starts_with("wick_")));
}

#[test]
fn a_worker_that_was_killed_under_the_lock_leaves_a_sound_table() {
    let shape = shape();
    // Every word that is written may be the last: the table is copied as it is after each of the words has changed in turn.
    let capacity = Capacity { series: 64, planes: 1 };
    let before = words(capacity, &shape);
    let table = Table::create(&before, capacity, &shape, &Labels::FOLDED, SEED).unwrap();
    let mut worker = Worker::new(&table, 0, false);
    let handle = table.set(&labels("old", "/"), 1);
    count(&table, &mut worker, handle, 1, 200);
    let copy = |from: &[AtomicU64]| -> Box<[AtomicU64]> {
        from.iter()
            .map(|word| AtomicU64::new(word.load(std::sync::atomic::Ordering::Relaxed)))
            .collect()
    };
    let after = copy(&before);
    let later = Table::attach(&after, capacity, &shape).unwrap();
    later.remove(b"shop", b"old", 5);
    later.set(&labels("new", "/"), 5);
    let changed: Vec<usize> = (0..before.len())
        .filter(|at| {
            let of = |words: &[AtomicU64]| words[*at].load(std::sync::atomic::Ordering::Relaxed);
            of(&before) != of(&after)
        })
        .collect();
    for done in 0..=changed.len() {
        let torn = copy(&before);
        for at in &changed[..done] {
            torn[*at].store(
                after[*at].load(std::sync::atomic::Ordering::Relaxed),
                std::sync::atomic::Ordering::Relaxed,
            );
        }
        torn[5].store(1, std::sync::atomic::Ordering::Relaxed); // busy
        let table = Table::attach(&torn, capacity, &shape).unwrap();
        let mut worker = Worker::new(&table, 0, false);
        for name in ["next", "another"] {
            let handle = table.set(&labels(name, "/"), LATER_MS);
            assert!(count(&table, &mut worker, handle, 1, 200));
            let name = format!("{}}}", series("requests", "200", "GET", "/", name));
            assert_eq!(print(&table, false, 4096)[&name], "1");
        }
    }
}

#[test]
fn threads_lose_no_sample_while_series_come_and_go() {
    let shape = shape();
    let words = words(CAPACITY, &shape);
    Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
    let lock = Mutex::new(());
    let rounds: u64 = if cfg!(miri) { 20 } else { 20_000 };
    std::thread::scope(|scope| {
        for nth in 0..4 {
            let (words, shape, lock) = (&words, &shape, &lock);
            scope.spawn(move || {
                let table = Table::attach(words, CAPACITY, shape).unwrap();
                let mut worker = Worker::new(&table, nth, false);
                let locked = |f: &mut dyn FnMut()| {
                    let _held = lock.lock().unwrap();
                    f();
                };
                let mut handle = None;
                locked(&mut || handle = Some(table.set(&labels("cart", "/"), 1)));
                for round in 0..rounds {
                    let cells = worker.cells(&table, handle.unwrap(), 1, 200, 1, locked).unwrap();
                    cells.request();
                    cells.observe(Family::RequestSize, 3);
                    if round % 100 == 0 {
                        let name = format!("passing-{nth}");
                        locked(&mut || _ = table.set(&labels(&name, "/"), round));
                        locked(&mut || table.remove(b"shop", name.as_bytes(), round));
                    }
                }
            });
        }
    });
    let table = Table::attach(&words, CAPACITY, &shape).unwrap();
    let all = print(&table, false, 4096);
    let of = |name| all[&format!("{}}}", series(name, "200", "GET", "/", "cart"))].clone();
    assert_eq!(of("requests"), (4 * rounds).to_string());
    assert_eq!(of("request_size_sum"), (12 * rounds).to_string());
}

proptest! {
    #[test]
    fn every_sample_is_counted_once(samples in prop::collection::vec((0..30_usize, 0..17_usize, 0..1200_u16, 0..3000_u64), 1..300)) {
        let shape = shape();
        let words = words(CAPACITY, &shape);
        let table = Table::create(&words, CAPACITY, &shape, &Labels::FOLDED, SEED).unwrap();
        let mut workers = [Worker::new(&table, 0, false), Worker::new(&table, 1, false)];
        let mut sum = 0;
        for (nth, (ingress, method, status, value)) in samples.iter().enumerate() {
            let name = format!("i{ingress}");
            let handle = table.set(&labels(&name, "/"), 1);
            let cells = workers[nth % 2].cells(&table, handle, *method, *status, 1, |f| f()).unwrap();
            cells.request();
            cells.observe(Family::ResponseSize, *value);
            sum += value;
        }
        let all = print(&table, false, 1000);
        let total = |part: &str| -> u64 {
            all.iter().filter(|(name, _)| name.contains(part)).map(|(_, value)| value.parse::<u64>().unwrap()).sum()
        };
        prop_assert_eq!(total("_requests{"), samples.len() as u64);
        prop_assert_eq!(total("response_size_count"), samples.len() as u64);
        prop_assert_eq!(total("response_size_sum"), sum);
    }

    #[test]
    fn labels_stay_within_their_quotes(value in prop::collection::vec(any::<u8>(), 0..2000)) {
        let text = Labels { path: &value, ..labels("cart", "/") }.text();
        let text = String::from_utf8(text).unwrap();
        prop_assert!(!text.contains('\n'));
        let rest = text.strip_prefix("path=\"").unwrap();
        let mut escaped = false;
        let end = rest.char_indices().find(|(_, c)| {
            let ends = *c == '"' && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        prop_assert!(rest[end.unwrap().0..].starts_with("\",namespace=\"shop\""));
    }
}
