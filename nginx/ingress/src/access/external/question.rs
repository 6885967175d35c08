//! The request to a service.

use std::cell::Cell;
use std::ffi::c_void;
use std::ptr::NonNull;

use ngx::ffi::{
    NGX_HTTP_CLIENT_CLOSED_REQUEST, NGX_HTTP_REQUEST_TIME_OUT, ngx_http_request_t, ngx_int_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::subrequest;
use wick_native::variable::Variable;

use super::super::index::MODULE;
use super::headers::{send, send_allowed};
use super::service::Service;

/// What is known of a question; in the memory of the client's request.
pub struct Question {
    /// nginx's request to the service.
    request: Cell<*mut ngx_http_request_t>,
    /// Of the answer's head; 0 before there is one.
    status: Cell<u16>,
    /// The answer is there to its end.
    is_whole: Cell<bool>,
    outcome: Cell<Outcome>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    Waiting,
    /// With this status, by the service.
    Answered(u16),
    /// Not by the service, or not to the end.
    Failed,
}

impl Question {
    pub fn outcome(&self) -> Outcome {
        self.outcome.get()
    }

    /// Whose upstream's answer is the service's. It lives as long as the client's.
    pub fn request<'r>(&self) -> Request<'r> {
        // SAFETY: `begin` set it; nginx's subrequests live in their parents' memory.
        unsafe { Request::from_raw(self.request.get()) }
    }

    pub fn note_head(&self, status: u16) {
        self.status.set(status);
    }

    pub fn note_end(&self) {
        self.is_whole.set(true);
    }

    fn end(&self, rc: ngx_int_t) {
        if self.outcome.get() != Outcome::Waiting {
            return;
        }
        let status = self.status.get();
        let is_answered = rc == OK && status != 0 && self.is_whole.get();
        self.outcome.set(if is_answered { Outcome::Answered(status) } else { Outcome::Failed });
    }

    /// That of a request to a service, wherever nginx has led it; `None` for any other request.
    #[inline]
    pub fn of<'r>(subrequest: Request<'r>) -> Option<&'r Question> {
        // SAFETY: what `begin` has `done` called with lives as long as the request.
        unsafe { subrequest::data_for(subrequest, done)?.cast::<Question>().as_ref() }
    }

    /// Whether it is where it was sent: who answers elsewhere is not the service.
    pub fn is_in_place(&self) -> bool {
        // SAFETY: nginx clears what modules keep with a request that it redirects; of this one only `begin` has set it.
        unsafe { !self.request().ctx::<Question>(MODULE.get()).is_null() }
    }
}

/// Begins to ask. `None`: it cannot be asked.
pub fn begin(service: &Service, r: Request) -> Option<NonNull<Question>> {
    let confs = service.confs.get()?;
    let (asked, texts) = (&*service.asked, &service.texts);
    let target = texts.target.fill_target(&asked.target, r)?;
    let method =
        if asked.is_filter { r.method() } else { asked.method.as_deref().unwrap_or(b"GET") };
    let method = r.pool().copy(method)?;
    let question = r.pool().put(Question {
        request: Cell::new(std::ptr::null_mut()),
        status: Cell::new(0),
        is_whole: Cell::new(false),
        outcome: Cell::new(Outcome::Waiting),
    })?;
    // SAFETY: in the access phase of `r`, in whose memory everything lies.
    let to = unsafe { subrequest::begin(r, method, target, done, question.as_ptr().cast()) }?;
    // SAFETY: just made.
    unsafe { question.as_ref().request.set(to.as_ptr()) };
    // What cannot be sent in full is not sent: nginx's request then ends in no location.
    if asked.is_filter { send_allowed(service, r, to) } else { send(service, r, to) }?;
    let backend = r.pool().copy(&asked.backend)?;
    for (name, value) in
        [(&b"proxy_upstream_name"[..], &*backend), (b"proxy_alternative_upstream_name", b"")]
    {
        Variable::resolve(r, name).set(to, value).ok()?;
    }
    // SAFETY: a registered HTTP module; a location of the request's configuration.
    unsafe {
        to.set_ctx(MODULE.get(), question.as_ptr());
        subrequest::enter(to, service.location, confs);
    }
    Some(question)
}

/// The end of a question. Whatever it is, nginx makes no answer of it, and takes no error page; but it ends both requests when the
/// client has gone away.
unsafe extern "C" fn done(
    _: *mut ngx_http_request_t,
    question: *mut c_void,
    rc: ngx_int_t,
) -> ngx_int_t {
    const TIME_OUT: ngx_int_t = NGX_HTTP_REQUEST_TIME_OUT as ngx_int_t;
    const CLOSED: ngx_int_t = NGX_HTTP_CLIENT_CLOSED_REQUEST as ngx_int_t;
    guard(ERROR, || {
        // SAFETY: what `begin` has nginx call this with.
        unsafe { (*question.cast::<Question>()).end(rc) };
        if matches!(rc, ERROR | TIME_OUT | CLOSED) { rc } else { OK }
    })
}
