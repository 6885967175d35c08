//! The Content-Type of a response, which nginx keeps beside its headers.

use std::ptr::null_mut;

use ngx::ffi::ngx_str_t;

use crate::request::Request;
use crate::text::{EMPTY, borrowed, bytes};

/// The response's Content-Type; `None` when there is none.
pub fn content_type(r: Request<'_>) -> Option<&[u8]> {
    // SAFETY: a live request.
    let value = unsafe { bytes((*r.as_ptr()).headers_out.content_type) };
    (!value.is_empty()).then_some(value)
}

/// The same without a charset, or other parameters where nginx has found some.
pub fn media_type(r: Request<'_>) -> &[u8] {
    let value = content_type(r).unwrap_or_default();
    // SAFETY: a live request.
    let len = unsafe { (*r.as_ptr()).headers_out.content_type_len };
    value.get(..len).unwrap_or(value)
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

/// Makes `value` the response's Content-Type; one without a charset keeps that which the response had, as headers-more has it.
///
/// # Safety
/// `value` lives as long as the request, and may stand in a header.
pub unsafe fn replace_content_type(r: Request, value: &[u8]) {
    // SAFETY: a live request, and the caller's promise.
    unsafe {
        let out = &mut (*r.as_ptr()).headers_out;
        out.content_type = borrowed(value);
        out.content_type_len = value.len();
        out.content_type_lowcase = null_mut();
        if let Some((end, charset)) = charset_of(value) {
            out.content_type_len = end;
            out.charset = borrowed(charset);
        }
    }
}

/// Where the parameter begins, and what it says.
fn charset_of(value: &[u8]) -> Option<(usize, &[u8])> {
    let mut starts = (0..value.len()).filter(|at| value[*at] == b';');
    starts.find_map(|at| {
        let parameter = value[at + 1..].trim_ascii_start();
        let (name, charset) = parameter.split_at_checked(b"charset=".len())?;
        let charset = charset.strip_prefix(b"\"").unwrap_or(charset);
        let charset = charset.strip_suffix(b"\"").unwrap_or(charset);
        name.eq_ignore_ascii_case(b"charset=").then_some((at, charset))
    })
}
