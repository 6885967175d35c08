//! `ingress_endpoint_metrics_read`: a location that prints the numbers of endpoints, a page for each request.
//!
//! `GET ?FROM` answers the page that begins there (nothing: the first) with the next one's place in `X-Wick-Next`, unless it is
//! the last; `GET ?backend=NAME`, `GET ?backend=NAME&FROM` the same of one backend, whose name stands there as it is; `protobuf&` in front of
//! all that asks for protobuf. Who begins to
//! read has the series removed, of what is read, whose endpoints are gone.

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, NGX_HTTP_NOT_ALLOWED, NGX_HTTP_NOT_FOUND, ngx_http_request_t, ngx_int_t,
};
use wick_metrics::{Printer, Subject};
use wick_native::code::ERROR;
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::number;

use super::endpoint_table::EndpointMetrics;
use super::noted::endpoint_metrics;
use super::read::{format, send_page};

pub fn ingress_endpoint_metrics_read(conf: Conf) -> Answer {
    // SAFETY: the directive stands in locations only.
    unsafe { conf.set_handler(answer) };
    CONF_OK
}

unsafe extern "C" fn answer(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: handlers get live requests.
        let r = unsafe { Request::from_raw(r) };
        let Some(endpoints) = endpoint_metrics(r) else { return NGX_HTTP_NOT_FOUND as ngx_int_t };
        match r.method() {
            b"GET" => page(r, endpoints),
            _ => NGX_HTTP_NOT_ALLOWED as ngx_int_t,
        }
    })
}

fn page(r: Request, endpoints: &EndpointMetrics) -> ngx_int_t {
    let (format, args) = format(r.args());
    let Some((backend, from)) = asked(args) else { return NGX_HTTP_BAD_REQUEST as ngx_int_t };
    if from == 0 {
        endpoints.sweep(backend);
    }
    let table = endpoints.table();
    let common = &endpoints.settings.common;
    let common: Vec<_> = common.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
    let all = Printer::new(&common, Subject::Endpoints);
    let printer = match backend {
        Some(backend) => all.only_backend(table, backend),
        None => all,
    };
    send_page(r, table, &printer, format, from)
}

/// The backend, and where the page begins.
fn asked(args: &[u8]) -> Option<(Option<&[u8]>, u64)> {
    let (backend, from) = match args.strip_prefix(b"backend=") {
        None => (None, args),
        Some(rest) => {
            let end = rest.iter().position(|byte| *byte == b'&').unwrap_or(rest.len());
            (Some(&rest[..end]), rest.get(end + 1..).unwrap_or_default())
        }
    };
    Some((backend, number(from, 0)?))
}
