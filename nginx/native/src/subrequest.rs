//! Requests that nginx makes for the sake of another one, whose connection and memory they use, and nothing else of it.

use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_HTTP_CONNECT, NGX_HTTP_COPY, NGX_HTTP_DELETE, NGX_HTTP_GET, NGX_HTTP_HEAD, NGX_HTTP_LOCK,
    NGX_HTTP_MKCOL, NGX_HTTP_MOVE, NGX_HTTP_OPTIONS, NGX_HTTP_PATCH, NGX_HTTP_POST,
    NGX_HTTP_PROPFIND, NGX_HTTP_PROPPATCH, NGX_HTTP_PUT, NGX_HTTP_SUBREQUEST_BACKGROUND,
    NGX_HTTP_SUBREQUEST_WAITED, NGX_HTTP_TRACE, NGX_HTTP_UNKNOWN, NGX_HTTP_UNLOCK,
    ngx_http_core_loc_conf_t, ngx_http_core_run_phases, ngx_http_headers_in_t,
    ngx_http_post_subrequest_t, ngx_http_request_body_t, ngx_http_request_t, ngx_http_subrequest,
    ngx_http_update_location_config, ngx_http_variable_value_t, ngx_int_t, ngx_pcalloc,
};

use crate::bits;
use crate::code::OK;
use crate::request::Request;
use crate::text::borrowed;

/// Called when the subrequest has ended, with `data` and how: nginx then goes on with what it returns, and with the parent.
pub type Done = unsafe extern "C" fn(*mut ngx_http_request_t, *mut c_void, ngx_int_t) -> ngx_int_t;

/// Begins a subrequest for which its parent waits, as nginx's own `auth_request` does. It has no body (the parent's is neither
/// read nor closed), no headers, and no values of variables; an error that it ends with has no page. It runs when the handler at
/// hand has returned, from the location that it is put into with [`enter`].
///
/// `target` is path and query, beginning with a slash. `None`: out of memory, or the request has too many subrequests.
///
/// # Safety
/// From a phase handler of `r`. `method`, `target` and `data` live as long as the request.
pub unsafe fn begin<'r>(
    r: Request<'r>,
    method: &'r [u8],
    target: &'r [u8],
    done: Done,
    data: *mut c_void,
) -> Option<Request<'r>> {
    let pool = r.pool();
    let post = pool.put(ngx_http_post_subrequest_t { handler: Some(done), data })?;
    let path = target.iter().position(|byte| *byte == b'?').unwrap_or(target.len());
    let (mut uri, mut args) =
        (borrowed(&target[..path]), borrowed(target.get(path + 1..).unwrap_or_default()));
    let mut made = null_mut();
    // SAFETY: a live request; the strings and the structures live as long as it. All zero are an empty body, no headers, and
    // values that nobody has asked for.
    unsafe {
        let flags = NGX_HTTP_SUBREQUEST_WAITED as usize;
        let begun =
            ngx_http_subrequest(r.as_ptr(), &mut uri, &mut args, &mut made, post.as_ptr(), flags);
        if begun != OK {
            return None;
        }
        (*made).request_body = pool.zeroed::<ngx_http_request_body_t>()?.as_ptr();
        (*made).variables = values(r)?;
        let mut headers: ngx_http_headers_in_t = std::mem::zeroed();
        (headers.content_length_n, headers.keep_alive_n) = (-1, -1);
        (*made).headers_in = headers;
        (*made).method = number_of(method) as usize;
        (*made).method_name = borrowed(method);
        (*made).unparsed_uri = borrowed(target);
        bits::request::VALID_UNPARSED_URI.set(made, 1);
        bits::request::ERROR_PAGE.set(made, 1);
        Some(Request::from_raw(made))
    }
}

