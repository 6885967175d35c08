//! The settings of one level of nginx's configuration, of a location or of an `if` in it (docs/wire.md, LEVEL).

mod cookie_flags;
mod error_page;
mod expires;
mod headers;
mod replacement;
mod values;
mod zone_limits;

use wick_wire::{Fields, RecordError, Template, flag, level as ids, mark, max, numbers};

pub use cookie_flags::{CookieFlags, FlagChanges, SameSite};
pub use error_page::{ErrorPage, PageStatus};
pub use expires::{Expires, ExpiresAnswer, ExpiresAt};
pub use headers::{HeaderOp, InputHeader, InputOp, ResponseHeader, is_safe_status};
pub use replacement::{Replacement, Sought};
pub use values::Assigned;
use values::{assigned, line, token, variable};
pub use zone_limits::{ConnectionLimit, Delay, Limiting, LogLevel, RequestLimit};

/// What is absent stays as the location has it. Templates are bytes as they were posted: what becomes of them is looked at where they are used.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// In order.
    pub response_headers: Box<[ResponseHeader]>,
    /// What a backend gets beside what the location sends.
    pub upstream_headers: Box<[Assigned]>,
    /// Changes of the request's own headers, in order.
    pub input_headers: Box<[InputHeader]>,
    /// Names of headers of backends that clients do not get.
    pub hides: Box<[Box<[u8]>]>,
    /// Names of those that they get although nginx would hide them.
    pub passes: Box<[Box<[u8]>]>,
    pub expires: Option<Expires>,
    /// Bytes per second.
    pub limit_rate: Option<Template>,
    /// Bytes.
    pub limit_rate_after: Option<Template>,
    pub access_log_off: bool,
    pub default_type: Option<Box<[u8]>>,
    /// Of those for one status the first counts.
    pub error_pages: Box<[ErrorPage]>,
    /// Variables that the answer of the authentication service sets, in order.
    pub auth_variables: Box<[Assigned]>,
    /// Each zone once.
    pub request_limits: Box<[RequestLimit]>,
    /// Each zone once.
    pub connection_limits: Box<[ConnectionLimit]>,
    /// Of the requests that zones limit, these and those of the location.
    pub limit_req: Limiting,
    /// Of the connections, likewise.
    pub limit_conn: Limiting,
    /// What becomes of `Location` and `Refresh` of a backend's response, of which the first that fits counts, as of the next three.
    pub redirects: Box<[Replacement]>,
    /// The same of cookies that it sets: their domains, paths and flags.
    pub cookie_domains: Box<[Replacement]>,
    pub cookie_paths: Box<[Replacement]>,
    pub cookie_flags: Box<[CookieFlags]>,
}

