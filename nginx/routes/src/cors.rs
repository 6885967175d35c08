//! What a route says about pages of other origins, and which origins it means.

use std::cmp::Ordering;
use std::rc::Rc;

use wick_wire::{Field, Fields, RecordError, cors, mark, max};

/// What browsers are told (Fetch standard, CORS protocol; docs/wire.md 1, CORS). Texts may stand in headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cors {
    pub origins: Origins,
    /// `None`: there is no such header.
    pub allow_methods: Option<Box<[u8]>>,
    pub allow_headers: Option<Box<[u8]>>,
    /// `None`: what the backend says about it stays.
    pub expose_headers: Option<Box<[u8]>>,
    pub max_age: Box<[u8]>,
    pub credentials: bool,
    /// By the words of the Gateway API (docs/wire.md, CORS).
    pub is_gateway: bool,
}

impl Cors {
    /// # Errors: `Critical` for a field that must be known and is not, `Missing`, `Field`, `Length`.
    pub(crate) fn read(bytes: &[u8]) -> Result<Rc<Cors>, RecordError> {
        let mut parts = Parts::default();
        for field in Fields::new(bytes) {
            parts.set(field?)?;
        }
        parts.whole()
    }
}

#[derive(Default)]
struct Parts<'a> {
    origins: Vec<&'a [u8]>,
    allow_methods: Option<&'a [u8]>,
    allow_headers: Option<&'a [u8]>,
    expose_headers: Option<&'a [u8]>,
    max_age: Option<&'a [u8]>,
    credentials: bool,
    is_gateway: bool,
}

impl<'a> Parts<'a> {
    fn set(&mut self, field: Field<'a>) -> Result<(), RecordError> {
        let bytes = field.value;
        match field.id {
            cors::ORIGINS => self.origins.push(line(bytes)?),
            cors::ALLOW_METHODS => self.allow_methods = Some(line(bytes)?),
            cors::ALLOW_HEADERS => self.allow_headers = Some(line(bytes)?),
            cors::EXPOSE_HEADERS => self.expose_headers = Some(line(bytes)?),
            cors::MAX_AGE => self.max_age = Some(line(bytes)?),
            cors::CREDENTIALS => self.credentials = mark(bytes)?,
            cors::GATEWAY => self.is_gateway = mark(bytes)?,
            _ => field.skip()?,
        }
        Ok(())
    }

    fn whole(self) -> Result<Rc<Cors>, RecordError> {
        let required = |text: Option<&[u8]>| text.map(Box::from).ok_or(RecordError::Missing);
        Ok(Rc::new(Cors {
            origins: Origins::new(&self.origins, self.is_gateway),
            allow_methods: self.allow_methods.map(Box::from),
            allow_headers: self.allow_headers.map(Box::from),
            expose_headers: self.expose_headers.map(Box::from),
            max_age: required(self.max_age)?,
            credentials: self.credentials,
            is_gateway: self.is_gateway,
        }))
    }
}

/// What could end a header's line early is refused: anybody may have written the zone.
fn line(bytes: &[u8]) -> Result<&[u8], RecordError> {
    let is_line = (1..=max::TEXT_BYTES).contains(&bytes.len());
    let has_control = bytes.iter().any(u8::is_ascii_control);
    if is_line && !has_control { Ok(bytes) } else { Err(RecordError::Field) }
}

/// The origins that are allowed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origins {
    /// `*`: every request, also one without an `Origin`.
    All,
    Listed(Listed),
}

/// Origins as browsers send them, and some with a `*.`, for one label or for any number of them, before their host. ASCII letters are compared in any
/// case, everything else byte by byte, from end to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    // In small letters, in the order of `compare`, each once.
    exact: Box<[Box<[u8]>]>,
    wildcards: Box<[Wildcard]>,
    /// A `*.` is any number of labels, and a host `*` every one.
    are_wide: bool,
}

