//! How much may be requested by zones of nginx's that the configuration declares (`limit_req`, `limit_conn`).

use wick_wire::{
    Fields, RecordError, connection_limit, mark, numbers, request_limit, words::log_level,
};

use super::values::token;

/// `limit_req`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestLimit {
    pub zone: Box<[u8]>,
    /// At least 1.
    pub burst: Option<u32>,
    pub delay: Delay,
}

/// From which of the requests on that are above the rate they are delayed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Delay {
    #[default]
    All,
    /// `nodelay`
    None,
    /// At least 1.
    Above(u32),
}

/// `limit_conn`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConnectionLimit {
    pub zone: Box<[u8]>,
    /// At least 1.
    pub connections: u16,
}

/// What the two directives have besides; what is absent is as the location has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limiting {
    pub dry_run: Option<bool>,
    pub log_level: Option<LogLevel>,
    pub status: Option<u16>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    Info,
    Notice,
    Warn,
    Error,
}

impl RequestLimit {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<RequestLimit, RecordError> {
        let (mut zone, mut burst, mut delay, mut has_no_delay) = (None, None, Delay::All, false);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                request_limit::ZONE => zone = Some(token(field.value)?),
                request_limit::BURST => burst = Some(numbers::LIMIT.read(field.value)? as u32),
                request_limit::DELAY => {
                    delay = Delay::Above(numbers::LIMIT.read(field.value)? as u32);
                }
                request_limit::NO_DELAY => has_no_delay = mark(field.value)?,
                _ => field.skip()?,
            }
        }
        let delay = if has_no_delay { Delay::None } else { delay };
        Ok(RequestLimit { zone: zone.ok_or(RecordError::Missing)?, burst, delay })
    }
}

impl ConnectionLimit {
    /// # Errors: as of [`super::Level::read`].
    pub fn read(value: &[u8]) -> Result<ConnectionLimit, RecordError> {
        let (mut zone, mut connections) = (None, None);
        for field in Fields::new(value) {
            let field = field?;
            match field.id {
                connection_limit::ZONE => zone = Some(token(field.value)?),
                connection_limit::CONNECTIONS => {
                    connections = Some(numbers::CONNECTION_LIMIT.read(field.value)? as u16);
                }
                _ => field.skip()?,
            }
        }
        let zone = zone.ok_or(RecordError::Missing)?;
        Ok(ConnectionLimit { zone, connections: connections.ok_or(RecordError::Missing)? })
    }
}

impl LogLevel {
    pub(super) fn read(value: &[u8]) -> Result<LogLevel, RecordError> {
        match value {
            [log_level::INFO] => Ok(LogLevel::Info),
            [log_level::NOTICE] => Ok(LogLevel::Notice),
            [log_level::WARN] => Ok(LogLevel::Warn),
            [log_level::ERROR] => Ok(LogLevel::Error),
            _ => Err(RecordError::Field),
        }
    }

    /// nginx's word.
    pub fn word(self) -> &'static str {
        match self {
            LogLevel::Info => "info",
            LogLevel::Notice => "notice",
            LogLevel::Warn => "warn",
            LogLevel::Error => "error",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::values::field;
    use super::*;

    fn request(fields: &[(u8, &[u8])]) -> Result<RequestLimit, RecordError> {
        let bytes: Vec<_> = fields.iter().flat_map(|(id, value)| field(*id, value)).collect();
        RequestLimit::read(&bytes)
    }

    #[test]
    fn requests_are_delayed_unless_something_is_said_of_it() {
        let zone = (request_limit::ZONE, &b"a"[..]);
        let delay = (request_limit::DELAY, &[2, 0, 0, 0][..]);
        let no_delay = (request_limit::NO_DELAY, &[1][..]);
        assert_eq!(request(&[zone]).unwrap().delay, Delay::All);
        assert_eq!(request(&[zone, delay]).unwrap().delay, Delay::Above(2));
        assert_eq!(request(&[zone, no_delay, delay]).unwrap().delay, Delay::None);
        let burst = (request_limit::BURST, &[5, 0, 0, 0][..]);
        assert_eq!(request(&[zone, burst]).unwrap().burst, Some(5));
    }

    #[test]
    fn what_cannot_be_a_limit_is_refused() {
        assert_eq!(request(&[]), Err(RecordError::Missing));
        assert_eq!(request(&[(request_limit::ZONE, b"")]), Err(RecordError::Field));
        assert_eq!(request(&[(request_limit::BURST, &[0; 4])]), Err(RecordError::Field));
        let zone = field(connection_limit::ZONE, b"a");
        assert_eq!(ConnectionLimit::read(&zone), Err(RecordError::Missing));
        let none = field(connection_limit::CONNECTIONS, &[0, 0]);
        assert_eq!(ConnectionLimit::read(&[zone, none].concat()), Err(RecordError::Field));
        assert_eq!(LogLevel::read(&[5]), Err(RecordError::Field));
    }
}
