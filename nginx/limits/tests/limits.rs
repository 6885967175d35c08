//! A table against nginx's arithmetic written down naively, and against processes that end without a word.

use std::collections::HashMap;
use std::sync::atomic::AtomicU64;

use proptest::prelude::*;
use wick_limits::{
    Answer, Capacity, Client, Connection, Identity, Limits, Part, Process, Rate, Table, passes_in,
};
use wick_wire::RecordError;

/// As random as those of tables are.
const SEED: u64 = 0x9e37_79b9_7f4a_7c15;
const CAPACITY: Capacity = Capacity { clients: 64, processes: 8 };

fn words(capacity: Capacity) -> Vec<AtomicU64> {
    (0..Table::words(capacity)).map(|_| AtomicU64::new(0)).collect()
}

fn client(number: u128) -> Client {
    Client { ingress: 1, namespace: 1, number }
}

fn limits(rates: [Option<Rate>; 2], connections: Option<u32>) -> Limits {
    let identity = Identity { parts: [].into(), ipv6_bits: 128 };
    Limits { key: 1, rates, connections, exempt: None, identity, has_headers: false }
}

fn alive(_: u32) -> bool {
    true
}

/// ngx_http_limit_req_lookup and ngx_http_limit_req_account, as they stand there.
struct Node {
    excess: i64,
    last: i64,
}

#[derive(Default)]
struct Nginx(HashMap<(usize, u128), Node>);

impl Nginx {
    /// `zones`: rate in thousandths and burst in requests, in the order of their directives.
    fn is_busy(&mut self, zones: &[(usize, i64, i64)], address: u128, now: i64) -> bool {
        let passed = |node: &Node| match now - node.last {
            ms if ms < -60_000 => 1,
            ms if ms < 0 => 0,
            ms => ms,
        };
        let mut to_account = Vec::new();
        for (zone, rate, burst) in zones {
            let excess = match self.0.get(&(*zone, address)) {
                None => None,
                Some(node) => {
                    let excess = (node.excess - rate * passed(node) / 1000 + 1000).max(0);
                    if excess > burst * 1000 {
                        return true;
                    }
                    Some(excess)
                }
            };
            to_account.push((*zone, excess));
        }
        for (zone, excess) in to_account {
            match (self.0.get_mut(&(zone, address)), excess) {
                (Some(node), Some(excess)) => {
                    node.excess = excess;
                    if passed(node) != 0 {
                        node.last = now;
                    }
                }
                _ => {
                    self.0.insert((zone, address), Node { excess: 0, last: now });
                }
            }
        }
        false
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 2_000 }, failure_persistence: None, ..Default::default() })]

    #[test]
    fn each_request_is_answered_as_by_nginx(
        (rps, rpm) in (proptest::option::of(1u32..200), proptest::option::of(1u32..5000)),
        multiplier in 0u64..8,
        arrivals in proptest::collection::vec((prop_oneof![-70_000i64..0, 0i64..3, 0i64..2000, 0i64..100_000], 0u128..3), 1..300),
    ) {
        let words = words(CAPACITY);
        let table = Table::create(&words, CAPACITY, SEED).unwrap();
        let burst = |requests: u32| u64::from(requests) * multiplier;
        let limits = limits([
            rps.map(|requests| Rate::per_second(requests, burst(requests))),
            rpm.map(|requests| Rate::per_minute(requests, burst(requests))),
        ], None);
        let zones: Vec<(usize, i64, i64)> = [
            rps.map(|requests| (0, i64::from(requests) * 1000, burst(requests) as i64)),
            rpm.map(|requests| (1, i64::from(requests) * 1000 / 60, burst(requests) as i64)),
        ].into_iter().flatten().collect();
        let (mut nginx, mut now) = (Nginx::default(), 1_000_000i64);
        for (step, address) in arrivals {
            now = (now + step).max(0);
            let answer = table.ask(client(address), &limits, now as u64, None, alive);
            let is_busy = nginx.is_busy(&zones, address, now);
            prop_assert_eq!(matches!(answer, Answer::TooFast(..)), is_busy, "{:?} at {}", answer, now);
        }
    }

    #[test]
    fn what_is_under_way_is_never_more_than_allowed_and_all_comes_back(
        max in 1u32..5,
        steps in proptest::collection::vec((0usize..3, 0u128..3, any::<bool>()), 1..200),
    ) {
        let words = words(CAPACITY);
        let table = Table::create(&words, CAPACITY, SEED).unwrap();
        let limits = limits([None; 2], Some(max));
        let processes: Vec<Process> = (1..=3).map(|pid| table.register(pid, alive).unwrap()).collect();
        let mut held: HashMap<u128, Vec<Connection>> = HashMap::new();
        for (process, address, ends) in steps {
            let own = held.entry(address).or_default();
            if ends {
                if let Some(connection) = own.pop() {
                    table.give_back(connection);
                }
                continue;
            }
            match table.ask(client(address), &limits, 0, Some(processes[process]), alive) {
                Answer::Granted(Some(connection), _) => own.push(connection),
                answer => prop_assert_eq!((answer, own.len()), (Answer::TooMany, max as usize)),
            }
            prop_assert!(own.len() <= max as usize);
        }
    }

    #[test]
    fn no_numbers_panic(rps in any::<u32>(), burst in any::<u64>(), times in proptest::collection::vec(any::<u64>(), 1..9)) {
        let words = words(CAPACITY);
        let table = Table::create(&words, CAPACITY, SEED).unwrap();
        let limits = limits([Some(Rate::per_second(rps, burst)), Some(Rate::per_minute(rps, burst))], None);
        for now in times {
            table.ask(client(1), &limits, now, None, alive);
        }
    }

    #[test]
    fn no_record_panics(value in any::<Vec<u8>>()) {
        let _ = Limits::read(&value);
    }
}

