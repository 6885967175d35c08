// Printed by `npm run wire` from wire/: change it there.

use wick_wire::{RecordError, flag, numbers, route};

use super::values::NextUpstream;

/// Each absent number leaves the location's own in force. Equal overrides are interchangeable: the ingress module keeps
/// one patched copy of a location per distinct value. Names are those of the directives, with their units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Overrides {
    /// 1 to 2^31-1.
    pub proxy_connect_timeout_ms: Option<u32>,
    /// 1 to 2^31-1.
    pub proxy_send_timeout_ms: Option<u32>,
    /// 1 to 2^31-1.
    pub proxy_read_timeout_ms: Option<u32>,
    /// 0 to 2^53; 0: no limit.
    pub client_max_body_size_bytes: Option<u64>,
    pub proxy_next_upstream: Option<NextUpstream>,
    /// 0 to 2^31-1; 0: no limit but the upstream's `max_tries`.
    pub proxy_next_upstream_tries: Option<u32>,
    /// 0 to 2^31-1; 0: no limit.
    pub proxy_next_upstream_timeout_ms: Option<u32>,
    /// 1 to 2^31-1; of all buffers.
    pub proxy_buffer_size_bytes: Option<u32>,
    /// 1 to 2^31-1.
    pub proxy_buffers_number: Option<u32>,
    /// 1 to 2^31-1.
    pub proxy_busy_buffers_size_bytes: Option<u32>,
    pub proxy_buffering: Option<bool>,
    pub proxy_request_buffering: Option<bool>,
    /// 0 to 2^53; 0: no file.
    pub proxy_max_temp_file_size_bytes: Option<u64>,
    /// 1 to 2^31-1.
    pub client_body_buffer_size_bytes: Option<u32>,
    pub absolute_redirect: Option<bool>,
    pub port_in_redirect: Option<bool>,
    /// 0 to 2^53; of a response, per second; 0: no limit.
    pub limit_rate_bytes: Option<u64>,
    /// 0 to 2^53; of a response, before `limit_rate` applies.
    pub limit_rate_after_bytes: Option<u64>,
    /// 1 to 2^31-1.
    pub client_body_timeout_ms: Option<u32>,
    /// 1 to 2^31-1; to the client.
    pub send_timeout_ms: Option<u32>,
    /// 0 to 2^50-1; errors that have a page: a bit for each of the codes 400 to 449, the lowest for 400; where one of these four is there, errors of all other codes have no page.
    pub error_pages_400: Option<u64>,
    /// 0 to 2^50-1; errors that have a page: a bit for each of the codes 450 to 499, the lowest for 450.
    pub error_pages_450: Option<u64>,
    /// 0 to 2^50-1; errors that have a page: a bit for each of the codes 500 to 549, the lowest for 500.
    pub error_pages_500: Option<u64>,
    /// 0 to 2^50-1; errors that have a page: a bit for each of the codes 550 to 599, the lowest for 550.
    pub error_pages_550: Option<u64>,
    /// whether errors of the backend have a page, too.
    pub proxy_intercept_errors: Option<bool>,
    /// 400 to 2^9-1; of a request that LIMITS refuse for its rate; absent: that of all routes.
    pub limit_req_status: Option<u32>,
    /// 400 to 2^9-1; of a request beside which the client has as many as LIMITS let it have; absent: that of all routes.
    pub limit_conn_status: Option<u32>,
}

impl Overrides {
    /// At least one number is about how a response is fetched, so that it means nothing to a location that answers by itself.
    pub fn has_upstream(&self) -> bool {
        let core = Self {
            client_max_body_size_bytes: self.client_max_body_size_bytes,
            client_body_buffer_size_bytes: self.client_body_buffer_size_bytes,
            absolute_redirect: self.absolute_redirect,
            port_in_redirect: self.port_in_redirect,
            limit_rate_bytes: self.limit_rate_bytes,
            limit_rate_after_bytes: self.limit_rate_after_bytes,
            client_body_timeout_ms: self.client_body_timeout_ms,
            send_timeout_ms: self.send_timeout_ms,
            error_pages_400: self.error_pages_400,
            error_pages_450: self.error_pages_450,
            error_pages_500: self.error_pages_500,
            error_pages_550: self.error_pages_550,
            limit_req_status: self.limit_req_status,
            limit_conn_status: self.limit_conn_status,
            ..Self::default()
        };
        *self != core
    }

