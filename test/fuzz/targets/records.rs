//! Every reader of a record in the zones. The first byte says which one.
#![no_main]

use std::borrow::Cow;
use std::convert::Infallible;
use std::net::{IpAddr, Ipv6Addr};

use libfuzzer_sys::fuzz_target;
use wick_abi::EndpointList;
use wick_access::{AddressList, Verdict, check_address};
use wick_passwords::UserList;
use wick_routes::{Asks, Condition, Head, HostRoutes, PartIndex, Route, Span, Value};
use wick_streams::Stream;
use wick_tls::{Authority, Pair, Passthrough, Staple, TlsHost};

fuzz_target!(|bytes: &[u8]| {
    let Some((kind, record)) = bytes.split_first() else { return };
    match kind % 11 {
        0 => host(HostRoutes::decode(b"shop.test", record).as_ref().ok(), record),
        1 => host(HostRoutes::decode_part(b"shop.test", record).as_ref().ok(), record),
        2 => drop(TlsHost::decode(record)),
        3 => drop(Pair::decode(record)),
        4 => drop(Staple::decode(record)),
        5 => drop(Authority::decode(record)),
        6 => passthrough(record),
        7 => endpoints(record),
        8 => addresses(record),
        9 => users(record),
        _ => stream(record),
    }
});

/// No pattern matches, and of routes with conditions every second one is for the request.
struct Every;

impl Asks for Every {
    type Error = Infallible;

    fn is_match(&mut self, _: usize, _: usize, _: &Route) -> Result<bool, Infallible> {
        Ok(false)
    }

    fn meets(&mut self, _: usize, route: usize, all: &[Condition]) -> Result<bool, Infallible> {
        for condition in all {
            condition.value(self);
        }
        Ok(route.is_multiple_of(2))
    }
}

impl Head<'static> for Every {
    fn method(&self) -> &'static [u8] {
        b"GET"
    }

    fn header(&self, _: &[u8]) -> Option<Cow<'static, [u8]>> {
        None
    }

    fn query(&self) -> &'static [u8] {
        b"a=%20+&%61&=b&%"
    }

    fn scheme(&self) -> &'static [u8] {
        b"http"
    }
}

fn host(host: Option<&HostRoutes>, path: &[u8]) {
    let Some(host) = host else { return };
    host.routes().iter().for_each(route);
    assert_eq!(host.patterns(), host.routes().iter().filter(|route| is_pattern(route)).count());
    let path = &path[..path.len().min(64)];
    let Ok(found) = host.find(path, &mut Every);
    assert!(found.is_none_or(|found| found.route < host.routes().len()));
    let span = Span::of(host);
    let index = PartIndex::new([(host, &span)].into_iter()).expect("one part is in order");
    let Ok(alone) = index.find(|_| host, path, &mut Every);
    assert_eq!(alone.map(|part| part.found), found, "a part by itself is the host");
}

fn route(route: &Route) {
    assert!(route.path().starts_with(b"/") || is_pattern(route));
    for value in Value::ALL {
        route.value(value);
    }
    let redirects = [&route.redirect, &route.https_redirect].into_iter().flatten();
    let templates = redirects.map(|redirect| &redirect.to).chain(route.rewrite.as_deref());
    for template in templates.chain(route.variables.iter().map(|variable| &variable.value)) {
        assert!(template.pieces().len() <= template.text().len());
        template.pieces().for_each(drop);
    }
    if let Some(split) = &route.split {
        let drawn = split.at(u64::MAX);
        assert!(drawn.is_none_or(|place| split.weight(place).0 > 0));
    }
    route.identity();
}

fn is_pattern(route: &Route) -> bool {
    route.path_match.is_pattern()
}

fn stream(record: &[u8]) {
    let Ok(stream) = Stream::decode(record) else { return };
    assert!((1..=253).contains(&stream.target.backend.len()));
    let found = stream.names.find(Some(b"a.shop.test")).and_then(|at| stream.names.get(at));
    assert!(found.is_none_or(|target| !target.backend.is_empty()));
}

fn passthrough(record: &[u8]) {
    let Ok(passthrough) = Passthrough::decode(record) else { return };
    assert!((1..=253).contains(&passthrough.backend.len()));
}

fn endpoints(record: &[u8]) {
    let Ok(list) = EndpointList::parse(record) else { return };
    assert_eq!(list.iter().count(), list.len());
    assert!(list.get(list.len()).is_none());
}

fn users(record: &[u8]) {
    let Ok(list) = UserList::decode(record) else { return };
    assert!(!list.stand_in(b"nobody").is_empty());
    assert_eq!(list.hash_of(b""), None);
}

fn addresses(record: &[u8]) {
    let Ok(list) = AddressList::decode(record) else { return };
    let Some(last) = record.last_chunk() else { return };
    let client = Some(IpAddr::V6(Ipv6Addr::from_octets(*last)));
    let is_in = check_address(client, Some(&list), None, &[]) == Verdict::Granted;
    assert_ne!(is_in, check_address(client, None, Some(&list), &[]) == Verdict::Undecided);
}