#[test]
fn a_process_that_dies_gives_back_what_it_has() {
    let words = words(CAPACITY);
    let table = Table::create(&words, CAPACITY, SEED).unwrap();
    let limits = limits([None; 2], Some(2));
    let ask = |process, is_alive: fn(u32) -> bool| {
        table.ask(client(1), &limits, 0, Some(process), is_alive)
    };
    let (dead, other) = (table.register(1, alive).unwrap(), table.register(2, alive).unwrap());
    for _ in 0..2 {
        assert!(matches!(ask(dead, alive), Answer::Granted(Some(_), _)));
    }
    assert_eq!(ask(other, alive), Answer::TooMany);
    let Answer::Granted(Some(connection), _) = ask(other, |pid| pid != 1) else { panic!() };
    // Its row goes to the next one, for which nothing of it counts.
    let next = table.register(3, |pid| pid != 1).unwrap();
    assert!(matches!(ask(next, alive), Answer::Granted(Some(_), _)));
    assert_eq!(ask(next, alive), Answer::TooMany);
    table.give_back(connection);
    assert!(matches!(ask(other, alive), Answer::Granted(Some(_), _)));
}

#[test]
fn a_process_without_a_row_is_refused() {
    let words = words(CAPACITY);
    let table = Table::create(&words, CAPACITY, SEED).unwrap();
    let limits = limits([None; 2], Some(2));
    assert_eq!(table.ask(client(1), &limits, 0, None, alive), Answer::TooMany);
    for pid in 1..=8 {
        assert!(table.register(pid, alive).is_some());
    }
    assert!(table.register(9, alive).is_none());
    assert!(table.register(9, |pid| pid != 4).is_some());
}

/// A table of a single set.
const SET: Capacity = Capacity { clients: 8, processes: 8 };

#[test]
fn who_has_drained_soonest_goes_first() {
    let words = words(SET);
    let table = Table::create(&words, SET, SEED).unwrap();
    let rate = limits([Some(Rate::per_second(1, 3)), None], None);
    let ask = |number, now_ms| table.ask(client(number), &rate, now_ms, None, alive);
    for number in 0..8 {
        let requests = if number < 2 { 1 } else { 4 };
        (0..requests).for_each(|_| assert!(matches!(ask(number, 0), Answer::Granted(..))));
    }
    assert_eq!(table.shortages(), 0);
    assert!(matches!(ask(9, 0), Answer::Granted(..)));
    assert_eq!(table.shortages(), 1);
    // Who left begins with what it has requested when it comes again.
    assert!(matches!(ask(0, 0), Answer::Granted(None, [excess, 0]) if excess >= 1000));
    assert_eq!(ask(7, 0), Answer::TooFast(0, 4000));
    assert!(Table::attach(&words, SET).unwrap().shortages() > 0);
    let before = table.shortages();
    // What has drained goes without a trace.
    assert_eq!(ask(10, 60_000), Answer::Granted(None, [0; 2]));
    assert_eq!(table.shortages(), before);
}

/// Who comes: namespace, Ingress, client, and milliseconds after the one before.
type Arrival = (u64, u128, u128, u64);

