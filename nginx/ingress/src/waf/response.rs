//! The response: its head is inspected before it is sent, and its body where the rules ask for it. A body that rules may stop is held until they
//! have seen as much of it as they want to (`SecResponseBodyLimit`).

use ngx::ffi::{
    ngx_chain_t, ngx_http_clean_header, ngx_http_request_t, ngx_http_run_posted_requests, ngx_int_t,
};
use wick_metrics::Outcome;
use wick_native::bits;
use wick_native::chain::links;
use wick_native::code::{ERROR, OK};
use wick_native::filter::{BodyFilter, HeaderFilter};
use wick_native::guard::guard;
use wick_native::headers::{Side, content_type, each};
use wick_native::request::Request;
use wick_native::response::consume;
use wick_native::timer::Timer;
use wick_waf::{Intervention, Transaction};

use super::held::{Piece, pieces};
use super::inspection::{Inspection, Step};
use super::request::version;
use super::verdict::refuse;

static HEADER: HeaderFilter = HeaderFilter::new();
static BODY: BodyFilter = BodyFilter::new();

/// In front of all filters that were installed before: they change what the backend says.
pub fn install() {
    HEADER.install(header);
    BODY.install(body);
}

unsafe extern "C" fn header(r: *mut ngx_http_request_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if let Some(inspection) = Inspection::here(request)
        && matches!(inspection.step.get(), Step::Request | Step::Stopped { .. })
        && request.is_main()
        && let Some(answer) = inspect_head(request, inspection)
    {
        return answer;
    }
    // SAFETY: what nginx called this with.
    unsafe { HEADER.next(r) }
}

/// The answer for nginx; `None`: the head is sent.
#[inline(never)]
fn inspect_head(r: Request, inspection: &Inspection) -> Option<ngx_int_t> {
    guard(Some(ERROR), || go_on_with_head(r, inspection))
}

fn go_on_with_head(r: Request, inspection: &Inspection) -> Option<ngx_int_t> {
    if let Step::Stopped { .. } = inspection.step.replace(Step::Response) {
        // The answer that takes the place of what was stopped.
        inspection.step.set(Step::Over);
        return None;
    }
    let wants = inspection.with(r, |transaction| {
        show_head(r, transaction);
        let wants = &transaction.set().wants;
        let inspects = wants.inspects(content_type(r).unwrap_or_default());
        (inspects, wants.may_block(), transaction.intervention())
    });
    let (inspects, may_block, intervention) = wants?;
    if let Some(intervention) = intervention {
        return Some(stop(r, inspection, &intervention, Outcome::ResponseHeaders));
    }
    if !inspects || has_no_body(r) {
        inspection.step.set(Step::Over);
        return None;
    }
    if !may_block {
        return None;
    }
    inspection.step.set(Step::Holding);
    // Whoever sends files directly would leave us nothing to see.
    // SAFETY: a live request.
    unsafe { bits::request::FILTER_NEED_IN_MEMORY.set(r.as_ptr(), 1) };
    Some(OK)
}

fn show_head(r: Request, transaction: &mut Transaction) {
    each(r, Side::Response).for_each(|(name, value)| transaction.response_header(name, value));
    if let Some(value) = content_type(r) {
        transaction.response_header(b"Content-Type", value);
    }
    // SAFETY: a live request.
    let length = unsafe { (*r.as_ptr()).headers_out.content_length_n };
    if length >= 0 {
        transaction.response_header(b"Content-Length", length.to_string().as_bytes());
    }
    let protocol = match version(r).to_bytes() {
        b"1.0" => c"HTTP/1.0",
        b"2.0" => c"HTTP/2.0",
        b"3.0" => c"HTTP/3.0",
        _ => c"HTTP/1.1",
    };
    transaction.response_headers(r.status(), protocol);
}

fn has_no_body(r: Request) -> bool {
    // SAFETY: a live request.
    let is_head = unsafe { bits::request::HEADER_ONLY.is_set(r.as_ptr()) };
    is_head || r.method() == b"HEAD" || matches!(r.status(), 0..200 | 204 | 304)
}

unsafe extern "C" fn body(r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if let Some(inspection) = Inspection::here(request)
        && matches!(inspection.step.get(), Step::Response | Step::Holding | Step::Stopped { .. })
        && request.is_main()
        && !chain.is_null()
        // SAFETY: what nginx called this with.
        && let Some(answer) = unsafe { inspect_body(request, inspection, chain) }
    {
        return answer;
    }
    // SAFETY: what nginx called this with.
    unsafe { BODY.next(r, chain) }
}

/// The answer for nginx; `None`: it is sent.
///
/// # Safety
/// A live chain of live buffers.
#[inline(never)]
unsafe fn inspect_body(
    r: Request,
    inspection: &Inspection,
    chain: *mut ngx_chain_t,
) -> Option<ngx_int_t> {
    // SAFETY: the caller's promise.
    guard(Some(ERROR), || unsafe { go_on_with_body(r, inspection, chain) })
}

