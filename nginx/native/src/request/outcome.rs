//! What becomes of a request: its attempts at upstreams, its response, how long it takes, and its end.

use ngx::ffi::{
    NGX_HTTP_VERSION_9, ngx_cached_time, ngx_http_finalize_request, ngx_http_upstream_state_t,
    ngx_int_t,
};

use super::Request;
use crate::bits;

impl<'r> Request<'r> {
    /// The response's status so far; 0 before there is one.
    pub fn status(self) -> u16 {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).headers_out.status as u16 }
    }

    /// As `$status` has it: that of an error page is the error's, and HTTP/0.9 has none.
    #[inline]
    pub fn logged_status(self) -> u64 {
        // SAFETY: a live request.
        let (error, status, version) = unsafe {
            let r = &*self.as_ptr();
            (r.err_status, r.headers_out.status, r.http_version)
        };
        match (error, status) {
            (0, 0) if version == NGX_HTTP_VERSION_9 as usize => 9,
            (0, status) => status as u64,
            (error, _) => error as u64,
        }
    }

    /// Changes the status of a response that was not sent yet.
    pub fn set_status(self, status: u16) {
        // SAFETY: a live request; an empty line makes nginx print its own text for the status.
        unsafe {
            (*self.as_ptr()).headers_out.status = usize::from(status);
            (*self.as_ptr()).headers_out.status_line.len = 0;
        }
    }

    /// Whatever the status is changed to, logs have the present one.
    pub fn keep_logged_status(self) {
        let status = self.logged_status() as usize;
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).err_status = status };
    }

    /// Bytes of the response that were sent to the client, its head included.
    #[inline]
    pub fn bytes_sent(self) -> u64 {
        // SAFETY: a live request has a connection.
        u64::try_from(unsafe { (*(*self.as_ptr()).connection).sent }).unwrap_or(0)
    }

    /// Bytes of the response that were sent to the client, without its head.
    pub fn body_bytes_sent(self) -> u64 {
        // SAFETY: a live request has a connection.
        let sent =
            unsafe { (*(*self.as_ptr()).connection).sent - (*self.as_ptr()).header_size as i64 };
        u64::try_from(sent).unwrap_or(0)
    }

    /// To pass it on, in order.
    #[inline]
    pub fn attempts(self) -> &'r [ngx_http_upstream_state_t] {
        // SAFETY: null, or an array of the request's; a handle is not used while nginx changes it.
        unsafe { (*self.as_ptr()).upstream_states.as_ref().map_or(&[], |states| states.as_slice()) }
    }

    /// When its first byte was read: milliseconds since 1970.
    pub fn started_ms(self) -> u64 {
        // SAFETY: a live request.
        let ms = unsafe { (*self.as_ptr()).start_sec * 1000 + (*self.as_ptr()).start_msec as i64 };
        u64::try_from(ms).unwrap_or(0)
    }

    /// Milliseconds since its first byte was read.
    #[inline]
    pub fn age_ms(self) -> u64 {
        // SAFETY: a live request; nginx points to another time in this very thread.
        let ms = unsafe {
            let (r, now) = (&*self.as_ptr(), &*ngx_cached_time);
            (now.sec - r.start_sec) * 1000 + (now.msec as i64 - r.start_msec as i64)
        };
        u64::try_from(ms).unwrap_or(0)
    }

    /// Ends what its upstream is doing, as nginx does before another one begins. The request stays, and is to be finalized.
    ///
    /// # Safety
    /// Called from the event loop, not from within what the upstream is doing.
    pub unsafe fn abandon_upstream(self) {
        // SAFETY: a live request; where the upstream is busy, `cleanup` is the place of the function that ends it, which gives one reference back.
        unsafe {
            let cleanup =
                self.upstream().and_then(|upstream| (*upstream.as_ptr()).cleanup.as_ref());
            let Some(Some(end)) = cleanup else { return };
            let main = (*self.as_ptr()).main;
            bits::request::COUNT.set(main, bits::request::COUNT.get(main) + 1);
            end(self.as_ptr().cast());
        }
    }

    /// Ends the request (or one reference to it) with `rc`.
    ///
    /// # Safety
    /// A handler that called this returns `DONE` and does not use the request again.
    pub unsafe fn finalize(self, rc: ngx_int_t) {
        // SAFETY: the caller's promise.
        unsafe { ngx_http_finalize_request(self.as_ptr(), rc) }
    }
}
