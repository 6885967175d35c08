//! What a request has to be beside its path, so that a route is there for it.

use std::borrow::Cow;

use wick_wire::{Fields, RecordError, condition, max, words};

use crate::query;

/// One condition of a route, of which all have to hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    pub subject: Subject,
    pub wanted: Wanted,
}

/// What is compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Subject {
    Method,
    /// By its name in small letters; a request may have it in any case.
    Header(Box<[u8]>),
    /// A query parameter by its name, without escapes.
    Query(Box<[u8]>),
    /// `http` or `https`: by which of them it has come to nginx, whatever proxies before say.
    Scheme,
}

/// What it has to be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Byte by byte.
    Exact(Box<[u8]>),
    /// A pattern of PCRE that matches all of it.
    Pattern(Box<[u8]>),
}

/// The head of a request, as far as conditions look at it.
pub trait Head<'r> {
    fn method(&self) -> &'r [u8];
    /// The value of a header, whatever the case of its name: several lines are one value with commas between them. `lower`: the name in small
    /// letters.
    fn header(&self, lower: &[u8]) -> Option<Cow<'r, [u8]>>;
    /// What stands behind the path's `?`, as the client wrote it.
    fn query(&self) -> &'r [u8];
    /// `http` or `https`.
    fn scheme(&self) -> &'r [u8];
}

impl Condition {
    /// What of this request is compared. `None`: it is absent, and the condition does not hold.
    pub fn value<'r>(&self, head: &impl Head<'r>) -> Option<Cow<'r, [u8]>> {
        match &self.subject {
            Subject::Method => Some(Cow::Borrowed(head.method())),
            Subject::Header(name) => head.header(name),
            Subject::Query(name) => query::value(head.query(), name),
            Subject::Scheme => Some(Cow::Borrowed(head.scheme())),
        }
    }

    /// # Errors: `Critical` when something in it must be understood and is not; `Missing` and `Field` as of any record.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, RecordError> {
        let (mut of, mut name, mut is_pattern, mut value) = (None, None, false, None);
        for field in Fields::new(bytes) {
            let field = field?;
            match field.id {
                condition::OF => of = Some(field.value),
                condition::NAME => name = Some(text(field.value)?),
                condition::MATCH => is_pattern = self::is_pattern(field.value)?,
                condition::VALUE => value = Some(text(field.value)?),
                _ => field.skip()?,
            }
        }
        let value = value.ok_or(RecordError::Missing)?;
        let wanted = if is_pattern { Wanted::Pattern(value) } else { Wanted::Exact(value) };
        Ok(Self { subject: subject(of.ok_or(RecordError::Missing)?, name)?, wanted })
    }

    /// Appends what tells it apart from any other.
    pub(crate) fn identify(&self, identity: &mut Vec<u8>) {
        let (of, name) = match &self.subject {
            Subject::Method => (words::condition_of::METHOD, &b""[..]),
            Subject::Header(name) => (words::condition_of::HEADER, &**name),
            Subject::Query(name) => (words::condition_of::QUERY, &**name),
            Subject::Scheme => (words::condition_of::SCHEME, &b""[..]),
        };
        let (how, value) = match &self.wanted {
            Wanted::Exact(value) => (words::value_match::EXACT, value),
            Wanted::Pattern(pattern) => (words::value_match::REGEX, pattern),
        };
        identity.extend([of, how]);
        for text in [name, value] {
            identity.extend((text.len() as u32).to_le_bytes());
            identity.extend(text);
        }
    }
}

fn subject(of: &[u8], name: Option<Box<[u8]>>) -> Result<Subject, RecordError> {
    match (of, name) {
        ([words::condition_of::METHOD], None) => Ok(Subject::Method),
        ([words::condition_of::HEADER], Some(name)) => {
            Ok(Subject::Header(name.to_ascii_lowercase().into()))
        }
        ([words::condition_of::QUERY], Some(name)) => Ok(Subject::Query(name)),
        ([words::condition_of::SCHEME], None) => Ok(Subject::Scheme),
        ([words::condition_of::HEADER | words::condition_of::QUERY], None) => {
            Err(RecordError::Missing)
        }
        _ => Err(RecordError::Field),
    }
}

fn is_pattern(word: &[u8]) -> Result<bool, RecordError> {
    match word {
        [words::value_match::EXACT] => Ok(false),
        [words::value_match::REGEX] => Ok(true),
        _ => Err(RecordError::Field),
    }
}

fn text(bytes: &[u8]) -> Result<Box<[u8]>, RecordError> {
    if bytes.len() <= max::TEXT_BYTES { Ok(bytes.into()) } else { Err(RecordError::Field) }
}
