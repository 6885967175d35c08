//! A request that waits goes on from the event loop.

use std::pin::Pin;
use std::rc::Rc;

use ngx::ffi::{ngx_http_request_t, ngx_http_run_posted_requests};

use crate::request::Request;
use crate::timer::Timer;

/// Wakes one request, whose handler said `NGX_AGAIN`. What it waits for has a `Weak` of it; the request, the only `Rc`.
pub struct Wake {
    timer: Pin<Box<Timer<*mut ngx_http_request_t>>>,
    request: *mut ngx_http_request_t,
}

impl Wake {
    /// # Safety
    /// It is dropped no later than the request is destroyed, so it lies in what [`crate::pool::Pool::keep`] keeps for it.
    pub unsafe fn of(r: Request) -> Rc<Wake> {
        Rc::new(Wake { timer: Timer::new(), request: r.as_ptr() })
    }

    /// Right after the event at hand, so whatever that is busy with may use the request and others meanwhile. Several calls
    /// before that count once.
    pub fn soon(&self) {
        self.timer.as_ref().set(0, go_on, self.request);
    }
}

/// As nginx does when a thread has finished: what the request does next is in its own handler, which knows if it has ended.
fn go_on(r: *mut ngx_http_request_t) {
    // SAFETY: the request lives, see `of`; its connection outlives the call.
    unsafe {
        let connection = (*r).connection;
        if let Some(handler) = (*r).write_event_handler {
            handler(r);
        }
        ngx_http_run_posted_requests(connection);
    }
}
