//! What a route says of attempts, and what a request has of it.

use std::cell::{Cell, OnceCell};
use std::pin::Pin;
use std::ptr::NonNull;
use std::rc::Rc;

use ngx::ffi::{ngx_http_request_t, ngx_int_t};
use wick_native::module::ModuleIndex;
use wick_native::request::Request;
use wick_native::timer::Timer;
use wick_routes::Actions;

pub static MODULE: ModuleIndex = ModuleIndex::unset();

/// Milliseconds; `None`: any time.
pub struct Attempts {
    /// All of a request's together.
    pub request: Option<u32>,
    /// Each.
    pub backend: Option<u32>,
    pub codes: Box<[u16]>,
}

impl Attempts {
    /// `None`: nothing is said of them.
    pub fn of(actions: &Actions) -> Option<Rc<Attempts>> {
        let Actions { request_timeout: request, backend_timeout: backend, .. } = *actions;
        let codes = actions.retry_codes.clone();
        let has_some = request.is_some() || backend.is_some() || !codes.is_empty();
        has_some.then(|| Rc::new(Attempts { request, backend, codes }))
    }

    /// Of requests that all together have so much time.
    pub fn within(ms: u32) -> Rc<Attempts> {
        Rc::new(Attempts { request: Some(ms), backend: None, codes: Box::default() })
    }
}

pub type Handler = unsafe extern "C" fn(*mut ngx_http_request_t) -> ngx_int_t;

/// What a request has of it.
pub struct Kept {
    pub request: *mut ngx_http_request_t,
    pub attempts: Rc<Attempts>,
    /// The location's own.
    pub content: Handler,
    /// Those of the location's module, while ours are in their places.
    pub create_request: Cell<Option<Handler>>,
    pub process_header: Cell<Option<Handler>>,
    pub reinit_request: Cell<Option<Handler>>,
    /// When the first attempt began.
    pub begun: Cell<usize>,
    pub timer: OnceCell<Pin<Box<Timer<NonNull<Kept>>>>>,
}

/// `None`: there is none, or the request has left its location.
pub fn of<'r>(r: Request<'r>) -> Option<&'r Kept> {
    // SAFETY: what `begin` stored, in the memory of the request.
    unsafe { r.ctx::<Kept>(MODULE.get()).as_ref() }
}
