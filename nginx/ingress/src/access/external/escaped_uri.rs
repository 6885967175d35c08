//! `$escaped_request_uri`: path and query as the client sent them, escaped for a parameter of another address.

use std::ptr::null_mut;

use ngx::ffi::{
    NGX_ESCAPE_URI_COMPONENT, NGX_HTTP_VAR_CHANGEABLE, ngx_escape_uri, ngx_http_request_t,
    ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{self, NoAnswer};

pub fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, b"escaped_request_uri", NGX_HTTP_VAR_CHANGEABLE, |variable| {
        variable.get_handler = Some(get);
    })
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| escaped(r).map(Some).ok_or(NoAnswer)) }
}

/// `None`: out of memory.
fn escaped(r: Request<'_>) -> Option<&[u8]> {
    let uri = r.unparsed_uri();
    let (from, how) = (uri.as_ptr().cast_mut(), NGX_ESCAPE_URI_COMPONENT as usize);
    // SAFETY: without a destination nginx counts the bytes to escape; each takes two more, for which there is room then.
    unsafe {
        let len = uri.len() + 2 * ngx_escape_uri(null_mut(), from, uri.len(), how);
        let to = r.pool().raw(len.max(1))?.as_ptr();
        if len == uri.len() {
            return Some(uri);
        }
        ngx_escape_uri(to, from, uri.len(), how);
        Some(std::slice::from_raw_parts(to, len))
    }
}
