//! What a worker knows of the records follows what others write, at every moment.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use proptest::prelude::*;
use wick_hosts::{Hosts, Listener, Prepare, ReadOther, Records};

/// A store in plain memory. Keys share a few version numbers, as in the real one, so that unrelated changes move them.
#[derive(Default)]
struct Memory {
    values: RefCell<HashMap<Vec<u8>, Vec<u8>>>,
    version: Cell<u64>,
    stripes: [Cell<u64>; 3],
    reads: Cell<u32>,
}

impl Memory {
    fn stripe(&self, key: &[u8]) -> &Cell<u64> {
        &self.stripes[key.iter().map(|byte| usize::from(*byte)).sum::<usize>() % 3]
    }

    fn set(&self, host: &str, value: Option<&str>) {
        self.set_at("main", host, value);
    }

    fn set_at(&self, server: &str, host: &str, value: Option<&str>) {
        let key = format!("routes/{server}/{host}").into_bytes();
        self.stripe(&key).set(self.stripe(&key).get() + 1);
        match value {
            Some(value) => self.values.borrow_mut().insert(key, value.into()),
            None => self.values.borrow_mut().remove(&key),
        };
        self.version.set(self.version.get() + 1);
    }
}

impl Records for Memory {
    fn version(&self) -> u64 {
        self.version.get()
    }
    fn key_version(&self, key: &[u8]) -> u64 {
        self.stripe(key).get()
    }
    fn read(&self, key: &[u8], value: &mut Vec<u8>) -> bool {
        self.reads.set(self.reads.get() + 1);
        self.values.borrow().get(key).inspect(|found| value.clone_from(found)).is_some()
    }
}

/// Records are their own hosts; one that begins with `incomplete` does not replace another while `exiting`.
#[derive(Default)]
struct AsText {
    exiting: bool,
}

impl Prepare for AsText {
    type Host = String;
    fn prepare(
        &self,
        _: &[u8],
        record: &[u8],
        _: Option<&String>,
        _: &mut ReadOther<'_>,
    ) -> String {
        String::from_utf8(record.to_vec()).unwrap()
    }
    fn keeps_old(&self, _: &String, new: &String) -> bool {
        self.exiting && new.starts_with("incomplete")
    }
}

struct Worker {
    memory: Memory,
    hosts: Hosts<String>,
    prepare: AsText,
}

impl Worker {
    fn new() -> Self {
        Self {
            memory: Memory::default(),
            hosts: Hosts::of_server(b"routes/", b"main"),
            prepare: AsText::default(),
        }
    }

    fn find(&mut self, host: &str) -> Option<String> {
        let found = self.hosts.find(&self.memory, &self.prepare, host.as_bytes());
        found.map(Rc::unwrap_or_clone)
    }
}

fn listener(address: &str, port: u16) -> Listener {
    Listener::new(false, address.parse().expect("an address"), port)
}

impl Worker {
    fn find_at(&mut self, address: &str, port: u16, host: &str) -> Option<String> {
        let (at, falls_back) = (listener(address, port), port == 80);
        let host = host.as_bytes();
        let found = self.hosts.find_at(&self.memory, &self.prepare, &at, falls_back, host);
        found.map(Rc::unwrap_or_clone)
    }
}