/// # Safety
/// A live chain of live buffers.
unsafe fn go_on_with_body(
    r: Request,
    inspection: &Inspection,
    chain: *mut ngx_chain_t,
) -> Option<ngx_int_t> {
    if let Step::Stopped { status } = inspection.step.get() {
        // SAFETY: the caller's promise.
        return Some(unsafe { throw_away(inspection, status, chain) });
    }
    // SAFETY: the caller's promise.
    let Some((pieces, is_last)) = (unsafe { pieces(chain) }) else { return Some(ERROR) };
    let mut takes_more = true;
    let shown = inspection.with(r, |transaction| {
        for piece in pieces.iter().filter(|piece| !piece.bytes().is_empty()) {
            takes_more = takes_more && transaction.append_response_body(piece.bytes());
        }
        let is_over = is_last || !takes_more;
        if is_over {
            transaction.response_body();
        }
        (is_over, transaction.intervention())
    });
    let (is_over, intervention) = shown?;
    let is_held = inspection.step.get() == Step::Holding;
    if let Some(intervention) = intervention {
        // SAFETY: the caller's promise.
        unsafe { consume(chain) };
        if is_held {
            return Some(stop_body(r, inspection, &intervention, is_last));
        }
        refuse(r, inspection, &intervention, Outcome::ResponseBody);
        return Some(ERROR);
    }
    if !is_held {
        if is_over {
            inspection.step.set(Step::Over);
        }
        return None;
    }
    hold(inspection, &pieces);
    // SAFETY: the caller's promise; what it has was copied.
    unsafe { consume(chain) };
    Some(if is_over { release(r, inspection, is_last) } else { OK })
}

fn hold(inspection: &Inspection, pieces: &[Piece<'_>]) {
    let mut held = inspection.held.borrow_mut();
    pieces.iter().filter(|piece| !piece.bytes().is_empty()).for_each(|piece| held.push(piece));
}

/// The rules have seen what they wanted to: the head is sent, and what there is of the body.
fn release(r: Request, inspection: &Inspection, is_last: bool) -> ngx_int_t {
    inspection.step.set(Step::Over);
    // SAFETY: a live request.
    let answer = unsafe { HEADER.next(r.as_ptr()) };
    // SAFETY: as above.
    if answer == ERROR || answer > OK || unsafe { bits::request::HEADER_ONLY.is_set(r.as_ptr()) } {
        return answer;
    }
    let chain = inspection.held.borrow_mut().take(r, is_last);
    // SAFETY: a chain in the request's memory.
    chain.map_or(ERROR, |chain| unsafe { BODY.next(r.as_ptr(), chain.as_ptr()) })
}

/// Throws away a response of which nothing was sent. Another one takes its place, with error pages, once whoever makes this one is done with it: not
/// in here, where a page that comes from a backend would begin a second upstream within the first one.
///
/// # Returns
/// What the filter returns and the request is then finalized with.
#[cold]
fn stop(
    r: Request,
    inspection: &Inspection,
    intervention: &Intervention,
    outcome: Outcome,
) -> ngx_int_t {
    inspection.held.take();
    // SAFETY: a live request, whose header was not sent.
    unsafe { ngx_http_clean_header(r.as_ptr()) };
    let status = refuse(r, inspection, intervention, outcome);
    inspection.step.set(Step::Stopped { status });
    status
}

/// The handler that makes a response looks at what the filter returns for its end, an upstream in the midst of it does not.
#[cold]
fn stop_body(
    r: Request,
    inspection: &Inspection,
    intervention: &Intervention,
    is_last: bool,
) -> ngx_int_t {
    let status = stop(r, inspection, intervention, Outcome::ResponseBody);
    if is_last {
        inspection.step.set(Step::Over);
    } else {
        inspection.end.get_or_init(Timer::new).as_ref().set(0, end_upstream, r.as_ptr());
    }
    status
}

/// Called from the event loop, unless the response has ended before.
fn end_upstream(r: *mut ngx_http_request_t) {
    // SAFETY: the timer goes with the request; its connection outlives the call.
    unsafe {
        let request = Request::from_raw(r);
        let Some(Step::Stopped { status }) = Inspection::here(request).map(|it| it.step.get())
        else {
            return;
        };
        let connection = (*r).connection;
        request.abandon_upstream();
        request.finalize(status);
        ngx_http_run_posted_requests(connection);
    }
}

/// What is left of a response that was stopped.
///
/// # Safety
/// A live chain of live buffers.
#[cold]
unsafe fn throw_away(
    inspection: &Inspection,
    status: ngx_int_t,
    chain: *mut ngx_chain_t,
) -> ngx_int_t {
    // SAFETY: the caller's promise.
    let is_last = unsafe { links(chain).any(|link| bits::buf::LAST_BUF.is_set(link.as_ref().buf)) };
    // SAFETY: as above.
    unsafe { consume(chain) };
    if is_last {
        inspection.step.set(Step::Over);
    }
    status
}
