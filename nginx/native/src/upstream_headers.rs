//! Headers of upstreams' answers, on their way into the response: nginx has a function for each that it knows, in a table of the configuration.

use std::ptr::{NonNull, with_exposed_provenance};

use ngx::ffi::{
    ngx_hash_elt_t, ngx_hash_t, ngx_http_header_handler_pt, ngx_http_request_t,
    ngx_http_upstream_header_t, ngx_http_upstream_main_conf_t, ngx_http_upstream_module, ngx_int_t,
    ngx_table_elt_t, ngx_uint_t,
};

use crate::code::ERROR;
use crate::conf::Conf;
use crate::headers::hash;
use crate::text::bytes;

/// Has nginx call `handler` in the place of its own for headers of this name, for as long as the configuration lives; [`go_on`] is nginx's. The table's
/// entry is a copy: those of nginx itself are for all configurations. `None`: out of memory, or nginx has no such header.
///
/// # Safety
/// The parser is inside `http`, and the module of upstreams has read its part.
pub unsafe fn call_first(
    conf: Conf,
    name: &[u8],
    handler: ngx_http_header_handler_pt,
) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let main =
            conf.http_main::<ngx_http_upstream_main_conf_t>(ngx_http_upstream_module.ctx_index);
        let place = find(&(*main).headers_in_hash, name)?;
        let own = (*place.as_ptr()).cast::<ngx_http_upstream_header_t>();
        let mut header = own.read();
        header.copy_handler = handler;
        header.conf = own.expose_provenance();
        *place.as_ptr() = conf.pool().put(header)?.as_ptr().cast();
    }
    Some(())
}

/// What nginx would have done.
///
/// # Safety
/// Called by a handler of [`call_first`] with its own arguments.
pub unsafe fn go_on(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
    own: ngx_uint_t,
) -> ngx_int_t {
    // SAFETY: nginx's entry, which lives as long as it does.
    unsafe {
        let own = &*with_exposed_provenance::<ngx_http_upstream_header_t>(own);
        own.copy_handler.map_or(ERROR, |copy| copy(r, header, own.conf))
    }
}

/// Where the value of an element is. Source: nginx, `ngx_hash_find`.
///
/// # Safety
/// A live table.
unsafe fn find(table: &ngx_hash_t, name: &[u8]) -> Option<NonNull<*mut std::ffi::c_void>> {
    // SAFETY: a table has so many buckets, each null or elements behind each other that end with one without a value.
    unsafe {
        let mut element: *mut ngx_hash_elt_t = *table.buckets.add(hash(name) % table.size.max(1));
        while !element.is_null() && !(*element).value.is_null() {
            let first = (&raw mut (*element).name).cast::<u8>();
            let len = usize::from((*element).len);
            if bytes(ngx::ffi::ngx_str_t { len, data: first }) == name {
                return NonNull::new(&raw mut (*element).value);
            }
            let end = first.add(len);
            element = end.add(end.align_offset(size_of::<usize>())).cast();
        }
        None
    }
}
