//! `limit_rate` and `limit_rate_after`, unless `set` or the backend has said another rate for this response.

use ngx::ffi::NGX_LOG_ERR;
use wick_native::bits::request::{LIMIT_RATE_AFTER_SET, LIMIT_RATE_SET};
use wick_native::conf::parse_size;
use wick_native::log;
use wick_native::request::Request;
use wick_script::Level;

use super::text::Text;

pub struct Rate {
    bytes: Option<Text>,
    after: Option<Text>,
}

impl Rate {
    /// `None`: nothing is said of it.
    pub fn of(level: &Level) -> Option<Rate> {
        let bytes = level.limit_rate.as_ref().map(Text::of);
        let after = level.limit_rate_after.as_ref().map(Text::of);
        (bytes.is_some() || after.is_some()).then_some(Rate { bytes, after })
    }

    /// In a filter of headers: nginx asks when the first bytes are sent. `None`: out of memory.
    pub fn limit(&self, r: Request) -> Option<()> {
        // SAFETY: a live request.
        unsafe {
            if let Some(bytes) = &self.bytes
                && !LIMIT_RATE_SET.is_set(r.as_ptr())
            {
                (*r.as_ptr()).limit_rate = size(bytes, r)?;
                LIMIT_RATE_SET.set(r.as_ptr(), 1);
            }
            if let Some(after) = &self.after
                && !LIMIT_RATE_AFTER_SET.is_set(r.as_ptr())
            {
                (*r.as_ptr()).limit_rate_after = size(after, r)?;
                LIMIT_RATE_AFTER_SET.set(r.as_ptr(), 1);
            }
        }
        Some(())
    }
}

/// What is no size limits nothing. Source: nginx, `ngx_http_complex_value_size`.
fn size(text: &Text, r: Request) -> Option<usize> {
    Some(match text.value(r)? {
        b"" => 0,
        value => parse_size(value).unwrap_or_else(|| refuse(value, r)),
    })
}

#[cold]
fn refuse(value: &[u8], r: Request) -> usize {
    let line = format_args!("invalid size \"{}\"", value.escape_ascii());
    log::write(r.log(), NGX_LOG_ERR as usize, line);
    0
}
