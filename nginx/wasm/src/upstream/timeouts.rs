//! The timeouts of an attempt.

use ngx::ffi::ngx_http_upstream_conf_t;

/// Milliseconds; 0 leaves a value as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Timeouts {
    pub connect_ms: u32,
    pub send_ms: u32,
    pub read_ms: u32,
}

impl Timeouts {
    /// Those of a configuration.
    pub fn of(conf: &ngx_http_upstream_conf_t) -> Timeouts {
        let ms = |value: usize| u32::try_from(value).unwrap_or(u32::MAX);
        Timeouts {
            connect_ms: ms(conf.connect_timeout),
            send_ms: ms(conf.send_timeout),
            read_ms: ms(conf.read_timeout),
        }
    }
}