    /// Takes one field by its id; false when it is none of these.
    pub(crate) fn set(&mut self, id: u8, bytes: &[u8]) -> Result<bool, RecordError> {
        match id {
            route::PROXY_CONNECT_TIMEOUT_MS => self.proxy_connect_timeout_ms = Some(numbers::MILLISECONDS.read(bytes)? as u32),
            route::PROXY_SEND_TIMEOUT_MS => self.proxy_send_timeout_ms = Some(numbers::MILLISECONDS.read(bytes)? as u32),
            route::PROXY_READ_TIMEOUT_MS => self.proxy_read_timeout_ms = Some(numbers::MILLISECONDS.read(bytes)? as u32),
            route::CLIENT_MAX_BODY_SIZE_BYTES => self.client_max_body_size_bytes = Some(numbers::BYTES_OR_NONE.read(bytes)?),
            route::PROXY_NEXT_UPSTREAM => self.proxy_next_upstream = Some(NextUpstream::read(bytes)?),
            route::PROXY_NEXT_UPSTREAM_TRIES => self.proxy_next_upstream_tries = Some(numbers::TRIES_OR_NONE.read(bytes)? as u32),
            route::PROXY_NEXT_UPSTREAM_TIMEOUT_MS => self.proxy_next_upstream_timeout_ms = Some(numbers::MILLISECONDS_OR_NONE.read(bytes)? as u32),
            route::PROXY_BUFFER_SIZE_BYTES => self.proxy_buffer_size_bytes = Some(numbers::BUFFER_BYTES.read(bytes)? as u32),
            route::PROXY_BUFFERS_NUMBER => self.proxy_buffers_number = Some(numbers::BUFFERS.read(bytes)? as u32),
            route::PROXY_BUSY_BUFFERS_SIZE_BYTES => self.proxy_busy_buffers_size_bytes = Some(numbers::BUFFER_BYTES.read(bytes)? as u32),
            route::PROXY_BUFFERING => self.proxy_buffering = Some(flag(bytes)?),
            route::PROXY_REQUEST_BUFFERING => self.proxy_request_buffering = Some(flag(bytes)?),
            route::PROXY_MAX_TEMP_FILE_SIZE_BYTES => self.proxy_max_temp_file_size_bytes = Some(numbers::BYTES_OR_NONE.read(bytes)?),
            route::CLIENT_BODY_BUFFER_SIZE_BYTES => self.client_body_buffer_size_bytes = Some(numbers::BUFFER_BYTES.read(bytes)? as u32),
            route::ABSOLUTE_REDIRECT => self.absolute_redirect = Some(flag(bytes)?),
            route::PORT_IN_REDIRECT => self.port_in_redirect = Some(flag(bytes)?),
            route::LIMIT_RATE_BYTES => self.limit_rate_bytes = Some(numbers::BYTES_OR_NONE.read(bytes)?),
            route::LIMIT_RATE_AFTER_BYTES => self.limit_rate_after_bytes = Some(numbers::BYTES_OR_NONE.read(bytes)?),
            route::CLIENT_BODY_TIMEOUT_MS => self.client_body_timeout_ms = Some(numbers::MILLISECONDS.read(bytes)? as u32),
            route::SEND_TIMEOUT_MS => self.send_timeout_ms = Some(numbers::MILLISECONDS.read(bytes)? as u32),
            route::ERROR_PAGES_400 => self.error_pages_400 = Some(numbers::CODE_SET.read(bytes)?),
            route::ERROR_PAGES_450 => self.error_pages_450 = Some(numbers::CODE_SET.read(bytes)?),
            route::ERROR_PAGES_500 => self.error_pages_500 = Some(numbers::CODE_SET.read(bytes)?),
            route::ERROR_PAGES_550 => self.error_pages_550 = Some(numbers::CODE_SET.read(bytes)?),
            route::PROXY_INTERCEPT_ERRORS => self.proxy_intercept_errors = Some(flag(bytes)?),
            route::LIMIT_REQ_STATUS => self.limit_req_status = Some(numbers::STATUS.read(bytes)? as u32),
            route::LIMIT_CONN_STATUS => self.limit_conn_status = Some(numbers::STATUS.read(bytes)? as u32),
            _ => return Ok(false),
        }
        Ok(true)
    }
}
