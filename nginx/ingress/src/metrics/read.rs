//! `ingress_metrics_read`: a location that prints the numbers, a page for each request, and removes those of Ingresses.
//!
//! `GET ?FROM` answers the page that begins there (nothing: the first) with the next one's place in `X-Wick-Next`, unless it is
//! the last; `GET ?protobuf&FROM` the same as protobuf. `GET ?from=HISTOGRAM` begins at a histogram instead; what stands behind an `&` there is FROM.
//! `DELETE ?NAMESPACE/INGRESS` removes the series of an Ingress. A page is so small that the worker's other requests hardly wait.

use ngx::ffi::{
    NGX_HTTP_BAD_REQUEST, NGX_HTTP_NOT_ALLOWED, NGX_HTTP_NOT_FOUND, ngx_http_request_t, ngx_int_t,
};
use wick_metrics::{Cursor, Format, Printer, Subject, Table};
use wick_native::code::ERROR;
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::response::{replace_head, send, send_text};
use wick_native::text::number;

use super::noted::metrics;
use super::table::Metrics;

/// Bytes of a page.
const PAGE: usize = 256 * 1024;

pub fn ingress_metrics_read(conf: Conf) -> Answer {
    // SAFETY: the directive stands in locations only.
    unsafe { conf.set_handler(answer) };
    CONF_OK
}

unsafe extern "C" fn answer(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: handlers get live requests.
        let r = unsafe { Request::from_raw(r) };
        let Some(metrics) = metrics(r) else { return NGX_HTTP_NOT_FOUND as ngx_int_t };
        match r.method() {
            b"GET" => page(r, metrics),
            b"DELETE" => remove(r, metrics),
            _ => NGX_HTTP_NOT_ALLOWED as ngx_int_t,
        }
    })
}

fn page(r: Request, metrics: &Metrics) -> ngx_int_t {
    let (format, from) = format(r.args());
    let Some(from) = start(from) else { return NGX_HTTP_BAD_REQUEST as ngx_int_t };
    let common: Vec<_> =
        metrics.settings.common.iter().map(|(name, value)| (*name, value.as_bytes())).collect();
    let subject = Subject::Requests { has_classes: metrics.settings.has_classes };
    send_page(r, metrics.table(), &Printer::new(&common, subject), format, from)
}

/// The format that is asked for, and the arguments behind it.
pub fn format(args: &[u8]) -> (Format, &[u8]) {
    match args.strip_prefix(b"protobuf") {
        None => (Format::Text, args),
        Some(rest) => (Format::Protobuf, rest.strip_prefix(b"&").unwrap_or(rest)),
    }
}

/// Where the page begins that is asked for. `None`: nowhere.
fn start(args: &[u8]) -> Option<u64> {
    let Some(asked) = args.strip_prefix(b"from=") else { return number(args, 0) };
    match asked.iter().position(|byte| *byte == b'&') {
        Some(at) => number(&asked[at + 1..], 0),
        None => Cursor::of_histogram(asked).map(|Cursor(at)| at),
    }
}

/// Sends the page that begins at `from`.
pub fn send_page(
    r: Request,
    table: &Table,
    printer: &Printer,
    format: Format,
    from: u64,
) -> ngx_int_t {
    let mut text = Vec::with_capacity(PAGE + PAGE / 8);
    let next = printer.page(table, Cursor(from), PAGE, format, &mut text);
    let Some(body) = r.pool().copy(&text) else { return ERROR };
    let next = next.map(|Cursor(at)| at.to_string());
    let header = next.iter().map(|next| (b"X-Wick-Next".as_slice(), next.as_bytes()));
    if replace_head(r, 200, body.len(), header).is_err() {
        return ERROR;
    }
    send(r, body)
}

fn remove(r: Request, metrics: &Metrics) -> ngx_int_t {
    let args = r.args();
    let Some(slash) = args.iter().position(|byte| *byte == b'/') else {
        return NGX_HTTP_BAD_REQUEST as ngx_int_t;
    };
    metrics.remove(&args[..slash], &args[slash + 1..]);
    send_text(r, 200, b"removed")
}
