//! `error_page` for a status that a filter answers with instead of choosing a peer.
//!
//! A peer that cannot be had is a 502 for nginx, whatever we say. So the request gets a copy of its location in which the page
//! of the wanted status is that of 502. nginx reads a location's settings when the request and its memory are gone
//! (`ngx_http_set_keepalive`): there is one copy for each location and status, and it lives as long as the worker.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_HTTP_BAD_GATEWAY, NGX_LOG_ERR, ngx_array_t, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_err_page_t, ngx_http_max_module,
};
use wick_native::bits;
use wick_native::log;
use wick_native::request::Request;

/// A location's configurations: an array with one slot per HTTP module.
type LocConfs = NonNull<*mut c_void>;

/// How many copies a worker makes, about 2 KB each; more combinations of location and status get no page.
const MAX_COPIES: usize = 1024;

/// A worker's copies, by location and status.
#[derive(Default)]
pub struct ErrorPages {
    copies: RefCell<HashMap<(LocConfs, u16), NonNull<Copy>>>,
    complained: Cell<bool>,
}

/// What refers to something in here is null until the copy has its place.
struct Copy {
    page: ngx_http_err_page_t,
    pages: ngx_array_t,
    core: ngx_http_core_loc_conf_t,
    loc_confs: Box<[*mut c_void]>,
}

impl ErrorPages {
    /// Lets nginx answer its next 502 with the location's page for `status`. `None`: it has no such page, or none that this
    /// request may still get.
    #[cold]
    pub fn use_for(&self, r: Request, status: u16) -> Option<()> {
        // SAFETY: a live request, which is in a location.
        let (is_allowed, location) = unsafe {
            let request = &*r.as_ptr();
            let is_allowed = !bits::request::ERROR_PAGE.is_set(request)
                && bits::request::URI_CHANGES.is_set(request);
            (is_allowed, NonNull::new(request.loc_conf)?)
        };
        let copy = if is_allowed { self.of(r, location, status)? } else { return None };
        // SAFETY: the live request; its location is the same as before, but for the core module's part.
        unsafe { (*r.as_ptr()).loc_conf = (*copy.as_ptr()).loc_confs.as_mut_ptr() };
        Some(())
    }

    fn of(&self, r: Request, location: LocConfs, status: u16) -> Option<NonNull<Copy>> {
        let mut copies = self.copies.borrow_mut();
        if let Some(copy) = copies.get(&(location, status)) {
            return Some(*copy);
        }
        // SAFETY: the configuration of the request's location, which nobody changes any more.
        let core = unsafe { r.core_loc().as_ref() };
        let page = page_of(core, status)?;
        if copies.len() >= MAX_COPIES {
            self.complain();
            return None;
        }
        // SAFETY: `location` is that array, and `core` what its slot of the core module points to.
        let copy = unsafe { Copy::new(location, core, page) };
        copies.insert((location, status), copy);
        Some(copy)
    }

    fn complain(&self) {
        if !self.complained.replace(true) {
            let line = format_args!(
                "[wasm] more than {MAX_COPIES} combinations of location and status for error_page: others get no page"
            );
            log::write(log::of_cycle(), NGX_LOG_ERR as usize, line);
        }
    }
}

impl Drop for ErrorPages {
    fn drop(&mut self) {
        for copy in self.copies.get_mut().values() {
            // SAFETY: made by Box::leak below; the worker's requests are over.
            drop(unsafe { Box::from_raw(copy.as_ptr()) });
        }
    }
}

impl Copy {
    /// # Safety
    /// `location` is the array of a location's configurations, and `core` is the core module's in it.
    unsafe fn new(
        location: LocConfs,
        core: &ngx_http_core_loc_conf_t,
        page: &ngx_http_err_page_t,
    ) -> NonNull<Copy> {
        // SAFETY: a location has a slot for each module.
        let slots = unsafe { std::slice::from_raw_parts(location.as_ptr(), ngx_http_max_module) };
        let copy = Box::new(Copy {
            page: as_bad_gateway(page),
            pages: array_of_one_page(),
            // SAFETY: plain C data that nginx, too, only refers to.
            core: unsafe { std::ptr::read(core) },
            loc_confs: slots.into(),
        });
        let copy = NonNull::from(Box::leak(copy));
        // SAFETY: nobody else knows the copy yet; the core module has a slot.
        unsafe {
            let this = copy.as_ptr();
            (*this).pages.elts = (&raw mut (*this).page).cast();
            (*this).core.error_pages = &raw mut (*this).pages;
            let core = (&raw mut (*this).core).cast();
            (&mut (*this).loc_confs)[ngx_http_core_module.ctx_index] = core;
        }
        copy
    }
}

fn page_of(core: &ngx_http_core_loc_conf_t, status: u16) -> Option<&ngx_http_err_page_t> {
    // SAFETY: nginx's array of pages, which nobody changes any more.
    let pages = unsafe {
        let pages = core.error_pages.as_ref()?;
        std::slice::from_raw_parts(pages.elts.cast::<ngx_http_err_page_t>(), pages.nelts)
    };
    pages.iter().find(|page| page.status == status as isize)
}

/// The same page for 502. The answer keeps the status that the page was meant for, unless the page has its own.
fn as_bad_gateway(page: &ngx_http_err_page_t) -> ngx_http_err_page_t {
    // Less than 0 says: the status stays as it is.
    let overwrite = if page.overwrite < 0 { page.status } else { page.overwrite };
    ngx_http_err_page_t { status: NGX_HTTP_BAD_GATEWAY as isize, overwrite, ..*page }
}

fn array_of_one_page() -> ngx_array_t {
    let size = size_of::<ngx_http_err_page_t>();
    ngx_array_t { elts: null_mut(), nelts: 1, size, nalloc: 1, pool: null_mut() }
}
