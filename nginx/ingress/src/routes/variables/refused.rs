//! `$ingress_error_page`: which page an error gets, that of a request that was refused, or of one whose backend has failed.

use ngx::ffi::{
    NGX_HTTP_VAR_NOCACHEABLE, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable;

pub fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, b"ingress_error_page", NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(page);
    })
}

unsafe extern "C" fn page(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| Ok(Some(page_of(r)))) }
}

/// What its own backend was not given, nobody else gets.
fn page_of(r: Request<'_>) -> &[u8] {
    if r.attempts().is_empty() { b"refused" } else { b"error" }
}