/// `https://*.shop.test:8443`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wildcard {
    /// With the slashes: `https://`.
    scheme: Box<[u8]>,
    /// What follows the label: `.shop.test:8443`; of every host its port, or nothing.
    rest: Box<[u8]>,
}

impl Origins {
    /// From texts in any case. `are_wide`: their wildcards are those of the Gateway API.
    pub fn new(texts: &[&[u8]], are_wide: bool) -> Origins {
        if texts.contains(&&b"*"[..]) {
            return Origins::All;
        }
        let (mut exact, mut wildcards) = (Vec::new(), Vec::new());
        for text in texts {
            let text = text.to_ascii_lowercase();
            match Wildcard::of(&text, are_wide) {
                Some(wildcard) => wildcards.push(wildcard),
                None => exact.push(text.into_boxed_slice()),
            }
        }
        exact.sort_by(|a, b| compare(a, b));
        exact.dedup();
        wildcards.sort_by(|a, b| a.compare(&b.scheme, &b.rest));
        wildcards.dedup();
        Origins::Listed(Listed { exact: exact.into(), wildcards: wildcards.into(), are_wide })
    }
}

impl Listed {
    /// Whether the value of an `Origin` is allowed. Takes O(log n) comparisons; nothing is allocated.
    pub fn contains(&self, origin: &[u8]) -> bool {
        let is_exact = self.exact.binary_search_by(|listed| compare(listed, origin)).is_ok();
        is_exact || (!self.wildcards.is_empty() && self.matches_wildcard(origin))
    }

    fn matches_wildcard(&self, origin: &[u8]) -> bool {
        let Some((scheme, host)) = split(origin) else { return false };
        if self.are_wide {
            return self.wildcards.iter().any(|wildcard| wildcard.is_wide_match(scheme, host));
        }
        let label = host.iter().take_while(|byte| is_label_byte(**byte)).count();
        let rest = &host[label..];
        let found = self.wildcards.binary_search_by(|wildcard| wildcard.compare(scheme, rest));
        label > 0 && found.is_ok()
    }
}

impl Wildcard {
    fn of(text: &[u8], is_wide: bool) -> Option<Wildcard> {
        let (scheme, host) = split(text)?;
        let rest = host.strip_prefix(b"*")?;
        let is_every = is_wide && (rest.is_empty() || rest.starts_with(b":"));
        let is_one = is_every || rest.starts_with(b".");
        is_one.then(|| Wildcard { scheme: scheme.into(), rest: rest.into() })
    }

    /// Any number of labels before its rest, one at least. Without a port it is that of the scheme, which browsers leave out.
    fn is_wide_match(&self, scheme: &[u8], host: &[u8]) -> bool {
        let Some(start) = host.len().checked_sub(self.rest.len()) else { return false };
        let (labels, rest) = host.split_at(start);
        let is_label = |byte: &u8| is_label_byte(*byte) || *byte == b'.';
        scheme.eq_ignore_ascii_case(&self.scheme)
            && rest.eq_ignore_ascii_case(&self.rest)
            && !labels.is_empty()
            && labels.iter().all(is_label)
    }

    fn compare(&self, scheme: &[u8], rest: &[u8]) -> Ordering {
        compare(&self.rest, rest).then_with(|| compare(&self.scheme, scheme))
    }
}

/// A scheme with its slashes, and what follows.
fn split(origin: &[u8]) -> Option<(&[u8], &[u8])> {
    let colon = origin.iter().position(|byte| *byte == b':')?;
    origin[colon..].starts_with(b"://").then(|| origin.split_at(colon + 3))
}

fn is_label_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// The shorter first, then by what both are in small letters, as `listed` is. Most texts differ in length, and browsers send
/// small letters.
fn compare(listed: &[u8], text: &[u8]) -> Ordering {
    listed.len().cmp(&text.len()).then_with(|| {
        if listed == text {
            return Ordering::Equal;
        }
        let letters = text.iter().map(u8::to_ascii_lowercase);
        listed.iter().copied().cmp(letters)
    })
}
