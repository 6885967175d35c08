//! What a route says about pages of other origins, and which origins it means.

use std::cmp::Ordering;
use std::rc::Rc;

use wick_wire::{Field, Fields, RecordError, cors, max};

/// What browsers are told (Fetch standard, CORS protocol; docs/wire.md 1, CORS). Texts may stand in headers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cors {
    pub origins: Origins,
    pub allow_methods: Box<[u8]>,
    pub allow_headers: Box<[u8]>,
    /// `None`: what the backend says about it stays.
    pub expose_headers: Option<Box<[u8]>>,
    pub max_age: Box<[u8]>,
    pub credentials: bool,
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
            cors::CREDENTIALS if bytes == [1] => self.credentials = true,
            cors::CREDENTIALS => return Err(RecordError::Field),
            _ => field.skip()?,
        }
        Ok(())
    }

    fn whole(self) -> Result<Rc<Cors>, RecordError> {
        let required = |text: Option<&[u8]>| text.map(Box::from).ok_or(RecordError::Missing);
        Ok(Rc::new(Cors {
            origins: Origins::new(&self.origins),
            allow_methods: required(self.allow_methods)?,
            allow_headers: required(self.allow_headers)?,
            expose_headers: self.expose_headers.map(Box::from),
            max_age: required(self.max_age)?,
            credentials: self.credentials,
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

/// Origins as browsers send them, and some with a `*.`, for one label, before their host. ASCII letters are compared in any
/// case, everything else byte by byte, from end to end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    // In small letters, in the order of `compare`, each once.
    exact: Box<[Box<[u8]>]>,
    wildcards: Box<[Wildcard]>,
}

/// `https://*.shop.test:8443`
#[derive(Clone, Debug, PartialEq, Eq)]
struct Wildcard {
    /// With the slashes: `https://`.
    scheme: Box<[u8]>,
    /// What follows the label: `.shop.test:8443`.
    rest: Box<[u8]>,
}

impl Origins {
    /// From texts in any case.
    pub fn new(texts: &[&[u8]]) -> Origins {
        if texts.contains(&&b"*"[..]) {
            return Origins::All;
        }
        let (mut exact, mut wildcards) = (Vec::new(), Vec::new());
        for text in texts {
            let text = text.to_ascii_lowercase();
            match Wildcard::of(&text) {
                Some(wildcard) => wildcards.push(wildcard),
                None => exact.push(text.into_boxed_slice()),
            }
        }
        exact.sort_by(|a, b| compare(a, b));
        exact.dedup();
        wildcards.sort_by(|a, b| a.compare(&b.scheme, &b.rest));
        wildcards.dedup();
        Origins::Listed(Listed { exact: exact.into(), wildcards: wildcards.into() })
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
        let label = host.iter().take_while(|byte| is_label_byte(**byte)).count();
        let rest = &host[label..];
        let found = self.wildcards.binary_search_by(|wildcard| wildcard.compare(scheme, rest));
        label > 0 && found.is_ok()
    }
}

impl Wildcard {
    fn of(text: &[u8]) -> Option<Wildcard> {
        let (scheme, host) = split(text)?;
        let rest = host.strip_prefix(b"*")?;
        rest.starts_with(b".").then(|| Wildcard { scheme: scheme.into(), rest: rest.into() })
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