fn arrivals() -> impl Strategy<Value = Vec<Arrival>> {
    let step = prop_oneof![3 => 0u64..3, 2 => 0u64..2000, 1 => 0u64..100_000];
    proptest::collection::vec((0u64..4, 0u128..2, 0u128..9, step), 1..400)
}

/// Limits of each of two Ingresses in each of four namespaces: per second and per minute, and how many times that at once.
type Said = (Option<u32>, Option<u32>, u32);

fn said() -> impl Strategy<Value = Vec<Said>> {
    let rate = |max| proptest::option::of(1u32..max);
    proptest::collection::vec((rate(20), rate(100), 0u32..4), 8)
}

fn zones_of((rps, rpm, multiplier): Said) -> Vec<(usize, i64, i64)> {
    let burst = |requests: u32| i64::from(requests) * i64::from(multiplier);
    [
        rps.map(|requests| (0, i64::from(requests) * 1000, burst(requests))),
        rpm.map(|requests| (1, i64::from(requests) * 1000 / 60, burst(requests))),
    ]
    .into_iter()
    .flatten()
    .collect()
}

fn limits_of((rps, rpm, multiplier): Said) -> Limits {
    let burst = |requests: u32| u64::from(requests) * u64::from(multiplier);
    let per_second = rps.map(|requests| Rate::per_second(requests, burst(requests)));
    limits([per_second, rpm.map(|requests| Rate::per_minute(requests, burst(requests)))], None)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: if cfg!(miri) { 5 } else { 800 }, failure_persistence: None, ..Default::default() })]

    /// Of what is let in nginx, which forgets nobody here, would refuse nothing: whoever comes, and in whatever order.
    #[test]
    fn nobody_gets_more_than_the_own_burst_and_rate(
        clients in prop_oneof![Just(8u32), Just(16)], arrivals in arrivals(), said in said(),
    ) {
        let capacity = Capacity { clients, ..SET };
        let words = words(capacity);
        let table = Table::create(&words, capacity, SEED).unwrap();
        let mut known: HashMap<(u64, u128), Nginx> = HashMap::new();
        let mut now = 1_000_000;
        for (namespace, ingress, number, step) in arrivals {
            now += step;
            let said = said[namespace as usize * 2 + ingress as usize];
            let who = Client { ingress: u128::from(namespace) << 64 | ingress, namespace, number };
            if let Answer::Granted(..) = table.ask(who, &limits_of(said), now, None, alive) {
                let nginx = known.entry((namespace, ingress)).or_default();
                prop_assert!(!nginx.is_busy(&zones_of(said), number, now as i64), "{:?} at {}", who, now);
            }
        }
    }

    /// Each of n namespaces has its nth part of each set, whatever the others bring: there everything is as if they were not.
    #[test]
    fn no_namespace_takes_from_the_share_of_another(
        namespaces in 2u64..5, arrivals in arrivals(), said in said(), others in any::<u64>(),
    ) {
        let words = words(SET);
        let table = Table::create(&words, SET, SEED).unwrap();
        let (mut nginx, mut now) = (Nginx::default(), 1_000_000);
        for (nth, (namespace, ingress, number, step)) in arrivals.into_iter().enumerate() {
            now += step;
            let namespace = namespace % namespaces;
            if namespace > 0 {
                let key = u128::from(others.wrapping_add(nth as u64 / 2));
                let said = said[namespace as usize * 2 + ingress as usize];
                table.ask(Client { ingress: key, namespace, number: key }, &limits_of(said), now, None, alive);
                continue;
            }
            let (said, number) = (said[0], number % (8 / u128::from(namespaces)));
            let who = Client { ingress: u128::MAX, namespace, number };
            let answer = table.ask(who, &limits_of(said), now, None, alive);
            let is_busy = nginx.is_busy(&zones_of(said), number, now as i64);
            prop_assert_eq!(matches!(answer, Answer::TooFast(..)), is_busy, "{:?} at {}", who, now);
        }
    }

    #[test]
    fn who_has_to_leave_with_requests_under_way_gets_no_more_of_them(
        max in 1u32..4,
        steps in proptest::collection::vec((0usize..3, 0u64..4, 0u128..9, any::<bool>(), any::<usize>()), 1..300),
    ) {
        let words = words(SET);
        let table = Table::create(&words, SET, SEED).unwrap();
        let limits = limits([None; 2], Some(max));
        let processes: Vec<Process> = (1..=3).map(|pid| table.register(pid, alive).unwrap()).collect();
        let give_back = |connection| table.give_back(connection) || { table.give_back_moved(connection); true };
        let mut held: HashMap<(u64, u128), Vec<Connection>> = HashMap::new();
        for (process, namespace, number, ends, which) in steps {
            let own = held.entry((namespace, number)).or_default();
            if ends {
                if !own.is_empty() {
                    give_back(own.swap_remove(which % own.len()));
                }
                continue;
            }
            let who = Client { ingress: namespace.into(), namespace, number };
            if let Answer::Granted(Some(connection), _) = table.ask(who, &limits, 0, Some(processes[process]), alive) {
                own.push(connection);
            }
            prop_assert!(own.len() <= max as usize);
        }
        held.into_values().flatten().for_each(|connection| { give_back(connection); });
        for number in 100..104 {
            let who = Client { ingress: number.into(), namespace: number, number: 1 };
            for _ in 0..max {
                let answer = table.ask(who, &limits, 0, Some(processes[0]), alive);
                prop_assert!(matches!(answer, Answer::Granted(Some(_), _)), "{:?} is never given back", answer);
            }
        }
    }
}

