//! What a route says of its attempts at backends beyond nginx's own settings: how long one of them, and all together, may take, and which further
//! statuses lead to another.
//!
//! A module of nginx's by itself: the handler of routes has the request's location begin with ours, which knows the upstream as soon as there is
//! one. Whatever nginx does then, a time that is over looks to it like a backend that has been silent for too long.

mod deadline;
mod kept;
mod retry;

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use ngx::ffi::{NGX_HTTP_INTERNAL_SERVER_ERROR, ngx_http_request_t, ngx_int_t};
use wick_native::code::ERROR;
use wick_native::guard::guard;
use wick_native::http_module;
use wick_native::request::Request;

pub use self::kept::Attempts;
use self::kept::{Kept, MODULE, of};

http_module! {
    pub static TABLE at MODULE;
}

const INTERNAL_ERROR: ngx_int_t = NGX_HTTP_INTERNAL_SERVER_ERROR as ngx_int_t;

/// Has the request's location begin with us. It has been entered. `None`: out of memory.
#[inline(never)] // Most requests have none.
pub fn begin(r: Request, attempts: &Rc<Attempts>) -> Option<()> {
    // SAFETY: a live request; a location that passes nothing on has no handler.
    let content = unsafe { (*r.as_ptr()).content_handler.or(r.core_loc().as_ref().handler) };
    let Some(content) = content else { return Some(()) };
    let kept = r.pool().keep(Kept {
        request: r.as_ptr(),
        attempts: attempts.clone(),
        content,
        create_request: Cell::default(),
        process_header: Cell::default(),
        reinit_request: Cell::default(),
        begun: Cell::new(0),
        timer: OnceCell::new(),
    })?;
    // SAFETY: a registered HTTP module; a live request.
    unsafe {
        r.set_ctx(MODULE.get(), kept.as_ptr());
        (*r.as_ptr()).content_handler = Some(self::content);
    }
    Some(())
}

unsafe extern "C" fn content(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(INTERNAL_ERROR, || {
        // SAFETY: nginx calls with a live request.
        let r = unsafe { Request::from_raw(r) };
        let Some(kept) = of(r) else { return INTERNAL_ERROR };
        // SAFETY: as nginx would. The request lives until nginx has what this returns.
        let rc = unsafe { (kept.content)(r.as_ptr()) };
        watch(r, kept);
        rc
    })
}

/// The location's module has begun. It has an upstream, which waits for the body or has its first attempt already.
fn watch(r: Request, kept: &Kept) {
    let Some(upstream) = r.upstream() else { return };
    let upstream = upstream.as_ptr();
    if !kept.attempts.codes.is_empty() {
        retry::install(kept, upstream);
    }
    // SAFETY: the live request's upstream.
    unsafe {
        if r.attempts().is_empty() {
            kept.create_request.set((*upstream).create_request.replace(create_request));
        } else if !(*upstream).cleanup.is_null() {
            deadline::start(kept);
        }
    }
}

/// The body is there.
unsafe extern "C" fn create_request(r: *mut ngx_http_request_t) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx calls with a live request.
        let Some(kept) = of(unsafe { Request::from_raw(r) }) else { return ERROR };
        deadline::start(kept);
        // SAFETY: as nginx would.
        kept.create_request.get().map_or(ERROR, |create| unsafe { create(r) })
    })
}
