//! Responses made by a module rather than by an upstream or a file.

use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    ngx_buf_t, ngx_chain_t, ngx_http_clean_header, ngx_http_complex_value_t,
    ngx_http_output_filter, ngx_http_send_header, ngx_http_send_response, ngx_int_t,
};

use crate::bits;
use crate::chain::links;
use crate::code::{ERROR, OK};
use crate::headers::{self, Refused, Side};
use crate::request::Request;
use crate::text::borrowed;

/// Replaces status, length and all headers of the response that is about to be sent, but for [`headers::set_cookie`]'s.
/// # Errors
/// [`Refused`] when a header may not be written; the response then has those before it.
pub fn replace_head<'h>(
    r: Request,
    status: u16,
    body_len: usize,
    headers: impl Iterator<Item = (&'h [u8], &'h [u8])>,
) -> Result<(), Refused> {
    // SAFETY: a live request whose header was not sent.
    headers::keeping_cookies(r, || unsafe { ngx_http_clean_header(r.as_ptr()) })?;
    // SAFETY: as above.
    unsafe {
        (*r.as_ptr()).headers_out.status = usize::from(status);
        (*r.as_ptr()).headers_out.content_length_n = body_len as i64;
        if (*r.as_ptr()).err_status != 0 {
            (*r.as_ptr()).err_status = usize::from(status); // `$status` prefers it
        }
    }
    headers.into_iter().try_for_each(|(name, value)| headers::add(r, Side::Response, name, value))
}

/// Leaves the head of a response that is about to be sent, without length or encoding: it ends there.
pub fn drop_body(r: Request) {
    for name in [&b"Content-Length"[..], b"Content-Encoding", b"Last-Modified", b"ETag"] {
        headers::remove(r, Side::Response, name);
    }
    // SAFETY: a live request whose header was not sent.
    unsafe {
        let out = &mut (*r.as_ptr()).headers_out;
        out.content_length = null_mut();
        out.content_length_n = -1;
        out.last_modified_time = -1;
        bits::request::HEADER_ONLY.set(r.as_ptr(), 1);
    }
}

/// Sends the head that was prepared, then `body`, which lives as long as the request.
///
/// # Returns
/// What the request is to be finalized with.
pub fn send<'r>(r: Request<'r>, body: &'r [u8]) -> ngx_int_t {
    // SAFETY: a live request.
    unsafe {
        if body.is_empty() {
            bits::request::HEADER_ONLY.set(r.as_ptr(), 1);
        }
        let rc = ngx_http_send_header(r.as_ptr());
        if rc != OK || bits::request::HEADER_ONLY.is_set(r.as_ptr()) {
            return rc;
        }
        match last_link(r, body) {
            Some(link) => ngx_http_output_filter(r.as_ptr(), link.as_ptr()),
            None => ERROR,
        }
    }
}

/// Answers with a text of the location's own type, whatever error pages say, or with the status of a redirect leads there: nginx's
/// `return STATUS TEXT`.
///
/// # Returns
/// What the request is to be finalized with.
pub fn send_text<'r>(r: Request<'r>, status: u16, text: &'r [u8]) -> ngx_int_t {
    // SAFETY: a live request whose header was not sent; nginx only reads the value, which has no variables.
    unsafe {
        let mut value: ngx_http_complex_value_t = std::mem::zeroed();
        value.value = borrowed(text);
        ngx_http_send_response(r.as_ptr(), status.into(), null_mut(), &mut value)
    }
}

/// Makes the buffers look sent, so that their owner may use them again.
///
/// # Safety
/// Null, or a live chain of live buffers.
pub unsafe fn consume(chain: *mut ngx_chain_t) {
    // SAFETY: the caller's promise.
    unsafe {
        for link in links(chain) {
            let buffer = link.as_ref().buf;
            (*buffer).pos = (*buffer).last;
            (*buffer).file_pos = (*buffer).file_last;
        }
    }
}

/// `body` as the last link of a response; it lives as long as the request.
pub fn last_link<'r>(r: Request<'r>, body: &'r [u8]) -> Option<NonNull<ngx_chain_t>> {
    // SAFETY: zeroed structures of nginx; nginx only reads the body through them.
    unsafe {
        let buffer = r.pool().zeroed::<ngx_buf_t>()?.as_ptr();
        (*buffer).start = body.as_ptr().cast_mut();
        (*buffer).pos = (*buffer).start;
        (*buffer).last = (*buffer).start.add(body.len());
        (*buffer).end = (*buffer).last;
        bits::buf::MEMORY.set(buffer, u32::from(!body.is_empty()));
        bits::buf::LAST_BUF.set(buffer, u32::from(r.is_main()));
        bits::buf::LAST_IN_CHAIN.set(buffer, 1);
        r.pool().put(ngx_chain_t { buf: buffer, next: null_mut() })
    }
}
