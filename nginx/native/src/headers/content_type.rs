//! The Content-Type of a response, which nginx keeps beside its headers.

use std::ptr::null_mut;

use ngx::ffi::ngx_str_t;

use crate::request::Request;
use crate::text::{EMPTY, bytes};

/// The response's Content-Type; `None` when there is none.
pub fn content_type(r: Request<'_>) -> Option<&[u8]> {
    // SAFETY: a live request.
    let value = unsafe { bytes((*r.as_ptr()).headers_out.content_type) };
    (!value.is_empty()).then_some(value)
}

/// # Safety
/// `value` lives as long as the request.
pub(super) unsafe fn set(r: Request, value: ngx_str_t) {
    // SAFETY: a live request, and the caller's promise.
    unsafe {
        let out = &mut (*r.as_ptr()).headers_out;
        out.content_type = value;
        // Without parameters: what compression by type looks at.
        let end = bytes(value).iter().position(|byte| *byte == b';');
        out.content_type_len = end.unwrap_or(value.len);
        out.content_type_lowcase = null_mut();
        out.charset = EMPTY;
    }
}
