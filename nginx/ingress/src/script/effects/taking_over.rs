//! `Location`, `Refresh` and `Set-Cookie` of a backend of HTTP, on their way into the response.
//!
//! nginx asks the request's upstream for a function when it takes such a header over into the response, of a kept answer too. Its proxy module says
//! there what it does for the location's text; here it is said just before, so that requests without such a level have nothing to do with it.

use ngx::ffi::{
    ngx_http_request_t, ngx_http_upstream_t, ngx_int_t, ngx_str_t, ngx_table_elt_t, ngx_uint_t,
};
use wick_native::code::{DECLINED, ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::{borrowed, bytes};
use wick_native::upstream_headers::{call_first, go_on};

use super::in_force::of;
use super::index::{MODULE, MainConf};
use super::protocols::Protocol;
use super::rewriting::{Budget, Rewriting};

/// What nginx asks about, in small letters.
const HEADERS: [&[u8]; 3] = [b"location", b"refresh", b"set-cookie"];

/// Has nginx ask us first. `None`: out of memory.
///
/// # Safety
/// The parser is inside `http`, whose modules have read their parts.
pub unsafe fn install(conf: Conf) -> Option<()> {
    // SAFETY: the caller's promise.
    HEADERS.iter().try_for_each(|name| unsafe { call_first(conf, name, Some(take_over)) })
}

/// Has nginx ask us about the headers that are concerned.
fn put(rewriting: &Rewriting, upstream: &mut ngx_http_upstream_t) {
    if rewriting.has_redirects() {
        upstream.rewrite_redirect = Some(rewrite_redirect);
    }
    if rewriting.has_cookies() {
        upstream.rewrite_cookie = Some(rewrite_cookie);
    }
}

/// A header of an upstream is taken over.
unsafe extern "C" fn take_over(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
    own: ngx_uint_t,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx calls with a live request, which has an upstream, and what it was told; the module's main configuration.
        unsafe {
            let request = Request::from_raw(r);
            if let (Some(in_force), Some(mut upstream)) = (of(request), request.upstream())
                && let Some(rewriting) = &in_force.effects.rewriting
                && let (Protocol::Lines | Protocol::Http, _) =
                    (*request.main_conf::<MainConf>(MODULE.get())).protocols.of(request)
            {
                put(rewriting, upstream.as_mut());
            }
            go_on(r, header, own)
        }
    })
}

unsafe extern "C" fn rewrite_redirect(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
    prefix: usize,
) -> ngx_int_t {
    // SAFETY: nginx calls with a live request and header.
    unsafe {
        rewrite(r, header, |rewriting, r, value, budget| {
            rewriting.redirect(r, value, prefix, budget)
        })
    }
}

unsafe extern "C" fn rewrite_cookie(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
) -> ngx_int_t {
    // SAFETY: as above.
    unsafe { rewrite(r, header, |rewriting, r, value, budget| rewriting.cookie(r, value, budget)) }
}

/// # Safety
/// A live request, and a header of its response.
unsafe fn rewrite(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
    new_value: impl FnOnce(&Rewriting, Request, &[u8], &mut Budget) -> Option<Option<Vec<u8>>>,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: the caller's promise.
        let (r, value) = unsafe { (Request::from_raw(r), &mut (*header).value) };
        let Some(in_force) = of(r) else { return DECLINED };
        let Some(rewriting) = &in_force.effects.rewriting else { return DECLINED };
        let mut budget = in_force.budget.get_or_init(Default::default).borrow_mut();
        // SAFETY: its text lives as long as the request.
        match new_value(rewriting, r, unsafe { bytes(*value) }, &mut budget) {
            None => ERROR,
            Some(None) => DECLINED,
            Some(Some(new)) => replace(r, value, new),
        }
    })
}

/// Behind a header's value nginx expects a zero.
fn replace(r: Request, value: &mut ngx_str_t, mut new: Vec<u8>) -> ngx_int_t {
    new.push(0);
    let Some([text @ .., 0]) = r.pool().copy(&new) else { return ERROR };
    *value = borrowed(text);
    OK
}
