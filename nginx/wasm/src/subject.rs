//! What a filter is called for: a request of HTTP, or a session of `stream`.

use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ngx::ffi::{ngx_http_request_t, ngx_log_t, ngx_stream_session_t};
use wick_native::pool::Pool;
use wick_native::request::Request;
use wick_native::stream::session::Session;
use wick_native::{stream, variable};

/// One word, as a request's handle is: each call of a filter brings it along. The lowest bit is set for a session.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Subject<'s>(NonNull<c_void>, PhantomData<&'s c_void>);

pub enum Kind<'s> {
    Request(Request<'s>),
    Session(Session<'s>),
}

const SESSION: usize = 1;
const _: () =
    assert!(align_of::<ngx_http_request_t>() > 1 && align_of::<ngx_stream_session_t>() > 1);

impl<'s> From<Request<'s>> for Subject<'s> {
    #[inline]
    fn from(r: Request<'s>) -> Subject<'s> {
        // SAFETY: a handle's pointer is never null.
        Subject(unsafe { NonNull::new_unchecked(r.as_ptr().cast()) }, PhantomData)
    }
}

impl<'s> From<Session<'s>> for Subject<'s> {
    fn from(s: Session<'s>) -> Subject<'s> {
        // SAFETY: as above.
        let pointer = unsafe { NonNull::new_unchecked(s.as_ptr().cast::<c_void>()) };
        Subject(pointer.map_addr(|addr| addr | SESSION), PhantomData)
    }
}

impl<'s> Subject<'s> {
    #[inline]
    pub fn kind(self) -> Kind<'s> {
        let pointer = self.0.as_ptr();
        // SAFETY: it came from such a handle, with this lifetime or what `with_lifetime` was promised.
        unsafe {
            match pointer.addr() & SESSION {
                0 => Kind::Request(Request::from_raw(pointer.cast())),
                _ => Kind::Session(Session::from_raw(
                    pointer.map_addr(|addr| addr & !SESSION).cast(),
                )),
            }
        }
    }

    /// `None` for a session.
    #[inline]
    pub fn request(self) -> Option<Request<'s>> {
        match self.kind() {
            Kind::Request(r) => Some(r),
            Kind::Session(_) => None,
        }
    }

    /// `None` for a request.
    pub fn session(self) -> Option<Session<'s>> {
        match self.kind() {
            Kind::Request(_) => None,
            Kind::Session(s) => Some(s),
        }
    }

    #[inline]
    pub fn pool(self) -> Pool<'s> {
        match self.kind() {
            Kind::Request(r) => r.pool(),
            Kind::Session(s) => s.pool(),
        }
    }

    pub fn log(self) -> *mut ngx_log_t {
        match self.kind() {
            Kind::Request(r) => r.log(),
            Kind::Session(s) => s.log(),
        }
    }

    /// The value of nginx's variable at an index of the configuration; `None`: there is none.
    #[inline]
    pub fn variable(self, index: usize) -> Option<&'s [u8]> {
        match self.kind() {
            Kind::Request(r) => variable::at(r, index),
            Kind::Session(s) => stream::variable::at(s, index),
        }
    }

    /// # Safety
    /// What it stands for is not freed before `'l` ends, or nobody uses what is returned after that.
    #[inline]
    pub unsafe fn with_lifetime<'l>(self) -> Subject<'l> {
        Subject(self.0, PhantomData)
    }
}
