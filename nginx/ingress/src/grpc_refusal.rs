//! Refusals to gRPC clients: what nginx or a check answers in the place of a backend becomes a gRPC status without a body. In
//! another answer gRPC's clients find no status of theirs, and take a limit for an outage.
//!
//! No module of nginx's: [`crate::forwarded`] installs its filter. Logs and metrics go on having the HTTP status.

use ngx::ffi::{NGX_HTTP_VERSION_20, ngx_http_request_t, ngx_int_t};
use wick_native::bits;
use wick_native::code::ERROR;
use wick_native::filter::HeaderFilter;
use wick_native::guard::guard;
use wick_native::headers::{Side, content_type, replace, request_header};
use wick_native::request::Request;
use wick_native::response::drop_body;

static FILTER: HeaderFilter = HeaderFilter::new();

const FIRST_ERROR: u16 = 400;

/// In front of all filters that were installed before: they see the answer as the client will.
pub fn install() {
    FILTER.install(header);
}

unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if request.status() >= FIRST_ERROR
        && request.http_version() == NGX_HTTP_VERSION_20 as usize
        && request.is_main()
        && !guard(false, || !is_refusal(request) || translate(request).is_some())
    {
        return ERROR;
    }
    // SAFETY: what nginx called this with.
    unsafe { FILTER.next(r) }
}

/// Whether the client waits for a gRPC status and would get something else, that is not its backend's word.
#[cold]
fn is_refusal(r: Request) -> bool {
    let asks = request_header(r, b"content-type").is_some_and(is_grpc);
    asks && !content_type(r).is_some_and(is_grpc) && is_ours(r)
}

/// `application/grpc`, with or without the name of an encoding; not gRPC-Web, whose statuses stand in bodies.
fn is_grpc(content_type: &[u8]) -> bool {
    const NAME: &[u8] = b"application/grpc";
    let Some((name, rest)) = content_type.split_at_checked(NAME.len()) else { return false };
    name.eq_ignore_ascii_case(NAME) && matches!(rest.first(), None | Some(b'+' | b';' | b' '))
}

/// Whether nginx has made it, or an error has led the request to who makes pages for errors.
fn is_ours(r: Request) -> bool {
    // SAFETY: a live request.
    unsafe {
        (*r.as_ptr()).err_status != 0
            || bits::request::ERROR_PAGE.is_set(r.as_ptr())
            || r.upstream().is_none()
    }
}

/// A head alone, which ends the call ("Trailers-Only"). `None`: out of memory.
#[cold]
fn translate(r: Request) -> Option<()> {
    let status = r.status();
    let message = format!("refused with HTTP status {status}");
    drop_body(r);
    r.keep_logged_status();
    r.set_status(200);
    replace(r, Side::Response, b"Content-Type", b"application/grpc").ok()?;
    replace(r, Side::Response, b"grpc-status", code_of(status)).ok()?;
    replace(r, Side::Response, b"grpc-message", message.as_bytes()).ok()
}

/// As gRPC's own table has it (doc/http-grpc-status-mapping.md), but for statuses that mean one thing only when a proxy sends them.
fn code_of(status: u16) -> &'static [u8] {
    match status {
        400 | 500 => b"13",      // INTERNAL
        401 => b"16",            // UNAUTHENTICATED
        403 => b"7",             // PERMISSION_DENIED
        404 | 405 => b"12",      // UNIMPLEMENTED
        408 | 504 => b"4",       // DEADLINE_EXCEEDED
        413 | 429 | 431 => b"8", // RESOURCE_EXHAUSTED
        502 | 503 => b"14",      // UNAVAILABLE
        _ => b"2",               // UNKNOWN
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_grpc_itself_waits_for_a_status_in_headers() {
        for text in ["application/grpc", "Application/gRPC+proto", "application/grpc; charset=x"] {
            assert!(is_grpc(text.as_bytes()), "{text}");
        }
        for text in ["", "application/grp", "application/grpc-web", "application/grpc-web+proto"] {
            assert!(!is_grpc(text.as_bytes()), "{text}");
        }
    }
}
