//! Numbers of a route that are in force instead of its policy's own.

use wick_hosts::fields::RecordError;

const MOST: i64 = 0x7fff_ffff;
const MOST_BYTES: i64 = 1 << 53;

/// Each absent number leaves the policy's own in force. Equal overrides are interchangeable: the ingress module keeps
/// one patched copy of a policy per distinct value. Names are those of the directives, without `proxy_`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
    /// Milliseconds, 1 to 2^31-1; the other two likewise.
    pub connect_timeout_ms: Option<u32>,
    pub send_timeout_ms: Option<u32>,
    pub read_timeout_ms: Option<u32>,
    /// `client_max_body_size`, bytes, 0 to 2^53; 0 means no limit.
    pub max_body_bytes: Option<u64>,
    pub next_upstream: Option<NextUpstream>,
    /// 0 to 2^31-1; 0 means no limit.
    pub next_upstream_tries: Option<u32>,
    /// Milliseconds, 0 to 2^31-1; 0 means no limit.
    pub next_upstream_timeout_ms: Option<u32>,
    /// Bytes of `buffer_size` and of each of `buffers`, 1 to 2^31-1.
    pub buffer_bytes: Option<u32>,
    /// How many `buffers`, 1 to 2^31-1.
    pub buffers: Option<u32>,
    /// Bytes of `busy_buffers_size`, 1 to 2^31-1.
    pub busy_bytes: Option<u32>,
    pub buffering: Option<bool>,
    pub request_buffering: Option<bool>,
    /// Bytes of `max_temp_file_size`, 0 to 2^53; 0 means no file.
    pub max_temp_file_bytes: Option<u64>,
    /// `client_body_buffer_size`, bytes, 1 to 2^31-1.
    pub body_buffer_bytes: Option<u32>,
    pub absolute_redirect: Option<bool>,
    pub port_in_redirect: Option<bool>,
}

impl Overrides {
    /// Nothing to put in force.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// At least one number is about how a response is fetched, so that it means nothing to a policy that answers by itself.
    pub fn has_upstream(&self) -> bool {
        let core = Self {
            max_body_bytes: self.max_body_bytes,
            body_buffer_bytes: self.body_buffer_bytes,
            absolute_redirect: self.absolute_redirect,
            port_in_redirect: self.port_in_redirect,
            ..Self::default()
        };
        *self != core
    }

    /// Takes one field by its id (docs/wire.md 2); ids that are not known change nothing.
    pub(crate) fn set(&mut self, id: u8, bytes: &[u8]) -> Result<(), RecordError> {
        match id {
            32 => self.connect_timeout_ms = Some(positive(bytes)?),
            33 => self.send_timeout_ms = Some(positive(bytes)?),
            34 => self.read_timeout_ms = Some(positive(bytes)?),
            35 => self.max_body_bytes = Some(size(bytes)?),
            36 => self.next_upstream = Some(NextUpstream::read(bytes)?),
            37 => self.next_upstream_tries = Some(count(bytes)?),
            38 => self.next_upstream_timeout_ms = Some(count(bytes)?),
            39 => self.buffer_bytes = Some(positive(bytes)?),
            40 => self.buffers = Some(positive(bytes)?),
            41 => self.busy_bytes = Some(positive(bytes)?),
            42 => self.buffering = Some(flag(bytes)?),
            43 => self.request_buffering = Some(flag(bytes)?),
            44 => self.max_temp_file_bytes = Some(size(bytes)?),
            45 => self.body_buffer_bytes = Some(positive(bytes)?),
            46 => self.absolute_redirect = Some(flag(bytes)?),
            47 => self.port_in_redirect = Some(flag(bytes)?),
            _ => {}
        }
        Ok(())
    }
}

/// When a request is tried at another endpoint: a set of the directive's words, one at least.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NextUpstream(u32);

impl NextUpstream {
    /// In the order of their bits.
    pub const WORDS: [&str; 12] = [
        "error",
        "timeout",
        "invalid_header",
        "http_500",
        "http_502",
        "http_503",
        "http_504",
        "http_403",
        "http_404",
        "http_429",
        "non_idempotent",
        "off",
    ];

    /// Indexes of the words in [`Self::WORDS`].
    pub fn words(self) -> impl Iterator<Item = usize> {
        (0..Self::WORDS.len()).filter(move |bit| self.0 >> bit & 1 != 0)
    }

    fn read(bytes: &[u8]) -> Result<Self, RecordError> {
        match bytes.try_into().map(u32::from_le_bytes) {
            Ok(bits) if bits != 0 && bits >> Self::WORDS.len() == 0 => Ok(Self(bits)),
            _ => Err(RecordError::Field),
        }
    }
}

fn positive(bytes: &[u8]) -> Result<u32, RecordError> {
    number(bytes, 1, MOST).map(|number| number as u32)
}

fn count(bytes: &[u8]) -> Result<u32, RecordError> {
    number(bytes, 0, MOST).map(|number| number as u32)
}

fn size(bytes: &[u8]) -> Result<u64, RecordError> {
    number(bytes, 0, MOST_BYTES).map(|number| number as u64)
}

fn number(bytes: &[u8], least: i64, most: i64) -> Result<i64, RecordError> {
    match bytes.try_into().map(i64::from_le_bytes) {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(RecordError::Field),
    }
}

fn flag(bytes: &[u8]) -> Result<bool, RecordError> {
    match bytes {
        [0] => Ok(false),
        [1] => Ok(true),
        _ => Err(RecordError::Field),
    }
}
