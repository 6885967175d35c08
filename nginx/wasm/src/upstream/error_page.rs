//! `error_page` for a status that a filter answers with instead of choosing a peer.
//!
//! A peer that cannot be had is a 502 for nginx, whatever we say. So the request gets a copy of its location in which the page
//! of the wanted status is that of 502.

use std::ffi::c_void;
use std::ptr::copy_nonoverlapping;

use ngx::ffi::{
    NGX_HTTP_BAD_GATEWAY, ngx_array_t, ngx_http_core_loc_conf_t, ngx_http_core_module,
    ngx_http_err_page_t, ngx_http_max_module,
};
use wick_native::request::Request;

/// Lets nginx answer its next 502 with the location's page for `status`. `None`: it has no such page, or none that this
/// request may still get.
#[cold]
pub fn use_for(r: Request, status: u16) -> Option<()> {
    let core = r.core_loc().as_ptr();
    // SAFETY: the live request and its location's configuration.
    let page = unsafe {
        let request = &*r.as_ptr();
        let is_allowed = request.error_page() == 0 && request.uri_changes() != 0;
        page_of(&*core, status).filter(|_| is_allowed)?
    };
    let (pool, status) = (r.pool(), status as isize);
    let page = pool.put(ngx_http_err_page_t {
        status: NGX_HTTP_BAD_GATEWAY as isize,
        // Less than 0 says: the status stays as it is.
        overwrite: if page.overwrite < 0 { status } else { page.overwrite },
        ..*page
    })?;
    let pages = pool.put(ngx_array_t {
        elts: page.as_ptr().cast(),
        nelts: 1,
        size: size_of::<ngx_http_err_page_t>(),
        nalloc: 1,
        pool: pool.as_ptr(),
    })?;
    // SAFETY: plain C data that nginx, too, only refers to; it lives as long as the request.
    let core = unsafe { ngx_http_core_loc_conf_t { error_pages: pages.as_ptr(), ..*core } };
    let core = pool.put(core)?;
    enter(r, core.as_ptr().cast())
}

fn page_of(core: &ngx_http_core_loc_conf_t, status: u16) -> Option<&ngx_http_err_page_t> {
    // SAFETY: nginx's array of pages, which nobody changes any more.
    let pages = unsafe {
        let pages = core.error_pages.as_ref()?;
        std::slice::from_raw_parts(pages.elts.cast::<ngx_http_err_page_t>(), pages.nelts)
    };
    pages.iter().find(|page| page.status == status as isize)
}

/// The request is in the same location as before, but for the core module's part.
fn enter(r: Request, core: *mut c_void) -> Option<()> {
    // SAFETY: a location has a slot for each module; the copy is the request's own.
    unsafe {
        let slots = ngx_http_max_module;
        let bytes = slots * size_of::<*mut c_void>();
        let layout =
            std::alloc::Layout::from_size_align_unchecked(bytes, align_of::<*mut c_void>());
        let copy = r.pool().layout(layout)?.cast::<*mut c_void>().as_ptr();
        copy_nonoverlapping((*r.as_ptr()).loc_conf, copy, slots);
        *copy.add(ngx_http_core_module.ctx_index) = core;
        (*r.as_ptr()).loc_conf = copy;
    }
    Some(())
}
