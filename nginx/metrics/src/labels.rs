//! The labels of a route, as they are printed.

use std::hash::Hasher;

use siphasher::sip128::{Hasher128, SipHasher13};

/// By the place of the method's bit in nginx's `r->method`; the first is for all that nginx does not know, so that clients cannot
/// invent values. Its name is that of OpenTelemetry's semantic conventions.
pub const METHODS: [&str; 17] = [
    "_OTHER",
    "GET",
    "HEAD",
    "POST",
    "PUT",
    "DELETE",
    "MKCOL",
    "COPY",
    "MOVE",
    "OPTIONS",
    "PROPFIND",
    "PROPPATCH",
    "LOCK",
    "UNLOCK",
    "PATCH",
    "TRACE",
    "CONNECT",
];

/// Bytes of a path as a label; the rest is cut off. All others are names of Kubernetes and so short.
const MAX_PATH_BYTES: usize = 1024;
pub const MAX_NAME_BYTES: usize = 512;

/// What tells the series of a table apart, beside method and status.
pub trait LabelSet {
    /// As they are printed, without braces.
    fn text(&self) -> Vec<u8>;
    /// A number for what the series go with, that nobody can choose without the seed.
    fn owner(&self, seed: u64) -> u128;
}

/// Of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Labels<'a> {
    pub namespace: &'a [u8],
    pub ingress: &'a [u8],
    pub service: &'a [u8],
    /// The canary's backend, where it took the request.
    pub canary: &'a [u8],
    /// The path of the Ingress' rule.
    pub path: &'a [u8],
    /// What a route of the Gateway API calls its rule. Empty: without the label.
    pub rule: &'a [u8],
    /// `None`: without the label.
    pub host: Option<&'a [u8]>,
}

impl Labels<'static> {
    /// Of requests that there is no room for.
    pub const FOLDED: Labels<'static> = Labels {
        namespace: b"_folded",
        ingress: b"_folded",
        service: b"_folded",
        canary: b"",
        path: b"_folded",
        rule: b"",
        host: None,
    };
}

impl LabelSet for Labels<'_> {
    fn text(&self) -> Vec<u8> {
        let mut text = Vec::with_capacity(256);
        put(&mut text, "path", cut(self.path, MAX_PATH_BYTES));
        for (name, value) in [
            (",namespace", self.namespace),
            (",ingress", self.ingress),
            (",service", self.service),
            (",canary", self.canary),
        ] {
            put(&mut text, name, cut(value, MAX_NAME_BYTES));
        }
        if let Some(host) = self.host {
            put(&mut text, ",host", cut(host, MAX_NAME_BYTES));
        }
        if let Some((kind, route)) = route_of(self.ingress) {
            put(&mut text, ",kind", kind);
            put(&mut text, ",route", cut(route, MAX_NAME_BYTES));
            if !self.rule.is_empty() {
                put(&mut text, ",rule", cut(self.rule, MAX_NAME_BYTES));
            }
        }
        text
    }

    fn owner(&self, seed: u64) -> u128 {
        owner(self.namespace, self.ingress, seed)
    }
}

/// What routes of the Gateway API are called that have requests, by what stands before their name.
const KINDS: [(&[u8], &[u8]); 2] = [(b"httproute/", b"HTTPRoute"), (b"grpcroute/", b"GRPCRoute")];

/// Kind and name, of one of the Gateway API: no Ingress has a slash in its name.
fn route_of(ingress: &[u8]) -> Option<(&'static [u8], &[u8])> {
    KINDS.iter().find_map(|(word, kind)| Some((*kind, ingress.strip_prefix(*word)?)))
}

/// The number of an Ingress.
pub fn owner(namespace: &[u8], ingress: &[u8], seed: u64) -> u128 {
    let mut hasher = SipHasher13::new_with_keys(seed, !seed);
    hasher.write(&(namespace.len() as u64).to_le_bytes());
    hasher.write(namespace);
    hasher.write(ingress);
    hasher.finish128().as_u128()
}

pub fn hash(bytes: &[u8], seed: u64) -> u128 {
    let mut hasher = SipHasher13::new_with_keys(seed, seed.rotate_left(32));
    hasher.write(bytes);
    hasher.finish128().as_u128()
}

pub fn cut(value: &[u8], bytes: usize) -> &[u8] {
    &value[..value.len().min(bytes)]
}

/// `name="value"`, with what the text format wants escaped; bytes that are not UTF-8 become U+FFFD.
pub fn put(to: &mut Vec<u8>, name: &str, value: &[u8]) {
    to.extend_from_slice(name.as_bytes());
    to.extend_from_slice(b"=\"");
    for char in String::from_utf8_lossy(value).chars() {
        match char {
            '\\' => to.extend_from_slice(b"\\\\"),
            '"' => to.extend_from_slice(b"\\\""),
            '\n' => to.extend_from_slice(b"\\n"),
            char => to.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
    to.push(b'"');
}

/// The value of a label that `put` has written.
pub fn unescaped(text: &[u8]) -> Vec<u8> {
    let mut bytes = text.iter();
    let mut plain = Vec::with_capacity(text.len());
    while let Some(byte) = bytes.next() {
        let escaped = if *byte == b'\\' { bytes.next() } else { None };
        plain.push(match escaped {
            Some(b'n') => b'\n',
            Some(escaped) => *escaped,
            None => *byte,
        });
    }
    plain
}
