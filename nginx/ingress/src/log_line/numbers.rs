//! Variables that nginx would print anew for each line, and that only lines of a log have any use for. They are never escaped.

use ngx::ffi::ngx_cached_http_log_time;
use wick_native::request::Request;
use wick_native::text::bytes;

use super::digits::{put, put_padded, put_seconds};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Number {
    Status,
    BodyBytesSent,
    RequestLength,
    RequestTime,
    TimeLocal,
}

impl Number {
    /// `None`: it is another variable.
    pub fn called(name: &[u8]) -> Option<Number> {
        match name {
            b"status" => Some(Number::Status),
            b"body_bytes_sent" => Some(Number::BodyBytesSent),
            b"request_length" => Some(Number::RequestLength),
            b"request_time" => Some(Number::RequestTime),
            b"time_local" => Some(Number::TimeLocal),
            _ => None,
        }
    }

    pub fn write(self, r: Request, to: &mut Vec<u8>) {
        match self {
            Number::Status => put_padded(r.logged_status(), to),
            Number::BodyBytesSent => put(r.body_bytes_sent(), to),
            Number::RequestLength => put(r.length(), to),
            Number::RequestTime => put_seconds(r.age_ms(), to),
            // SAFETY: nginx points it to another text in this very thread, and the texts stay.
            Number::TimeLocal => to.extend_from_slice(unsafe { bytes(ngx_cached_http_log_time) }),
        }
    }
}