#[test]
fn hosts_of_two_listeners_do_not_see_each_other() {
    let mut worker = Worker::new();
    worker.memory.set("_", Some("own"));
    worker.memory.set("b.test", Some("own b"));
    assert_eq!(worker.find_at("10.0.0.1", 80, "a.test").as_deref(), Some("own"));
    assert_eq!(worker.find_at("10.0.0.1", 81, "a.test"), None);
    // Its hosts are not there before it is.
    worker.memory.set_at("http:10.0.0.1:80", "a.test", Some("first"));
    assert_eq!(worker.find_at("10.0.0.1", 80, "a.test").as_deref(), Some("own"));
    worker.memory.set_at("http:10.0.0.1:80", "_", Some("first any"));
    worker.memory.set_at("http:*:80", "_", Some("any any"));
    worker.memory.set_at("http:*:80", "b.test", Some("any b"));
    for (address, host, found) in [
        ("10.0.0.1", "a.test", "first"),
        ("10.0.0.1", "b.test", "first any"),
        ("10.0.0.2", "b.test", "any b"),
        ("10.0.0.2", "a.test", "any any"),
        ("::1", "a.test", "any any"),
    ] {
        assert_eq!(worker.find_at(address, 80, host).as_deref(), Some(found), "{address} {host}");
    }
    assert_eq!(worker.find("b.test").as_deref(), Some("own b"));
    worker.memory.set_at("http:10.0.0.1:80", "_", None);
    assert_eq!(worker.find_at("10.0.0.1", 80, "b.test").as_deref(), Some("any b"));
    worker.memory.set_at("http:*:80", "_", None);
    assert_eq!(worker.find_at("10.0.0.1", 80, "b.test").as_deref(), Some("own b"));
}

#[test]
fn a_host_of_a_listener_is_told_its_name_and_read_once() {
    let (mut worker, mut names) = (Worker::new(), Names::default());
    worker.memory.set_at("http:*:80", "_", Some(""));
    worker.memory.set_at("http:*:80", "*.test", Some(""));
    for host in [&b"a.test"[..], b"b.test", b"c.other"] {
        let at = listener("10.0.0.1", 80);
        assert!(worker.hosts_named(&mut names, &at, host));
    }
    assert_eq!(*names.0.borrow(), ["_", "*.test"]);
}

/// What records were called when they were read.
#[derive(Default)]
struct Names(RefCell<Vec<String>>);

impl Prepare for Names {
    type Host = String;
    fn prepare(&self, name: &[u8], _: &[u8], _: Option<&String>, _: &mut ReadOther<'_>) -> String {
        self.0.borrow_mut().push(String::from_utf8_lossy(name).into());
        String::new()
    }
    fn keeps_old(&self, _: &String, _: &String) -> bool {
        false
    }
}

impl Worker {
    fn hosts_named(&mut self, names: &mut Names, at: &Listener, host: &[u8]) -> bool {
        self.hosts.find_at(&self.memory, names, at, false, host).is_some()
    }
}

#[test]
fn exact_beats_wildcard_beats_any_as_they_come_and_go() {
    let mut worker = Worker::new();
    assert_eq!(worker.find("a.test"), None);
    let states = [("_", "any"), ("*.test", "wildcard"), ("a.test", "exact")];
    for (host, value) in states {
        worker.memory.set(host, Some(value));
        assert_eq!(worker.find("a.test").as_deref(), Some(value));
    }
    for (host, left) in [("a.test", Some("wildcard")), ("*.test", Some("any")), ("_", None)] {
        worker.memory.set(host, None);
        assert_eq!(worker.find("a.test").as_deref(), left);
    }
}

#[test]
fn a_record_is_told_its_name() {
    struct Name;
    impl Prepare for Name {
        type Host = Vec<u8>;
        fn prepare(
            &self,
            name: &[u8],
            _: &[u8],
            _: Option<&Vec<u8>>,
            _: &mut ReadOther<'_>,
        ) -> Vec<u8> {
            name.to_vec()
        }
        fn keeps_old(&self, _: &Vec<u8>, _: &Vec<u8>) -> bool {
            false
        }
    }
    let (memory, mut hosts) = (Memory::default(), Hosts::of_server(b"routes/", b"main"));
    for name in ["_", "*.test", "a.test"] {
        memory.set(name, Some(""));
        let found = hosts.find(&memory, &Name, b"a.test").unwrap();
        assert_eq!(std::str::from_utf8(&found), Ok(name));
    }
}

#[test]
fn a_wildcard_is_one_label() {
    let mut worker = Worker::new();
    worker.memory.set("*.test", Some("wildcard"));
    assert_eq!(worker.find("a.test").as_deref(), Some("wildcard"));
    for host in ["a.b.test", "test", "*.test", ""] {
        assert_eq!(worker.find(host), None, "{host}");
    }
}

