//! One host per request, decided before anything depends on it.
//!
//! nginx goes by the target in absolute form and leaves the Host header as it came, so that `$host` and the route could be
//! about one host, `$http_host` and the backend about another. RFC 9112, 3.2.2, has the target in the header's place. That
//! happens here, in the first handler that sees a request, for every server block; a header that could be read as another
//! host is refused. In HTTP/2 nginx itself refuses two hosts, and makes a header of `:authority`; in HTTP/3 it leaves requests
//! without one.
//!
//! No module of nginx's: each takes eight bytes of every request. The handler of [`crate::forwarded`] calls it.

use ngx::ffi::{NGX_HTTP_BAD_REQUEST, NGX_HTTP_INTERNAL_SERVER_ERROR, NGX_LOG_INFO, ngx_int_t};
use wick_hosts::is_host;
use wick_native::headers::{Side, replace};
use wick_native::log;
use wick_native::request::Request;

const BAD_REQUEST: ngx_int_t = NGX_HTTP_BAD_REQUEST as ngx_int_t;
const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// Has the request be for one host.
///
/// # Errors: it cannot be; the answer is for nginx.
#[inline]
pub fn settle(r: Request) -> Result<(), ngx_int_t> {
    if let Some(authority) = r.target_authority()
        && replace(r, Side::Request, b"Host", authority).is_err()
    {
        return Err(INTERNAL_ERROR);
    }
    match r.host_header() {
        Some(header) if !is_host(header, r.host()) => Err(refuse(r, header)),
        // HTTP/1.0 without: every other host's.
        _ => Ok(()),
    }
}

#[cold]
fn refuse(r: Request, header: &[u8]) -> ngx_int_t {
    let header = header.escape_ascii();
    log::write(
        r.log(),
        NGX_LOG_INFO as usize,
        format_args!("client sent invalid host: \"{header}\""),
    );
    BAD_REQUEST
}
