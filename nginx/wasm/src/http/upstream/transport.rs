//! What nginx's upstream of a request says of its connection.

use ngx::ffi::ngx_http_upstream_conf_t;
use wick_native::bits;

use crate::attempts::timeouts::Timeouts;
use crate::attempts::transport::{Fact, Transport};
use crate::subject::Subject;

pub static HTTP: Http = Http;

pub struct Http;

impl Transport for Http {
    fn is_tls(&self, subject: Subject) -> bool {
        let upstream = subject.request().and_then(|r| r.upstream());
        // SAFETY: the live request's upstream.
        upstream.is_some_and(|upstream| unsafe { bits::upstream::SSL.is_set(upstream.as_ptr()) })
    }

    fn timeouts(&self, subject: Subject) -> Timeouts {
        let upstream = subject.request().and_then(|r| r.upstream());
        // SAFETY: the live request's upstream always has a configuration.
        upstream.map_or(Timeouts::default(), |upstream| unsafe { of(&*upstream.as_ref().conf) })
    }

    fn measured(&self, subject: Subject, what: Fact) -> Option<usize> {
        // SAFETY: the live request's upstream; its state is null before the first attempt.
        let state = unsafe { subject.request()?.upstream()?.as_ref().state.as_ref()? };
        Some(match what {
            Fact::Address => return None,
            Fact::Status => state.status,
            Fact::ConnectTime => state.connect_time,
            Fact::HeaderTime => state.header_time,
            Fact::ResponseTime => state.response_time,
        })
    }
}

/// Those of a configuration.
fn of(conf: &ngx_http_upstream_conf_t) -> Timeouts {
    let ms = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
    Timeouts {
        connect_ms: ms(conf.connect_timeout),
        send_ms: ms(conf.send_timeout),
        read_ms: ms(conf.read_timeout),
    }
}
