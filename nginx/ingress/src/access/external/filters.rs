//! Where answers of services end, and where their cookies join the answer to the client.

use ngx::ffi::{ngx_chain_t, ngx_http_request_t, ngx_int_t};
use wick_native::bits;
use wick_native::chain::links;
use wick_native::code::{ERROR, OK};
use wick_native::filter::{BodyFilter, HeaderFilter};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::response::consume;

use super::super::index::MODULE;
use super::cookies;
use super::question::Question;

static HEADER: HeaderFilter = HeaderFilter::new();
static BODY: BodyFilter = BodyFilter::new();

/// Bodies up to this are read, so that the connection can be used again; others end with it.
const READ_BYTES: i64 = 64 << 10;

/// Puts our filters in front of the chains; from a postconfiguration hook.
pub fn install() {
    HEADER.install(header);
    BODY.install(body);
}

unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if !request.is_main()
        && let Some(question) = Question::of(request)
    {
        return guard(ERROR, || answered(request, question));
    }
    if may_have_cookies(request) && guard(None, || cookies::put(request)).is_none() {
        return ERROR;
    }
    // SAFETY: what nginx called the filter with.
    unsafe { HEADER.next(r) }
}

unsafe extern "C" fn body(r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: as above.
    let request = unsafe { Request::from_raw(r) };
    if !request.is_main()
        && let Some(question) = Question::of(request)
    {
        return guard(ERROR, || swallow(question, chain));
    }
    // SAFETY: as above; `chain` is null or live.
    unsafe { BODY.next(r, chain) }
}

/// Of a client's request: it has checks, or had some before an error led it elsewhere.
#[inline]
fn may_have_cookies(r: Request) -> bool {
    // SAFETY: a live request; whatever is there is only looked for.
    cookies::are_any()
        && r.is_main()
        && unsafe {
            !r.ctx::<u8>(MODULE.get()).is_null() || bits::request::ERROR_PAGE.is_set(r.as_ptr())
        }
}

/// The head of the service's answer is there. It goes no further.
fn answered(r: Request, question: &Question) -> ngx_int_t {
    let Some(upstream) = r.upstream().filter(|_| question.is_in_place()) else { return ERROR };
    // SAFETY: a live request and its upstream.
    unsafe {
        bits::request::HEADER_SENT.set(r.as_ptr(), 1);
        let head = &upstream.as_ref().headers_in;
        question.note_head(head.status_n as u16);
        let has_body = !matches!(head.status_n, 204 | 304) && r.method() != b"HEAD";
        if has_body && !(0..=READ_BYTES).contains(&head.content_length_n) {
            bits::request::HEADER_ONLY.set(r.as_ptr(), 1);
            question.note_end();
        }
    }
    OK
}

fn swallow(question: &Question, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: what nginx passes on: null or a live chain.
    unsafe {
        if links(chain).any(|link| bits::buf::LAST_IN_CHAIN.is_set(link.as_ref().buf)) {
            question.note_end();
        }
        consume(chain);
    }
    OK
}