#[test]
fn nothing_is_read_while_nothing_changes() {
    let mut worker = Worker::new();
    worker.memory.set("_", Some("any"));
    let mut ask_all = || {
        let _ = ["a.test", "b.test", "no-wildcard"].map(|host| worker.find(host));
        worker.memory.reads.get()
    };
    let reads = ask_all();
    for _ in 0..100 {
        assert_eq!(ask_all(), reads);
    }
}

#[test]
fn made_up_hosts_share_the_record_that_serves_them() {
    let mut worker = Worker::new();
    worker.memory.set("_", Some("any"));
    let shared = worker.hosts.find(&worker.memory, &worker.prepare, b"a").unwrap();
    for n in 0..100_000 {
        let host = format!("made-up-{n}");
        let found = worker.hosts.find(&worker.memory, &worker.prepare, host.as_bytes()).unwrap();
        assert!(Rc::ptr_eq(&shared, &found));
    }
    // Bounded: twice 16,384 hosts are remembered at most, whatever was asked for.
    assert!(Rc::strong_count(&shared) <= 2 * 16_384 + 2, "{}", Rc::strong_count(&shared));
}

#[test]
fn an_exiting_worker_keeps_what_it_can_serve() {
    let mut worker = Worker::new();
    worker.memory.set("a.test", Some("old"));
    assert_eq!(worker.find("a.test").as_deref(), Some("old"));
    worker.prepare.exiting = true;
    worker.memory.set("a.test", Some("incomplete"));
    assert_eq!(worker.find("a.test").as_deref(), Some("old"));
    worker.memory.set("b.test", Some("incomplete"));
    assert_eq!(worker.find("b.test").as_deref(), Some("incomplete"));
    worker.memory.set("a.test", Some("new"));
    assert_eq!(worker.find("a.test").as_deref(), Some("new"));
}

