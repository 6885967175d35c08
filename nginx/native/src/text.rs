//! `ngx_str_t` as slices and back, and what stands in them.

use std::ptr::null_mut;
use std::slice::from_raw_parts;
use std::str::FromStr;

use ngx::ffi::ngx_str_t;

/// The bytes of `s`; empty for a null pointer.
///
/// # Safety
/// `s` points to `s.len` readable bytes that live and stay unchanged for `'a`.
pub unsafe fn bytes<'a>(s: ngx_str_t) -> &'a [u8] {
    if s.data.is_null() || s.len == 0 {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { from_raw_parts(s.data, s.len) }
}

/// The same bytes as an `ngx_str_t`. nginx must only read them.
pub fn borrowed(text: &[u8]) -> ngx_str_t {
    ngx_str_t { len: text.len(), data: text.as_ptr().cast_mut() }
}

/// The number that `digits` are; `default` for no digits, `None` for anything else.
pub fn number<N: FromStr>(digits: &[u8], default: N) -> Option<N> {
    match digits {
        b"" => Some(default),
        digits => std::str::from_utf8(digits).ok()?.parse().ok(),
    }
}

pub const EMPTY: ngx_str_t = ngx_str_t { len: 0, data: null_mut() };
