//! What becomes of the requests of a route, or of one of its backends, beyond where they go.

use wick_tls::BackendTls;
use wick_wire::{Fields, RecordError, actions, mark, max, mirror, numbers};

use crate::values::{Header, Literal, header, literal};

/// Texts are literal, as they were posted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Actions {
    pub request: HeaderEdits,
    pub response: HeaderEdits,
    /// In the place of the request's; of a redirect, what follows it.
    pub path: Option<Replacement>,
    /// Milliseconds; `None`: any time.
    pub request_timeout: Option<u32>,
    pub backend_timeout: Option<u32>,
    /// Statuses that lead to another attempt, and that nginx itself does not know as such.
    pub retry_codes: Box<[u16]>,
    pub mirrors: Box<[Mirror]>,
}

/// What becomes of the headers of a message, in this order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HeaderEdits {
    /// Each in the place of all of its name; empty: removed.
    pub set: Box<[Header]>,
    /// Each as one more line.
    pub add: Box<[Header]>,
}

/// A path as it stands in the line of a request; begins with a slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    pub text: Box<[u8]>,
    /// It replaces the route's own path at the beginning of the request's alone.
    pub is_of_prefix: bool,
}

/// Who gets copies of requests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mirror {
    pub backend: Box<[u8]>,
    /// `None`: that of the request.
    pub location: Option<Box<[u8]>>,
    /// In the place of the route's.
    pub variables: Box<[Literal]>,
    /// Goes with `location`.
    pub backend_tls: Option<Box<BackendTls>>,
    /// Which part of the requests: the first of the second, which is not 0.
    pub part: (u32, u32),
}

const HUNDRED: u32 = 100;

impl HeaderEdits {
    pub fn is_empty(&self) -> bool {
        self.set.is_empty() && self.add.is_empty()
    }
}

impl Actions {
    /// # Errors: `Critical` when something in it must be understood and is not; `Missing` and `Field` as of any record.
    pub(crate) fn read(bytes: &[u8]) -> Result<Actions, RecordError> {
        let [mut set_request, mut add_request, mut set_response, mut add_response] =
            [const { Vec::new() }; 4];
        let (mut path, mut is_of_prefix) = (None, false);
        let (mut codes, mut mirrors) = (Vec::new(), Vec::new());
        let mut all = Actions::default();
        for field in Fields::new(bytes) {
            let field = field?;
            let bytes = field.value;
            match field.id {
                actions::SET_REQUEST_HEADERS => set_request.push(header(bytes)?),
                actions::ADD_REQUEST_HEADERS => add_request.push(header(bytes)?),
                actions::SET_RESPONSE_HEADERS => set_response.push(header(bytes)?),
                actions::ADD_RESPONSE_HEADERS => add_response.push(header(bytes)?),
                actions::PATH => path = Some(self::path(bytes)?),
                actions::PATH_PREFIX => is_of_prefix = mark(bytes)?,
                actions::REQUEST_TIMEOUT_MS => all.request_timeout = Some(milliseconds(bytes)?),
                actions::BACKEND_TIMEOUT_MS => all.backend_timeout = Some(milliseconds(bytes)?),
                actions::RETRY_CODES => codes.push(numbers::RETRY_CODE.read(bytes)? as u16),
                actions::MIRRORS => mirrors.push(Mirror::read(bytes)?),
                _ => field.skip()?,
            }
        }
        all.request = HeaderEdits { set: set_request.into(), add: add_request.into() };
        all.response = HeaderEdits { set: set_response.into(), add: add_response.into() };
        all.path = path.map(|text: &[u8]| Replacement { text: text.into(), is_of_prefix });
        (all.retry_codes, all.mirrors) = (codes.into(), mirrors.into());
        Ok(all)
    }
}

impl Mirror {
    fn read(bytes: &[u8]) -> Result<Mirror, RecordError> {
        let (mut backend, mut location, mut variables) = (None, None, Vec::new());
        let (mut numerator, mut denominator, mut backend_tls) = (None, HUNDRED, None);
        for field in Fields::new(bytes) {
            let field = field?;
            match field.id {
                mirror::BACKEND => backend = Some(field.value),
                mirror::LOCATION => location = Some(field.value.into()),
                mirror::VARIABLES => variables.push(literal(field.value)?),
                mirror::BACKEND_TLS => backend_tls = Some(BackendTls::read(field.value)?.into()),
                mirror::NUMERATOR => numerator = Some(numbers::PART.read(field.value)? as u32),
                mirror::DENOMINATOR => denominator = numbers::WHOLE.read(field.value)? as u32,
                _ => field.skip()?,
            }
        }
        Ok(Mirror {
            backend: backend.ok_or(RecordError::Missing)?.into(),
            location,
            variables: variables.into(),
            backend_tls,
            part: (numerator.unwrap_or(denominator), denominator),
        })
    }
}

/// What could end the line of a request early is escaped where it is written; a header must not be ended either.
fn path(bytes: &[u8]) -> Result<&[u8], RecordError> {
    let is_path = bytes.starts_with(b"/") && bytes.len() <= max::TEXT_BYTES;
    let has_control = bytes.iter().any(u8::is_ascii_control);
    if is_path && !has_control { Ok(bytes) } else { Err(RecordError::Field) }
}

fn milliseconds(bytes: &[u8]) -> Result<u32, RecordError> {
    Ok(numbers::MILLISECONDS.read(bytes)? as u32)
}
