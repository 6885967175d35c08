//! How long a client may pause in a request's body while its response is on the way: what the backend sends counts as well.
//!
//! nginx gives up a client that sends nothing for `client_body_timeout`. In a stream whose both ends are open that is no sign
//! that anything is wrong: a client that watches says a word now and then.
//!
//! No module of nginx's: [`crate::forwarded`] installs its filter.

use ngx::ffi::{ngx_chain_t, ngx_http_request_t, ngx_int_t};
use wick_native::bits;
use wick_native::event::set_timer;
use wick_native::filter::BodyFilter;
use wick_native::request::Request;

static FILTER: BodyFilter = BodyFilter::new();

pub fn install() {
    FILTER.install(body);
}

unsafe extern "C" fn body(r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
    // SAFETY: filters get live requests.
    let request = unsafe { Request::from_raw(r) };
    if !chain.is_null() && request.is_main() {
        begin_anew(request);
    }
    // SAFETY: what nginx called this with.
    unsafe { FILTER.next(r, chain) }
}

/// A timer of the client's reads runs only while nginx waits for more of the body.
#[inline]
fn begin_anew(r: Request) {
    // SAFETY: a live request has a connection with its events, and a location.
    unsafe {
        let read = (*(*r.as_ptr()).connection).read;
        if bits::event::TIMER_SET.is_set(read) && !(*r.as_ptr()).request_body.is_null() {
            set_timer(read, r.core_loc().as_ref().client_body_timeout);
        }
    }
}
