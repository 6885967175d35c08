//! A request as a `Copy` handle. Never a `&mut`: C code re-enters and changes it behind our back.

pub mod client;
mod outcome;
mod target;

use std::marker::PhantomData;
use std::ptr::NonNull;

use ngx::ffi::{
    NGX_LOG_DEBUG, ngx_http_core_loc_conf_t, ngx_http_core_main_conf_t, ngx_http_core_module,
    ngx_http_request_t, ngx_http_upstream_t, ngx_log_t, ngx_str_t,
};

use crate::log;
use crate::pool::Pool;
use crate::text::bytes;

/// What comes from the handle, its strings and what lies in its pool, is good for `'r`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Request<'r>(NonNull<ngx_http_request_t>, PhantomData<&'r ngx_http_request_t>);

impl<'r> Request<'r> {
    /// # Safety
    /// `r` is a live request, and is not freed before `'r` ends.
    #[inline]
    pub unsafe fn from_raw(r: *mut ngx_http_request_t) -> Request<'r> {
        // SAFETY: the caller's promise.
        Request(unsafe { NonNull::new_unchecked(r) }, PhantomData)
    }

    #[inline]
    pub fn as_ptr(self) -> *mut ngx_http_request_t {
        self.0.as_ptr()
    }

    /// Not a subrequest.
    #[inline]
    pub fn is_main(self) -> bool {
        // SAFETY: a live request.
        unsafe { (*self.as_ptr()).main == self.as_ptr() }
    }

    /// The request that a subrequest belongs to; of a request itself, that one.
    #[inline]
    pub fn main(self) -> Request<'r> {
        // SAFETY: a live request, whose main one lives as long at least.
        unsafe { Request::from_raw((*self.as_ptr()).main) }
    }

    #[inline]
    pub fn pool(self) -> Pool<'r> {
        // SAFETY: a live request has a pool.
        unsafe { Pool::from_raw((*self.as_ptr()).pool) }
    }

    #[inline]
    pub fn log(self) -> *mut ngx_log_t {
        // SAFETY: a live request has a connection with a log.
        unsafe { (*(*self.as_ptr()).connection).log }
    }

    /// A line at debug level, when the request's log shows those.
    pub fn debug(self, message: std::fmt::Arguments<'_>) {
        log::write(self.log(), NGX_LOG_DEBUG as usize, message);
    }

    /// A module's configuration of the location that the request is in now.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` created as location configuration.
    #[inline]
    pub unsafe fn loc_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: loc_conf has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).loc_conf.add(ctx_index)).cast() }
    }

    /// A module's main configuration.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` created as main configuration.
    #[inline]
    pub unsafe fn main_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: main_conf has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).main_conf.add(ctx_index)).cast() }
    }

    /// The core module's location configuration: body limits, error pages, timeouts.
    pub fn core_loc(self) -> NonNull<ngx_http_core_loc_conf_t> {
        // SAFETY: the core module always has one.
        unsafe { NonNull::new_unchecked(self.loc_conf(ngx_http_core_module.ctx_index)) }
    }

    /// The core module's main configuration: variables, known headers, phases.
    pub fn core_main(self) -> NonNull<ngx_http_core_main_conf_t> {
        // SAFETY: as above.
        unsafe { NonNull::new_unchecked(self.main_conf(ngx_http_core_module.ctx_index)) }
    }

    /// What a module keeps with this request; null at first and after an internal redirect.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` stored with [`Request::set_ctx`].
    #[inline]
    pub unsafe fn ctx<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: ctx has one slot per HTTP module.
        unsafe { (*(*self.as_ptr()).ctx.add(ctx_index)).cast() }
    }

    /// Keeps `ctx` with this request.
    ///
    /// # Safety
    /// `ctx_index` is that of an HTTP module.
    #[inline]
    pub unsafe fn set_ctx<T>(self, ctx_index: usize, ctx: *mut T) {
        // SAFETY: ctx has one slot per HTTP module.
        unsafe { *(*self.as_ptr()).ctx.add(ctx_index) = ctx.cast() };
    }

    #[inline]
    pub fn upstream(self) -> Option<NonNull<ngx_http_upstream_t>> {
        // SAFETY: a live request.
        NonNull::new(unsafe { (*self.as_ptr()).upstream })
    }

    // The bytes live in the request's pool or buffers.
    fn str(self, s: ngx_str_t) -> &'r [u8] {
        // SAFETY: see above.
        unsafe { bytes(s) }
    }
}