#[test]
fn a_table_is_taken_up_again_with_what_is_in_it() {
    let words = words(CAPACITY);
    assert!(Table::attach(&words, CAPACITY).is_none());
    assert!(Table::create(&words[1..], CAPACITY, SEED).is_none());
    let limits = limits([Some(Rate::per_minute(1, 0)), None], None);
    let table = Table::create(&words, CAPACITY, SEED).unwrap();
    assert_eq!(table.ask(client(1), &limits, 5, None, alive), Answer::Granted(None, [0; 2]));
    let table = Table::attach(&words, CAPACITY).unwrap();
    assert_eq!(table.ask(client(1), &limits, 6, None, alive), Answer::TooFast(0, 1000));
    let other = Client { ingress: 2, namespace: 1, number: 1 };
    assert_eq!(table.ask(other, &limits, 6, None, alive), Answer::Granted(None, [0; 2]));
    assert!(Table::attach(&words, Capacity { clients: 56, ..CAPACITY }).is_none());
}

const KEY: &[u8] = b"00ff00ff00ff00ff00ff00ff00ff00ff";

fn field(tag: u8, value: &[u8]) -> Vec<u8> {
    [&(value.len() as u32 * 256 + u32::from(tag)).to_le_bytes(), value].concat()
}

fn number(id: u8, number: u32) -> Vec<u8> {
    field(id | 128, &number.to_le_bytes())
}

#[test]
fn what_is_missing_or_damaged_is_refused() {
    let key = field(129, KEY);
    let read = |fields: &[Vec<u8>]| Limits::read(&fields.concat());
    let whole = read(&[key.clone(), number(2, 3), number(5, 4), field(134, b"list")]).unwrap();
    assert_eq!(whole.rates, [Some(Rate::per_second(3, 15)), None]);
    assert_eq!((whole.connections, whole.exempt.as_deref()), (Some(4), Some(&b"list"[..])));
    assert_eq!(whole.identity, Identity { parts: [].into(), ipv6_bits: 128 });
    let by = field(135, b"header:X-Api-Key");
    let told = read(&[key.clone(), number(2, 3), by, field(136, &[64]), field(9, &[1])]).unwrap();
    let parts = [Part::Header(b"X-Api-Key".as_slice().into())].into();
    assert_eq!(told.identity, Identity { parts, ipv6_bits: 64 });
    assert!(told.has_headers && !whole.has_headers);
    for part in
        [&b"planet:mars"[..], b"", b"header", b"header:", b"path:0", b"path:10", b"address:"]
    {
        let read = read(&[key.clone(), number(2, 3), field(135, part)]);
        assert_eq!(read, Err(RecordError::Critical(7)), "{}", part.escape_ascii());
    }
    let none = read(&[key.clone(), number(3, 60), number(4, 0)]).unwrap();
    assert_eq!(none.rates, [None, Some(Rate::per_second(1, 0))]);
    for missing in [vec![], vec![key.clone()], vec![number(2, 1)], vec![key.clone(), number(4, 1)]]
    {
        assert_eq!(read(&missing), Err(RecordError::Missing));
    }
    let wrong = [number(2, 0), number(3, 1 << 31), number(5, 0), field(130, b""), field(134, b"")];
    for field in wrong.into_iter().chain([field(129, b"00"), field(129, &[b'x'; 32])]) {
        assert_eq!(read(&[key.clone(), number(2, 1), field]), Err(RecordError::Field));
    }
    let newer = |tag| read(&[key.clone(), number(2, 1), field(tag, b"newer")]);
    assert!(newer(127).is_ok());
    assert_eq!(newer(255), Err(RecordError::Critical(127)));
}

