//! `ingress_stream_log_line $NAME [escape=WAY] FORMAT`: for sessions what `ingress_log_line` is for requests.

use ngx::ffi::ngx_cached_http_log_time;
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf};
use wick_native::stream::session::Session;
use wick_native::stream::variable::{self, Written};
use wick_native::text::bytes;

use crate::log_line::digits::{put, put_padded, put_seconds};
use crate::log_line::line::Line;

/// What nginx would print anew for each line, and any other variable by its index.
enum Value {
    RemoteAddress,
    TimeLocal,
    Protocol,
    Status,
    BytesSent,
    BytesReceived,
    SessionTime,
    Variable(usize),
}

type SessionLine = Line<Value>;

pub fn ingress_stream_log_line(conf: Conf) -> Answer {
    let (name, line) = match SessionLine::read(conf, |name| Value::called(conf, name)) {
        Ok(read) => read,
        Err(answer) => return answer,
    };
    let declared =
        conf.pool().keep(line).and_then(|line| variable::declare_written(conf, name, line));
    declared.map_or(CONF_ERROR, |()| CONF_OK)
}

impl Written for SessionLine {
    fn write<'s>(&self, s: Session<'s>) -> Option<&'s [u8]> {
        Line::write(self, s.pool(), |value, to| value.put(s, self, to))
    }
}

impl Value {
    /// `None`: nginx has no such variable, and the log says so.
    fn called(conf: Conf, name: &[u8]) -> Option<Value> {
        Some(match name {
            b"remote_addr" => Value::RemoteAddress,
            b"time_local" => Value::TimeLocal,
            b"protocol" => Value::Protocol,
            b"status" => Value::Status,
            b"bytes_sent" => Value::BytesSent,
            b"bytes_received" => Value::BytesReceived,
            b"session_time" => Value::SessionTime,
            _ => Value::Variable(variable::index(conf, name)?),
        })
    }

    #[inline]
    fn put(&self, s: Session, line: &SessionLine, to: &mut Vec<u8>) {
        let c = s.connection();
        match self {
            Value::RemoteAddress => line.escape.put(Some(c.peer()), to),
            // SAFETY: nginx points it to another text in this very thread, and the texts stay.
            Value::TimeLocal => to.extend_from_slice(unsafe { bytes(ngx_cached_http_log_time) }),
            Value::Protocol => to.extend_from_slice(if c.is_stream() { b"TCP" } else { b"UDP" }),
            Value::Status => put_padded(s.status() as u64, to),
            Value::BytesSent => put(c.sent_bytes(), to),
            Value::BytesReceived => put(s.received_bytes(), to),
            Value::SessionTime => put_seconds(s.age_ms(), to),
            Value::Variable(index) => line.escape.put(variable::at(s, *index), to),
        }
    }
}
