//! A session of the stream module as a `Copy` handle, as `request` is one of HTTP's.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ngx::ffi::{
    ngx_cached_time, ngx_log_t, ngx_stream_session_t, ngx_stream_upstream_state_t,
    ngx_stream_upstream_t,
};

use crate::bits;
use crate::connection::Connection;
use crate::pool::Pool;

/// What comes from the handle and what lies in its pool is good for `'s`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Session<'s>(NonNull<ngx_stream_session_t>, PhantomData<&'s ngx_stream_session_t>);

impl<'s> Session<'s> {
    /// # Safety
    /// `s` is a live session, and is not freed before `'s` ends.
    #[inline]
    pub unsafe fn from_raw(s: *mut ngx_stream_session_t) -> Session<'s> {
        // SAFETY: the caller's promise.
        Session(unsafe { NonNull::new_unchecked(s) }, PhantomData)
    }

    #[inline]
    pub fn as_ptr(self) -> *mut ngx_stream_session_t {
        self.0.as_ptr()
    }

    /// That of the client.
    pub fn connection(self) -> Connection<'s> {
        // SAFETY: a live session has one, which is open as long.
        unsafe { Connection::from_raw((*self.as_ptr()).connection) }
    }

    pub fn pool(self) -> Pool<'s> {
        self.connection().pool()
    }

    pub fn log(self) -> *mut ngx_log_t {
        self.connection().log()
    }

    /// Set while the session is handed on.
    pub fn upstream(self) -> Option<NonNull<ngx_stream_upstream_t>> {
        // SAFETY: a live session.
        NonNull::new(unsafe { (*self.as_ptr()).upstream })
    }

    /// What nginx has noted of each attempt to reach an endpoint, in their order.
    pub fn attempts(self) -> &'s [ngx_stream_upstream_state_t] {
        // SAFETY: a live session; null before the first attempt, else an array of these.
        unsafe {
            let states = (*self.as_ptr()).upstream_states;
            states.as_ref().map_or(&[], |states| states.as_slice())
        }
    }

    /// The status in its log line.
    pub fn status(self) -> usize {
        // SAFETY: a live session.
        unsafe { (*self.as_ptr()).status }
    }

    /// What the module with this `ctx_index` has set; null: nothing.
    #[inline]
    pub fn ctx<T>(self, ctx_index: usize) -> *const T {
        // SAFETY: a live session has a slot for each module of `stream`.
        unsafe { (*(*self.as_ptr()).ctx.add(ctx_index)).cast() }
    }

    /// # Safety
    /// `ctx_index` is that of a module of ours, and `value` lives as long as the session.
    pub unsafe fn set_ctx<T>(self, ctx_index: usize, value: NonNull<T>) {
        // SAFETY: as above; the caller's promise.
        unsafe { *(*self.as_ptr()).ctx.add(ctx_index) = value.as_ptr().cast() };
    }

    /// The configurations of its server: an array with one slot per module of `stream`.
    pub fn srv_confs(self) -> NonNull<*mut c_void> {
        // SAFETY: a live session has them.
        unsafe { NonNull::new_unchecked((*self.as_ptr()).srv_conf) }
    }

    /// # Safety
    /// Such an array, which lives as long as the session.
    pub unsafe fn set_srv_confs(self, confs: NonNull<*mut c_void>) {
        // SAFETY: a live session; the caller's promise.
        unsafe { (*self.as_ptr()).srv_conf = confs.as_ptr() };
    }

    /// Has nginx make a handshake with the client when the phases come to it, with what its server's configurations have for that.
    pub fn expect_tls(self) {
        // SAFETY: a live session, to which there is no reference.
        unsafe { bits::session::SSL.set(self.as_ptr(), 1) };
    }

    /// Whether a handshake with the client was made to its end.
    pub fn has_tls(self) -> bool {
        // SAFETY: a live session's connection.
        unsafe {
            let tls = (*self.connection().as_ptr()).ssl;
            !tls.is_null() && bits::tls::HANDSHAKED.is_set(tls)
        }
    }

    /// The phases begin anew with the next one that is run.
    pub fn begin_again(self) {
        // SAFETY: a live session.
        unsafe { (*self.as_ptr()).phase_handler = 0 };
    }

    /// Bytes from the client.
    pub fn received_bytes(self) -> u64 {
        // SAFETY: a live session.
        u64::try_from(unsafe { (*self.as_ptr()).received }).unwrap_or(0)
    }

    /// How long it has been there.
    pub fn age_ms(self) -> u64 {
        // SAFETY: a live session; the time that nginx keeps, which is never null.
        let ms = unsafe {
            let (session, now) = (&*self.as_ptr(), &*ngx_cached_time);
            let seconds = now.sec - session.start_sec;
            seconds.saturating_mul(1000) + now.msec as i64 - session.start_msec as i64
        };
        u64::try_from(ms).unwrap_or(0)
    }

    /// A module's main configuration.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` creates for `stream`.
    pub unsafe fn main_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.as_ptr()).main_conf.add(ctx_index)).cast() }
    }

    /// A module's configuration of the server that the session is with.
    ///
    /// # Safety
    /// `T` is what the module with this `ctx_index` creates for a server.
    pub unsafe fn srv_conf<T>(self, ctx_index: usize) -> *mut T {
        // SAFETY: the caller's promise.
        unsafe { (*(*self.as_ptr()).srv_conf.add(ctx_index)).cast() }
    }
}