#[derive(Clone, Debug)]
enum Step {
    Set(&'static str, u8),
    Remove(&'static str),
    Find(&'static str),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    const RECORDS: &[&str] = &["a.test", "b.test", "*.test", "_", "*.b.test", "c"];
    const HOSTS: &[&str] =
        &["a.test", "b.test", "x.test", "a.b.test", "c", "", "*.test", "x.y.z.test"];
    let record = || proptest::sample::select(RECORDS);
    let step = prop_oneof![
        (record(), any::<u8>()).prop_map(|(name, value)| Step::Set(name, value)),
        record().prop_map(Step::Remove),
        proptest::sample::select(HOSTS).prop_map(Step::Find),
    ];
    proptest::collection::vec(step, 0..60)
}

/// The answer by the rules, from the store as it is now.
fn expected(memory: &Memory, host: &str) -> Option<String> {
    expected_of(memory, "main", host)
}

/// The same of a request to port 80, which falls back, or 81.
fn expected_at(memory: &Memory, address: &str, port: u16, host: &str) -> Option<String> {
    let is_there = |server: &String| {
        memory.values.borrow().contains_key(format!("routes/{server}/_").as_bytes())
    };
    let address = if address.contains(':') { format!("[{address}]") } else { address.into() };
    let servers = [format!("http:{address}:{port}"), format!("http:*:{port}")];
    match servers.iter().find(|server| is_there(server)) {
        Some(server) => expected_of(memory, server, host),
        None if port == 80 => expected(memory, host),
        None => None,
    }
}

fn expected_of(memory: &Memory, server: &str, host: &str) -> Option<String> {
    let values = memory.values.borrow();
    let value = |name: String| values.get(format!("routes/{server}/{name}").as_bytes()).cloned();
    let own = || Some(host.to_owned()).filter(|name| !name.is_empty() && !name.starts_with('*'));
    let wildcard = || host.split_once('.').filter(|(label, _)| *label != "*");
    let found = own()
        .and_then(value)
        .or_else(|| wildcard().and_then(|(_, rest)| value(format!("*.{rest}"))))
        .or_else(|| value("_".into()));
    found.map(|value| String::from_utf8(value).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 5_000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_answer_is_as_new_as_its_question(steps in steps()) {
        let mut worker = Worker::new();
        for step in steps {
            match step {
                Step::Set(name, value) => worker.memory.set(name, Some(&format!("{name}={value}"))),
                Step::Remove(name) => worker.memory.set(name, None),
                Step::Find(host) => {
                    let expected = expected(&worker.memory, host);
                    prop_assert_eq!(worker.find(host), expected);
                }
            }
        }
    }
}

/// What a step does at one of these servers, or asks of a listener.
fn steps_at() -> impl Strategy<Value = Vec<(usize, Step)>> {
    (steps(), proptest::collection::vec(0usize..4, 60))
        .prop_map(|(steps, places)| places.into_iter().zip(steps).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 5_000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn every_answer_is_that_of_the_listeners_own_server(steps in steps_at()) {
        const SERVERS: [&str; 4] = ["main", "http:10.0.0.1:80", "http:*:80", "http:*:81"];
        const LISTENERS: [(&str, u16); 4] =
            [("10.0.0.1", 80), ("10.0.0.2", 80), ("10.0.0.1", 81), ("::1", 80)];
        let mut worker = Worker::new();
        for (place, step) in steps {
            let server = SERVERS[place];
            match step {
                Step::Set(name, value) => {
                    worker.memory.set_at(server, name, Some(&format!("{server} {name}={value}")));
                }
                Step::Remove(name) => worker.memory.set_at(server, name, None),
                Step::Find(host) => {
                    let (address, port) = LISTENERS[place];
                    let expected = expected_at(&worker.memory, address, port, host);
                    prop_assert_eq!(worker.find_at(address, port, host), expected);
                }
            }
        }
    }
}

/// Records name another one, which is read with them.
struct Joined;

impl Prepare for Joined {
    type Host = String;
    fn prepare(
        &self,
        _: &[u8],
        record: &[u8],
        old: Option<&String>,
        others: &mut ReadOther<'_>,
    ) -> String {
        let mut part = Vec::new();
        let is_there = others(&[b"routes/main/", record].concat(), &mut part);
        let text = if is_there { String::from_utf8(part).unwrap() } else { "torn".into() };
        format!("{text} after {}", old.map_or("nothing", String::as_str))
    }
    fn keeps_old(&self, _: &String, _: &String) -> bool {
        false
    }
}

/// Between the reading of a host and that of its part, both are replaced; so many times.
struct Racing {
    memory: Memory,
    left: Cell<u32>,
}

impl Records for Racing {
    fn version(&self) -> u64 {
        self.memory.version()
    }
    fn key_version(&self, key: &[u8]) -> u64 {
        self.memory.key_version(key)
    }
    fn read(&self, key: &[u8], value: &mut Vec<u8>) -> bool {
        let left = self.left.get();
        if key.starts_with(b"routes/main/part") && left > 0 {
            self.left.set(left - 1);
            self.memory.set(&format!("part{}", left - 1), Some(&format!("routes {}", left - 1)));
            self.memory.set("a.test", Some(&format!("part{}", left - 1)));
            self.memory.set(&format!("part{left}"), None);
        }
        self.memory.read(key, value)
    }
}

#[test]
fn a_host_is_read_again_when_what_it_names_was_replaced_meanwhile() {
    let racing = Racing { memory: Memory::default(), left: Cell::new(3) };
    racing.memory.set("part3", Some("routes 3"));
    racing.memory.set("a.test", Some("part3"));
    let mut hosts = Hosts::of_server(b"routes/", b"main");
    let found = hosts.find(&racing, &Joined, b"a.test").unwrap();
    assert_eq!(*found, "routes 0 after nothing");
    racing.memory.set("part", Some("more"));
    racing.memory.set("a.test", Some("part"));
    let found = hosts.find(&racing, &Joined, b"a.test").unwrap();
    assert_eq!(*found, "more after routes 0 after nothing");
}

#[test]
fn what_is_named_and_never_there_is_told_at_once() {
    let (memory, mut hosts) = (Memory::default(), Hosts::of_server(b"routes/", b"main"));
    memory.set("a.test", Some("absent"));
    assert_eq!(*hosts.find(&memory, &Joined, b"a.test").unwrap(), "torn after nothing");
    memory.set("absent", Some("there"));
    memory.set("a.test", Some("absent"));
    assert_eq!(*hosts.find(&memory, &Joined, b"a.test").unwrap(), "there after torn after nothing");
}

/// A record that begins with `alias ` refers to another one.
struct Aliases;

impl Prepare for Aliases {
    type Host = String;
    fn prepare(
        &self,
        _: &[u8],
        record: &[u8],
        _: Option<&String>,
        _: &mut ReadOther<'_>,
    ) -> String {
        String::from_utf8(record.to_vec()).unwrap()
    }
    fn keeps_old(&self, _: &String, _: &String) -> bool {
        false
    }
    fn alias_of<'h>(&self, host: &'h String) -> Option<&'h [u8]> {
        host.strip_prefix("alias ").map(str::as_bytes)
    }
    fn resolved(&self, alias: Rc<String>, of: Option<Rc<String>>) -> Rc<String> {
        Rc::new(format!("{alias}: {}", of.as_deref().map_or("absent", String::as_str)))
    }
}

#[test]
fn an_alias_follows_the_record_that_it_refers_to() {
    let (memory, mut hosts) = (Memory::default(), Hosts::of_server(b"routes/", b"main"));
    let mut find = |host: &[u8]| hosts.find(&memory, &Aliases, host).map(Rc::unwrap_or_clone);
    memory.set("a.test", Some("alias shop.test"));
    assert_eq!(find(b"a.test").unwrap(), "alias shop.test: absent");
    memory.set("shop.test", Some("one"));
    assert_eq!(find(b"a.test").unwrap(), "alias shop.test: one");
    memory.set("shop.test", Some("two"));
    assert_eq!(find(b"a.test").unwrap(), "alias shop.test: two");
    memory.set("*.test", Some("alias a.test"));
    assert_eq!(find(b"b.test").unwrap(), "alias a.test: alias shop.test");
    memory.set("a.test", Some("own"));
    assert_eq!(find(b"a.test").unwrap(), "own");
    assert_eq!(find(b"b.test").unwrap(), "alias a.test: own");
    memory.set("a.test", None);
    assert_eq!(find(b"a.test").unwrap(), "alias a.test: absent");
}

#[test]
fn nothing_is_read_of_an_alias_while_nothing_changes() {
    let (memory, mut hosts) = (Memory::default(), Hosts::of_server(b"routes/", b"main"));
    memory.set("a.test", Some("alias shop.test"));
    memory.set("shop.test", Some("one"));
    let mut reads = || {
        hosts.find(&memory, &Aliases, b"a.test");
        memory.reads.get()
    };
    let before = reads();
    (0..100).for_each(|_| assert_eq!(reads(), before));
}

#[test]
fn a_wildcard_of_several_labels_serves_what_nothing_nearer_does() {
    let mut worker = Worker::new();
    worker.memory.set("_", Some("any"));
    worker.memory.set("**.shop.test", Some("several"));
    assert_eq!(worker.find("a.b.shop.test").as_deref(), Some("several"));
    assert_eq!(worker.find("a.shop.test").as_deref(), Some("several"));
    assert_eq!(worker.find("shop.test").as_deref(), Some("any"));
    worker.memory.set("*.shop.test", Some("one"));
    assert_eq!(worker.find("a.shop.test").as_deref(), Some("one"));
    assert_eq!(worker.find("a.b.shop.test").as_deref(), Some("several"));
    worker.memory.set("**.b.shop.test", Some("longer"));
    assert_eq!(worker.find("a.b.shop.test").as_deref(), Some("longer"));
    worker.memory.set("**.b.shop.test", None);
    assert_eq!(worker.find("a.b.shop.test").as_deref(), Some("several"));
    worker.memory.set("**.shop.test", None);
    assert_eq!(worker.find("a.b.shop.test").as_deref(), Some("any"));
}
