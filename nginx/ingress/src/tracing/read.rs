//! `ingress_spans_read`: a location that hands out finished spans, a page for each request.
//!
//! `GET ?BYTES` answers the oldest ones with the ring's state in front, so many bytes or one at least (without a number: a page), `DELETE ?SEED-END` removes those of the page that said so: one that its
//! reader could not use is there again. docs/tracing.md has the form of a page.

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, NGX_HTTP_NOT_ALLOWED, NGX_HTTP_NOT_FOUND, ngx_http_request_t, ngx_int_t,
};
use wick_native::code::ERROR;
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::response::{replace_head, send, send_text};
use wick_tracing::{Page, Ring};

use super::conf::{Tracing, tracing};

/// Bytes of a page: so few that the worker's other requests hardly wait.
const PAGE: usize = 256 * 1024;

pub fn ingress_spans_read(conf: Conf) -> Answer {
    // SAFETY: the directive stands in locations only.
    unsafe { conf.set_handler(answer) };
    CONF_OK
}

unsafe extern "C" fn answer(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: handlers get live requests.
        let r = unsafe { Request::from_raw(r) };
        let Some(tracing) = tracing(r) else { return NGX_HTTP_NOT_FOUND as ngx_int_t };
        match r.method() {
            b"GET" => page(r, tracing),
            b"DELETE" => free(r, tracing),
            _ => NGX_HTTP_NOT_ALLOWED as ngx_int_t,
        }
    })
}

fn page(r: Request, tracing: &Tracing) -> ngx_int_t {
    let Some(bytes) = r.numeric_args(PAGE) else { return NGX_HTTP_BAD_REQUEST as ngx_int_t };
    // The lock is for who opens the ring first; the page is read without it.
    let ring: Ring = tracing.locked(|ring| ring);
    let Page { seed, end, recorded, dropped, waiting, records } = ring.page(bytes.min(PAGE));
    let state = [seed, end, recorded, dropped, waiting].map(u64::to_le_bytes);
    let Some(body) = r.pool().copy(&[state.as_flattened(), &records].concat()) else {
        return ERROR;
    };
    if replace_head(r, 200, body.len(), std::iter::empty()).is_err() {
        return ERROR;
    }
    send(r, body)
}

fn free(r: Request, tracing: &Tracing) -> ngx_int_t {
    let text = std::str::from_utf8(r.args()).ok();
    let numbers = text.and_then(|text| text.split_once('-'));
    let Some((Ok(seed), Ok(end))) = numbers.map(|(seed, end)| (seed.parse(), end.parse())) else {
        return NGX_HTTP_BAD_REQUEST as ngx_int_t;
    };
    tracing.locked(|ring| ring.free(seed, end));
    send_text(r, 200, b"removed")
}