mod identity {
    use std::net::IpAddr;

    use super::*;

    fn identity(parts: &[&[u8]], ipv6_bits: u8) -> Identity {
        let parts = parts.iter().map(|part| Part::read(part).expect("a part")).collect();
        Identity { parts, ipv6_bits }
    }

    fn ip(text: &str) -> Option<IpAddr> {
        Some(text.parse().expect("an address"))
    }

    #[test]
    fn is_the_address_by_itself() {
        let plain = |text| identity(&[], 128).client(ip(text), 7, |_, _| unreachable!());
        assert_eq!(plain("10.0.0.1"), plain("::ffff:10.0.0.1"));
        assert_ne!(plain("10.0.0.1"), plain("10.0.0.2"));
        assert_ne!(plain("2001:db8::1"), plain("2001:db8::2"));
    }

    #[test]
    fn is_a_network_of_ipv6_where_that_is_wanted() {
        let wide = |text| identity(&[], 64).client(ip(text), 7, |_, _| unreachable!());
        assert_eq!(wide("2001:db8::1"), wide("2001:db8::ffff:1"));
        assert_ne!(wide("2001:db8::1"), wide("2001:db8:0:1::1"));
        assert_ne!(wide("10.0.0.1"), wide("10.0.0.2"));
        assert_ne!(wide("::ffff:10.0.0.1"), wide("::ffff:10.0.0.2"));
    }

    #[test]
    fn is_all_parts_together_and_nobody_can_shift_them() {
        let of = |values: [Option<&'static [u8]>; 2], address: &str, seed| {
            let both = identity(&[b"header:a", b"cookie:b"], 128);
            both.client(ip(address), seed, |nth, _| values[nth])
        };
        let one = of([Some(b"xy"), Some(b"z")], "10.0.0.1", 7);
        assert_eq!(one, of([Some(b"xy"), Some(b"z")], "10.0.0.2", 7));
        for other in
            [[Some(&b"x"[..]), Some(&b"yz"[..])], [Some(b"z"), Some(b"xy")], [None, Some(b"z")]]
        {
            assert_ne!(one, of(other, "10.0.0.1", 7), "{other:?}");
        }
        assert_ne!(one, of([Some(b"xy"), Some(b"z")], "10.0.0.1", 8));
    }

    #[test]
    fn who_leaves_something_out_counts_with_the_address() {
        let of = |value: Option<&'static [u8]>, address| {
            identity(&[b"header:a"], 128).client(ip(address), 7, |_, _| value)
        };
        assert_eq!(of(None, "10.0.0.1"), of(None, "10.0.0.1"));
        assert_ne!(of(None, "10.0.0.1"), of(None, "10.0.0.2"));
        let spelled = b"\0\0\0\0\0\0\0\0\0\0\xff\xff\x0a\0\0\x01";
        assert_ne!(of(None, "10.0.0.1"), of(Some(spelled), "10.0.0.2"));
    }

    #[test]
    fn with_the_address_everybody_has_their_own() {
        let of = |address| {
            identity(&[b"address", b"path:1"], 128).client(ip(address), 7, |_, _| Some(b"a"))
        };
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}

#[test]
fn a_rate_says_how_much_is_left_and_when_there_is_more() {
    let rate = Rate::per_second(2, 10);
    assert_eq!((rate.at_once(), rate.left(0), rate.left(9_000), rate.left(9_001)), (11, 10, 1, 0));
    assert_eq!((rate.full_in(0), rate.full_in(9_000)), (1, 5));
    assert_eq!((rate.retry_in(10_500), rate.retry_in(11_000), rate.retry_in(13_000)), (1, 1, 2));
    assert_eq!(Rate::per_minute(0, 0).retry_in(1000), 86_400);
}

#[test]
fn of_all_who_have_passed_a_request_on_only_wick_counts() {
    for (value, passes) in [
        ("wick;n=3", 3),
        ("cdn.example, wick ; n=2, other;n=9", 2),
        ("wick;n=2,wick;n=5", 5),
        ("WICK", 1),
        ("wick;n=", 1),
        ("wick;n=x", 1),
        ("wick;n=0", 1),
        ("wick;v=1;n=4", 4),
        ("wick;n=99999999999999999999999", usize::MAX),
        ("wick2;n=7", 0),
        ("", 0),
    ] {
        assert_eq!(passes_in(value.as_bytes()), passes, "{value}");
    }
}