impl Level {
    /// Reads the value of a script's field.
    ///
    /// # Errors: `Critical` for what is not known here and must not be passed over, others for what is damaged.
    pub fn read(value: &[u8]) -> Result<Level, RecordError> {
        let mut read = Reading::default();
        for field in Fields::new(value) {
            let field = field?;
            let bytes = field.value;
            match field.id {
                ids::RESPONSE_HEADERS => read.response_headers.push(ResponseHeader::read(bytes)?),
                ids::UPSTREAM_HEADERS => read.upstream_headers.push(assigned(bytes, token)?),
                ids::INPUT_HEADERS => read.input_headers.push(InputHeader::read(bytes)?),
                ids::HIDES => read.hides.push(token(bytes)?),
                ids::PASSES => read.passes.push(token(bytes)?),
                ids::EXPIRES => read.level.expires = Some(Expires::read(bytes)?),
                ids::LIMIT_RATE => read.level.limit_rate = Some(Template::read(bytes)?),
                ids::LIMIT_RATE_AFTER => read.level.limit_rate_after = Some(Template::read(bytes)?),
                ids::ACCESS_LOG_OFF => read.level.access_log_off = mark(bytes)?,
                ids::DEFAULT_TYPE => read.level.default_type = Some(line(bytes)?),
                ids::ERROR_PAGES => read.error_pages.push(ErrorPage::read(bytes)?),
                ids::AUTH_VARIABLES => read.auth_variables.push(assigned(bytes, variable)?),
                ids::REQUEST_LIMITS => read.request_limits.push(RequestLimit::read(bytes)?),
                ids::CONNECTION_LIMITS => {
                    read.connection_limits.push(ConnectionLimit::read(bytes)?);
                }
                ids::LIMIT_REQ_DRY_RUN => read.level.limit_req.dry_run = Some(flag(bytes)?),
                ids::LIMIT_CONN_DRY_RUN => read.level.limit_conn.dry_run = Some(flag(bytes)?),
                ids::LIMIT_REQ_LOG_LEVEL => {
                    read.level.limit_req.log_level = Some(LogLevel::read(bytes)?);
                }
                ids::LIMIT_CONN_LOG_LEVEL => {
                    read.level.limit_conn.log_level = Some(LogLevel::read(bytes)?);
                }
                ids::LIMIT_REQ_STATUS => {
                    read.level.limit_req.status = Some(numbers::STATUS.read(bytes)? as u16);
                }
                ids::LIMIT_CONN_STATUS => {
                    read.level.limit_conn.status = Some(numbers::STATUS.read(bytes)? as u16);
                }
                ids::REDIRECTS => read.redirects.push(Replacement::read(bytes)?),
                ids::COOKIE_DOMAINS => read.cookie_domains.push(Replacement::read(bytes)?),
                ids::COOKIE_PATHS => read.cookie_paths.push(Replacement::read(bytes)?),
                ids::COOKIE_FLAGS => read.cookie_flags.push(CookieFlags::read(bytes)?),
                _ => field.skip()?,
            }
        }
        read.level()
    }
}

/// A level while its fields are being read.
#[derive(Default)]
struct Reading {
    level: Level,
    response_headers: Vec<ResponseHeader>,
    upstream_headers: Vec<Assigned>,
    input_headers: Vec<InputHeader>,
    hides: Vec<Box<[u8]>>,
    passes: Vec<Box<[u8]>>,
    error_pages: Vec<ErrorPage>,
    auth_variables: Vec<Assigned>,
    request_limits: Vec<RequestLimit>,
    connection_limits: Vec<ConnectionLimit>,
    redirects: Vec<Replacement>,
    cookie_domains: Vec<Replacement>,
    cookie_paths: Vec<Replacement>,
    cookie_flags: Vec<CookieFlags>,
}

impl Reading {
    /// # Errors: `Field` for more of something than there may be.
    fn level(self) -> Result<Level, RecordError> {
        let lengths = [
            self.response_headers.len(),
            self.upstream_headers.len(),
            self.input_headers.len(),
            self.hides.len(),
            self.passes.len(),
            self.error_pages.len(),
            self.auth_variables.len(),
            self.request_limits.len(),
            self.connection_limits.len(),
            self.redirects.len(),
            self.cookie_domains.len(),
            self.cookie_paths.len(),
            self.cookie_flags.len(),
        ];
        if lengths.iter().any(|length| *length > max::LEVEL_ITEMS) {
            return Err(RecordError::Field);
        }
        Ok(Level {
            response_headers: self.response_headers.into(),
            upstream_headers: self.upstream_headers.into(),
            input_headers: self.input_headers.into(),
            hides: self.hides.into(),
            passes: self.passes.into(),
            error_pages: self.error_pages.into(),
            auth_variables: self.auth_variables.into(),
            request_limits: self.request_limits.into(),
            connection_limits: self.connection_limits.into(),
            redirects: self.redirects.into(),
            cookie_domains: self.cookie_domains.into(),
            cookie_paths: self.cookie_paths.into(),
            cookie_flags: self.cookie_flags.into(),
            ..self.level
        })
    }
}

#[cfg(test)]
mod tests {
    use super::values::field;
    use super::*;

