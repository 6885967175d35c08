//! Places in nginx's chains of response filters.

use std::cell::Cell;

use ngx::ffi::{
    ngx_chain_t, ngx_http_output_body_filter_pt, ngx_http_output_header_filter_pt,
    ngx_http_request_t, ngx_http_top_body_filter, ngx_http_top_header_filter, ngx_int_t,
};

use crate::code::ERROR;

/// What nginx calls with the head of a response.
pub type HeaderHandler = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// What nginx calls with a part of its body, null or live.
pub type BodyHandler = unsafe extern "C" fn(*mut ngx_http_request_t, *mut ngx_chain_t) -> ngx_int_t;

/// A filter of heads, for a static of its module: it knows the filter that follows.
pub struct HeaderFilter(Cell<ngx_http_output_header_filter_pt>);

/// The same for bodies.
pub struct BodyFilter(Cell<ngx_http_output_body_filter_pt>);

// SAFETY: nginx's processes run modules in one thread.
unsafe impl Sync for HeaderFilter {}

// SAFETY: as above.
unsafe impl Sync for BodyFilter {}

impl HeaderFilter {
    #[allow(clippy::new_without_default)] // for statics
    pub const fn new() -> HeaderFilter {
        HeaderFilter(Cell::new(None))
    }

    /// Puts the filter in front of the chain; from a postconfiguration hook, once per configuration.
    pub fn install(&self, handler: HeaderHandler) {
        // SAFETY: the chain's head is a plain function pointer, changed only while configurations are read.
        unsafe {
            self.0.set(ngx_http_top_header_filter);
            ngx_http_top_header_filter = Some(handler);
        }
    }

    /// # Safety
    /// `r` is what nginx called the filter with.
    #[inline]
    pub unsafe fn next(&self, r: *mut ngx_http_request_t) -> ngx_int_t {
        // SAFETY: the filter that `install` found there; the caller's promise.
        self.0.get().map_or(ERROR, |next| unsafe { next(r) })
    }
}

impl BodyFilter {
    #[allow(clippy::new_without_default)] // for statics
    pub const fn new() -> BodyFilter {
        BodyFilter(Cell::new(None))
    }

    /// As for [`HeaderFilter::install`].
    pub fn install(&self, handler: BodyHandler) {
        // SAFETY: as for `HeaderFilter::install`.
        unsafe {
            self.0.set(ngx_http_top_body_filter);
            ngx_http_top_body_filter = Some(handler);
        }
    }

    /// # Safety
    /// `r` is what nginx called the filter with; `chain` is null or live.
    #[inline]
    pub unsafe fn next(&self, r: *mut ngx_http_request_t, chain: *mut ngx_chain_t) -> ngx_int_t {
        // SAFETY: the filter that `install` found there; the caller's promise.
        self.0.get().map_or(ERROR, |next| unsafe { next(r, chain) })
    }
}
