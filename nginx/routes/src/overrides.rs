//! Numbers of a route that are in force instead of its policy's own.

use crate::record::RecordError;

/// Each absent number leaves the policy's own in force. Equal overrides are interchangeable: the ingress module keeps
/// one patched copy of a policy per distinct value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
    /// `proxy_connect_timeout`, milliseconds, 1 to 2^31-1.
    pub connect_timeout_ms: Option<u32>,
    /// `proxy_send_timeout`, milliseconds, 1 to 2^31-1.
    pub send_timeout_ms: Option<u32>,
    /// `proxy_read_timeout`, milliseconds, 1 to 2^31-1.
    pub read_timeout_ms: Option<u32>,
    /// `client_max_body_size`, bytes, 0 to 2^53; 0 means no limit.
    pub max_body_bytes: Option<u64>,
}

impl Overrides {
    /// Nothing to put in force.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// At least one of the three timeouts is there.
    pub fn has_timeouts(&self) -> bool {
        Self { max_body_bytes: None, ..*self } != Self::default()
    }
}

/// Reads a field of milliseconds.
pub fn milliseconds(bytes: &[u8]) -> Result<u32, RecordError> {
    match number(bytes)? {
        ms @ 1..=0x7fff_ffff => Ok(ms as u32),
        _ => Err(RecordError::Field),
    }
}

/// Reads a field of bytes (a size).
pub fn size(bytes: &[u8]) -> Result<u64, RecordError> {
    match number(bytes)? {
        size @ 0..=0x20_0000_0000_0000 => Ok(size as u64),
        _ => Err(RecordError::Field),
    }
}

fn number(bytes: &[u8]) -> Result<i64, RecordError> {
    bytes.try_into().map(i64::from_le_bytes).map_err(|_| RecordError::Field)
}
