//! Whether nginx tries another peer because of a response: its own conditions.

use ngx::ffi::{
    NGX_HTTP_LOCK, NGX_HTTP_PATCH, NGX_HTTP_POST, NGX_HTTP_UPSTREAM_FT_HTTP_403,
    NGX_HTTP_UPSTREAM_FT_HTTP_404, NGX_HTTP_UPSTREAM_FT_HTTP_429, NGX_HTTP_UPSTREAM_FT_HTTP_500,
    NGX_HTTP_UPSTREAM_FT_HTTP_502, NGX_HTTP_UPSTREAM_FT_HTTP_503, NGX_HTTP_UPSTREAM_FT_HTTP_504,
    NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT, ngx_current_msec, ngx_http_upstream_t,
};
use wick_native::bits;
use wick_native::request::Request;

/// Whether nginx will try another peer because of this response: `ngx_http_upstream_test_next`, word for word.
pub fn would_retry(r: Request, upstream: &ngx_http_upstream_t) -> bool {
    // SAFETY: the live request's upstream and configuration; the clock is this thread's.
    unsafe {
        let Some(mut mask) = mask(upstream.headers_in.status_n) else { return false };
        let (request, conf) = (&*r.as_ptr(), &*upstream.conf);
        let unrepeatable = (NGX_HTTP_POST | NGX_HTTP_LOCK | NGX_HTTP_PATCH) as usize;
        if bits::upstream::REQUEST_SENT.is_set(upstream) && request.method & unrepeatable != 0 {
            mask |= NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT as usize;
        }
        let waited = ngx_current_msec.wrapping_sub(upstream.peer.start_time);
        upstream.peer.tries > 1
            && !bits::request::CACHED.is_set(request)
            && conf.next_upstream & mask == mask
            && !(bits::upstream::REQUEST_SENT.is_set(upstream)
                && bits::request::REQUEST_BODY_NO_BUFFERING.is_set(request))
            && !(conf.next_upstream_timeout != 0 && waited >= conf.next_upstream_timeout)
    }
}

/// Whether the response that the client gets is one that `proxy_next_upstream` counts as failed: after
/// the last try nginx frees the peer as if all were well.
pub fn is_failure(r: Request) -> bool {
    let Some(upstream) = r.upstream() else { return false };
    // SAFETY: the live request's upstream and configuration.
    unsafe {
        let upstream = upstream.as_ref();
        let mask = mask(upstream.headers_in.status_n);
        mask.is_some_and(|mask| (*upstream.conf).next_upstream & mask == mask)
    }
}

/// The `proxy_next_upstream` bit of a status.
fn mask(status: usize) -> Option<usize> {
    Some(match status {
        500 => NGX_HTTP_UPSTREAM_FT_HTTP_500,
        502 => NGX_HTTP_UPSTREAM_FT_HTTP_502,
        503 => NGX_HTTP_UPSTREAM_FT_HTTP_503,
        504 => NGX_HTTP_UPSTREAM_FT_HTTP_504,
        403 => NGX_HTTP_UPSTREAM_FT_HTTP_403,
        404 => NGX_HTTP_UPSTREAM_FT_HTTP_404,
        429 => NGX_HTTP_UPSTREAM_FT_HTTP_429,
        _ => return None,
    } as usize)
}
