//! The authentication service that a route's clients have to convince: what it is asked, and what comes of its answer.

use wick_tls::BackendTls;
use wick_wire::{Field, Fields, RecordError, Template, external_auth, max, numbers, take};

/// What a route says of it (docs/wire.md, EXTERNAL_AUTH). Names and methods are tokens (RFC 9110).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalAuth {
    /// The named location that passes the question on, without `@`.
    pub location: Box<[u8]>,
    pub backend: Box<[u8]>,
    /// Path and query.
    pub target: Template,
    pub host: Template,
    /// `None`: GET.
    pub method: Option<Box<[u8]>>,
    /// Sent, each in the place of the client's of its name.
    pub headers: Box<[RequestHeader]>,
    /// The answer's headers that the backend gets, each in the place of the client's.
    pub response_headers: Box<[Box<[u8]>]>,
    /// Where a 401 leads to.
    pub signin: Option<Template>,
    /// `None`: the target of the client's request.
    pub request_redirect: Option<Template>,
    pub always_sets_cookie: bool,
    /// `None`: no answer is kept.
    pub cache_key: Option<Template>,
    pub cache_durations: Box<[CacheDuration]>,
    /// The client's method and `request_headers` are sent, and 200 alone lets in.
    pub is_filter: bool,
    /// With `is_filter`: of the client's headers those that the service gets.
    pub request_headers: Box<[Box<[u8]>]>,
    /// `None`: as the location has it.
    pub backend_tls: Option<Box<BackendTls>>,
    /// The bytes that it was read from: what is said otherwise has others.
    pub record: Box<[u8]>,
}

/// A header that is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestHeader {
    pub name: Box<[u8]>,
    pub value: Template,
}

/// For how long an answer is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheDuration {
    /// 0: every status that has no duration of its own.
    pub status: u16,
    pub seconds: u32,
}

impl ExternalAuth {
    /// Reads the value of the field.
    ///
    /// # Errors: `Critical` when it says something that is not known here, `Missing`, `Field`, `Length`.
    pub(crate) fn read(value: &[u8]) -> Result<ExternalAuth, RecordError> {
        let mut parts = Parts::default();
        for field in Fields::new(value) {
            parts.set(field?)?;
        }
        parts.whole(value)
    }
}

#[derive(Default)]
struct Parts {
    location: Option<Box<[u8]>>,
    backend: Option<Box<[u8]>>,
    target: Option<Template>,
    host: Option<Template>,
    method: Option<Box<[u8]>>,
    headers: Vec<RequestHeader>,
    response_headers: Vec<Box<[u8]>>,
    signin: Option<Template>,
    request_redirect: Option<Template>,
    always_sets_cookie: bool,
    cache_key: Option<Template>,
    cache_durations: Vec<CacheDuration>,
    is_filter: bool,
    request_headers: Vec<Box<[u8]>>,
    backend_tls: Option<Box<BackendTls>>,
}

impl Parts {
    fn set(&mut self, field: Field<'_>) -> Result<(), RecordError> {
        let value = field.value;
        match field.id {
            external_auth::LOCATION => self.location = Some(filled(value)?.into()),
            external_auth::BACKEND => self.backend = Some(filled(value)?.into()),
            external_auth::TARGET => self.target = Some(template(value)?),
            external_auth::HOST => self.host = Some(template(value)?),
            external_auth::METHOD => self.method = Some(token(value)?),
            external_auth::HEADERS => self.headers.push(request_header(value)?),
            external_auth::RESPONSE_HEADERS => self.response_headers.push(token(value)?),
            external_auth::SIGNIN => self.signin = Some(template(value)?),
            external_auth::REQUEST_REDIRECT => self.request_redirect = Some(template(value)?),
            external_auth::ALWAYS_SET_COOKIE if value == [1] => self.always_sets_cookie = true,
            external_auth::ALWAYS_SET_COOKIE => return Err(RecordError::Field),
            external_auth::CACHE_KEY => self.cache_key = Some(template(value)?),
            external_auth::CACHE_DURATIONS => self.cache_durations.push(cache_duration(value)?),
            external_auth::IS_FILTER if value == [1] => self.is_filter = true,
            external_auth::IS_FILTER => return Err(RecordError::Field),
            external_auth::REQUEST_HEADERS => self.request_headers.push(token(value)?),
            external_auth::BACKEND_TLS => {
                self.backend_tls = Some(BackendTls::read(value)?.into());
            }
            _ => field.skip()?,
        }
        Ok(())
    }

    fn whole(self, record: &[u8]) -> Result<ExternalAuth, RecordError> {
        Ok(ExternalAuth {
            location: self.location.ok_or(RecordError::Missing)?,
            backend: self.backend.ok_or(RecordError::Missing)?,
            target: self.target.ok_or(RecordError::Missing)?,
            host: self.host.ok_or(RecordError::Missing)?,
            method: self.method,
            headers: self.headers.into(),
            response_headers: self.response_headers.into(),
            signin: self.signin,
            request_redirect: self.request_redirect,
            always_sets_cookie: self.always_sets_cookie,
            cache_key: self.cache_key,
            cache_durations: self.cache_durations.into(),
            is_filter: self.is_filter,
            request_headers: self.request_headers.into(),
            backend_tls: self.backend_tls,
            record: record.into(),
        })
    }
}

fn filled(value: &[u8]) -> Result<&[u8], RecordError> {
    if value.is_empty() { Err(RecordError::Field) } else { Ok(value) }
}

/// What could end a header's line, or the request's, is refused: anybody may have written the zone.
fn template(value: &[u8]) -> Result<Template, RecordError> {
    if value.iter().any(u8::is_ascii_control) {
        return Err(RecordError::Field);
    }
    Template::read(filled(value)?)
}

fn token(value: &[u8]) -> Result<Box<[u8]>, RecordError> {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let fits = (1..=max::NAME_BYTES).contains(&value.len()) && value.iter().all(allowed);
    if fits { Ok(value.into()) } else { Err(RecordError::Field) }
}

/// The value may be empty: the client's is left out then.
fn request_header(mut value: &[u8]) -> Result<RequestHeader, RecordError> {
    let len = take(&mut value, 1).ok_or(RecordError::Field)?[0];
    let name = token(take(&mut value, len.into()).ok_or(RecordError::Field)?)?;
    if value.iter().any(u8::is_ascii_control) {
        return Err(RecordError::Field);
    }
    Ok(RequestHeader { name, value: Template::read(value)? })
}

fn cache_duration(mut value: &[u8]) -> Result<CacheDuration, RecordError> {
    let status = take(&mut value, numbers::CACHED_STATUS.bytes).ok_or(RecordError::Field)?;
    let status = numbers::CACHED_STATUS.read(status)? as u16;
    let seconds = numbers::CACHE_SECONDS.read(value)? as u32;
    Ok(CacheDuration { status, seconds })
}