/// Begins a subrequest with the method, headers, body, path and values of variables that the request has now, whose answer nobody gets. It runs
/// when the handler at hand has returned, as one of [`begin`] does; nobody waits for it, but the client's connection is not free before its end.
///
/// `None`: out of memory, or the request has too many subrequests.
///
/// # Safety
/// From a phase handler of `r`, whose body was read.
pub unsafe fn copy_of<'r>(r: Request<'r>) -> Option<Request<'r>> {
    let mut made = null_mut();
    // SAFETY: a live request; the arrays of both have a value for each variable of the configuration.
    unsafe {
        let from = r.as_ptr();
        let (mut uri, mut args) = ((*from).uri, (*from).args);
        let flags = NGX_HTTP_SUBREQUEST_BACKGROUND as usize;
        if ngx_http_subrequest(from, &mut uri, &mut args, &mut made, null_mut(), flags) != OK {
            return None;
        }
        let count = r.core_main().as_ref().variables.nelts;
        (*made).variables = values(r)?;
        (*made).variables.copy_from_nonoverlapping((*from).variables, count);
        ((*made).method, (*made).method_name) = ((*from).method, (*from).method_name);
        bits::request::INTERNAL.set(made, bits::request::INTERNAL.get(from));
        bits::request::QUOTED_URI.set(made, bits::request::QUOTED_URI.get(from));
        let is_as_written = bits::request::VALID_UNPARSED_URI.get(from);
        bits::request::VALID_UNPARSED_URI.set(made, is_as_written);
        bits::request::HEADER_ONLY.set(made, 1);
        Some(Request::from_raw(made))
    }
}

/// Has a subrequest that [`begin`] has just made run in a location, whatever its path is; `confs` are the location's
/// configurations, or a copy with other numbers.
///
/// # Safety
/// Both belong to the request's configuration, and live as long.
pub unsafe fn enter(
    r: Request,
    location: NonNull<ngx_http_core_loc_conf_t>,
    confs: NonNull<*mut c_void>,
) {
    // SAFETY: a live request; the caller's promise.
    unsafe {
        let r = r.as_ptr();
        (*r).content_handler = None;
        (*r).loc_conf = location.as_ref().loc_conf;
        ngx_http_update_location_config(r);
        (*r).loc_conf = confs.as_ptr();
        let engine = &Request::from_raw(r).core_main().as_ref().phase_engine;
        (*r).phase_handler = engine.location_rewrite_index as ngx_int_t;
        (*r).write_event_handler = Some(ngx_http_core_run_phases);
    }
}

/// With what `done` is called when this request ends; `None`: it is not.
#[inline]
pub fn data_for(r: Request, done: Done) -> Option<*mut c_void> {
    // SAFETY: a live request; what it has there lives as long.
    let post = unsafe { (*r.as_ptr()).post_subrequest.as_ref() }?;
    post.handler.is_some_and(|handler| std::ptr::fn_addr_eq(handler, done)).then_some(post.data)
}

/// An array of values that nobody has asked for; `None`: out of memory.
fn values(r: Request) -> Option<*mut ngx_http_variable_value_t> {
    // SAFETY: a live request; all zero is such a value.
    unsafe {
        let count = r.core_main().as_ref().variables.nelts;
        let bytes = count * size_of::<ngx_http_variable_value_t>();
        let values = ngx_pcalloc(r.pool().as_ptr(), bytes);
        (!values.is_null()).then_some(values.cast())
    }
}

fn number_of(method: &[u8]) -> u32 {
    match method {
        b"GET" => NGX_HTTP_GET,
        b"HEAD" => NGX_HTTP_HEAD,
        b"POST" => NGX_HTTP_POST,
        b"PUT" => NGX_HTTP_PUT,
        b"DELETE" => NGX_HTTP_DELETE,
        b"PATCH" => NGX_HTTP_PATCH,
        b"OPTIONS" => NGX_HTTP_OPTIONS,
        b"TRACE" => NGX_HTTP_TRACE,
        b"CONNECT" => NGX_HTTP_CONNECT,
        b"MKCOL" => NGX_HTTP_MKCOL,
        b"COPY" => NGX_HTTP_COPY,
        b"MOVE" => NGX_HTTP_MOVE,
        b"PROPFIND" => NGX_HTTP_PROPFIND,
        b"PROPPATCH" => NGX_HTTP_PROPPATCH,
        b"LOCK" => NGX_HTTP_LOCK,
        b"UNLOCK" => NGX_HTTP_UNLOCK,
        _ => NGX_HTTP_UNKNOWN,
    }
}
