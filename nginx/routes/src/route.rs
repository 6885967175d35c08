//! One route: where it applies, which policy serves it, the values it brings along.

use std::num::NonZeroU16;

use crate::overrides::{self, Overrides};
use crate::record::RecordError;

/// How a route's path is compared with the path of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathMatch {
    /// Equal, byte by byte.
    Exact,
    /// By path elements: `/cart` matches `/cart`, `/cart/` and `/cart/x`, not `/cartoon`.
    Prefix,
}

/// A value that the policy sees as a variable of the same name; `Backend` is `$proxy_upstream_name`, `Host` the name of
/// the host's record, `$ingress_host`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Backend,
    Namespace,
    IngressName,
    ServiceName,
    ServicePort,
    LocationPath,
    Host,
}

impl Value {
    pub const COUNT: usize = 7;
    /// In the order in which they lie in [`Route::values`].
    pub const ALL: [Value; Self::COUNT] = [
        Value::Backend,
        Value::Namespace,
        Value::IngressName,
        Value::ServiceName,
        Value::ServicePort,
        Value::LocationPath,
        Value::Host,
    ];
}

/// One route of a host. Texts are bytes as they were posted (UTF-8 unless someone else wrote the zone).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// All values, then the path with a slash at its end, then the policy.
    text: Box<[u8]>,
    /// Where each value ends in `text`; the next one begins there.
    ends: [u32; Value::COUNT],
    slashed_path_end: u32,
    path_bytes: u32,
    pub path_match: PathMatch,
    /// 400 to 599: the answer, given at once in the policy's name. `None`: the policy answers.
    pub status: Option<NonZeroU16>,
    pub overrides: Overrides,
}

impl Route {
    /// Begins with `/`; as the user wrote it.
    pub fn path(&self) -> &[u8] {
        &self.slashed_path()[..self.path_bytes as usize]
    }

    /// The path with a slash at its end.
    pub fn slashed_path(&self) -> &[u8] {
        &self.text[self.values().len()..self.slashed_path_end as usize]
    }

    /// Name of the policy, without `@`.
    pub fn policy(&self) -> &[u8] {
        &self.text[self.slashed_path_end as usize..]
    }

    /// All values in one piece, so that one copy brings them into a request; [`Route::value_lengths`] divides it.
    pub fn values(&self) -> &[u8] {
        &self.text[..self.ends[Value::COUNT - 1] as usize]
    }

    /// How many bytes of [`Route::values`] belong to each of [`Value::ALL`].
    pub fn value_lengths(&self) -> [u32; Value::COUNT] {
        let mut start = 0;
        self.ends.map(|end| end - std::mem::replace(&mut start, end))
    }

    /// One value; empty when the record has none.
    pub fn value(&self, value: Value) -> &[u8] {
        let index = value as usize;
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start as usize..self.ends[index] as usize]
    }
}

/// A route while its fields are being read.
#[derive(Default)]
pub(crate) struct Parts<'a> {
    path: Option<&'a [u8]>,
    path_match: Option<PathMatch>,
    policy: Option<&'a [u8]>,
    backend: Option<&'a [u8]>,
    values: [&'a [u8]; Value::COUNT],
    status: Option<NonZeroU16>,
    overrides: Overrides,
}

impl<'a> Parts<'a> {
    pub fn of_host(name: &'a [u8]) -> Self {
        let mut parts = Self::default();
        parts.values[Value::Host as usize] = name;
        parts
    }

    /// Takes one field by its id (docs/wire.md 2).
    pub fn set(&mut self, id: u8, bytes: &'a [u8]) -> Result<(), RecordError> {
        match id {
            1 => self.path = Some(path(bytes)?),
            2 => self.path_match = Some(path_match(bytes)?),
            3 => self.policy = Some(bytes),
            4 => self.backend = Some(bytes),
            5 => self.values[Value::Namespace as usize] = bytes,
            6 => self.values[Value::IngressName as usize] = bytes,
            7 => self.values[Value::ServiceName as usize] = bytes,
            8 => self.values[Value::ServicePort as usize] = bytes,
            9 => self.values[Value::LocationPath as usize] = bytes,
            10 => self.status = Some(status(bytes)?),
            32 => self.overrides.connect_timeout_ms = Some(overrides::milliseconds(bytes)?),
            33 => self.overrides.send_timeout_ms = Some(overrides::milliseconds(bytes)?),
            34 => self.overrides.read_timeout_ms = Some(overrides::milliseconds(bytes)?),
            35 => self.overrides.max_body_bytes = Some(overrides::size(bytes)?),
            _ => {}
        }
        Ok(())
    }

    /// # Errors: `Missing` without path, match, policy or backend.
    pub fn route(mut self) -> Result<Route, RecordError> {
        let path = self.path.ok_or(RecordError::Missing)?;
        let policy = self.policy.ok_or(RecordError::Missing)?;
        self.values[Value::Backend as usize] = self.backend.ok_or(RecordError::Missing)?;
        let slash: &[u8] = if path.ends_with(b"/") { b"" } else { b"/" };
        let mut end = 0;
        let ends = self.values.map(|value| {
            end += value.len() as u32;
            end
        });
        Ok(Route {
            text: [&self.values.concat(), path, slash, policy].concat().into(),
            ends,
            slashed_path_end: end + (path.len() + slash.len()) as u32,
            path_bytes: path.len() as u32,
            path_match: self.path_match.ok_or(RecordError::Missing)?,
            status: self.status,
            overrides: self.overrides,
        })
    }
}

fn path(bytes: &[u8]) -> Result<&[u8], RecordError> {
    if bytes.starts_with(b"/") { Ok(bytes) } else { Err(RecordError::Field) }
}

fn path_match(bytes: &[u8]) -> Result<PathMatch, RecordError> {
    match bytes {
        [0] => Ok(PathMatch::Exact),
        [1] => Ok(PathMatch::Prefix),
        _ => Err(RecordError::Field),
    }
}

fn status(bytes: &[u8]) -> Result<NonZeroU16, RecordError> {
    let status = bytes.try_into().map(u16::from_le_bytes).map_err(|_| RecordError::Field)?;
    NonZeroU16::new(status)
        .filter(|code| (400..600).contains(&code.get()))
        .ok_or(RecordError::Field)
}