    fn level(fields: &[(u8, &[u8])]) -> Result<Level, RecordError> {
        Level::read(&fields.iter().flat_map(|(id, value)| field(*id, value)).collect::<Vec<_>>())
    }

    #[test]
    fn an_empty_level_changes_nothing() {
        assert_eq!(level(&[]), Ok(Level::default()));
    }

    #[test]
    fn names_and_templates_are_read_in_order() {
        let read = level(&[
            (ids::UPSTREAM_HEADERS, b"\x03X-A$host"),
            (ids::UPSTREAM_HEADERS, b"\x03X-Bb"),
            (ids::HIDES, b"X-Powered-By"),
            (ids::PASSES, b"Server"),
            (ids::LIMIT_RATE, b"$rate"),
            (ids::ACCESS_LOG_OFF, &[1]),
            (ids::DEFAULT_TYPE, b"text/plain"),
            (ids::AUTH_VARIABLES, b"\x04user$upstream_http_x_user"),
        ])
        .unwrap();
        let names: Vec<_> = read.upstream_headers.iter().map(|header| &*header.name).collect();
        assert_eq!(names, [b"X-A", b"X-B"]);
        assert_eq!(read.upstream_headers[0].value.text(), b"$host");
        assert_eq!((&*read.hides[0], &*read.passes[0]), (&b"X-Powered-By"[..], &b"Server"[..]));
        assert!(read.access_log_off);
        assert_eq!(read.default_type.as_deref(), Some(&b"text/plain"[..]));
        assert_eq!(&*read.auth_variables[0].name, b"user");
    }

    #[test]
    fn limits_are_read_with_what_goes_with_them() {
        let zone = field(1, b"a");
        let read = level(&[
            (ids::REQUEST_LIMITS, &zone),
            (ids::CONNECTION_LIMITS, &[&zone[..], &field(2, &[7, 0])].concat()),
            (ids::LIMIT_REQ_DRY_RUN, &[0]),
            (ids::LIMIT_CONN_LOG_LEVEL, &[3]),
            (ids::LIMIT_REQ_STATUS, &[173, 1]),
        ])
        .unwrap();
        assert_eq!((read.request_limits.len(), read.connection_limits[0].connections), (1, 7));
        assert_eq!((read.limit_req.dry_run, read.limit_req.status), (Some(false), Some(429)));
        assert_eq!(read.limit_conn.log_level, Some(LogLevel::Warn));
        assert_eq!(level(&[(ids::LIMIT_REQ_DRY_RUN, &[2])]), Err(RecordError::Field));
    }

    #[test]
    fn what_cannot_be_a_name_is_refused() {
        for (id, value) in [
            (ids::UPSTREAM_HEADERS, &b"\x00x"[..]),
            (ids::UPSTREAM_HEADERS, b"\x03a b"),
            (ids::UPSTREAM_HEADERS, b"\x09ab"),
            (ids::HIDES, b""),
            (ids::HIDES, b"a:"),
            (ids::AUTH_VARIABLES, b"\x01Ax"),
            (ids::DEFAULT_TYPE, b"a\nb"),
            (ids::ACCESS_LOG_OFF, &[2]),
        ] {
            assert_eq!(level(&[(id, value)]), Err(RecordError::Field), "{id}");
        }
    }

    #[test]
    fn there_are_only_so_many_of_each() {
        let many = field(ids::HIDES, b"X-A").repeat(max::LEVEL_ITEMS);
        assert_eq!(Level::read(&many).unwrap().hides.len(), max::LEVEL_ITEMS);
        let more = [many, field(ids::HIDES, b"X-A")].concat();
        assert_eq!(Level::read(&more), Err(RecordError::Field));
    }

    #[test]
    fn what_is_not_known_is_passed_over_unless_it_is_critical() {
        assert_eq!(level(&[(99, b"x")]), Ok(Level::default()));
        assert_eq!(level(&[(99 | 0x80, b"x")]), Err(RecordError::Critical(99)));
        assert_eq!(Level::read(&[1, 9, 0, 0, 1]), Err(RecordError::Length));
    }
}
