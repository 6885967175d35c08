//! What becomes of `Location`, `Refresh` and `Set-Cookie` of a backend of HTTP: `proxy_redirect`, `proxy_cookie_domain` and its kin.
//!
//! nginx asks the request's upstream for a function when it takes such a header over into the response, of a kept answer too. Its proxy module says
//! there what it does for the location's text; here it is said just before, so that requests without such a level have nothing to do with it.

mod budget;
mod flags;
mod replacing;
mod sought;

use ngx::ffi::{
    ngx_http_request_t, ngx_http_upstream_t, ngx_int_t, ngx_str_t, ngx_table_elt_t, ngx_uint_t,
};
use wick_native::code::{DECLINED, ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::request::Request;
use wick_native::text::{borrowed, bytes};
use wick_native::upstream_headers::{call_first, go_on};
use wick_script::Level;
use wick_script::cookie::Cookie;

pub use self::budget::Budget;
use self::flags::Flags;
use self::replacing::{Replacing, replace_first};
use super::in_force::of;
use super::index::{MODULE, MainConf};
use super::protocols::Protocol;

pub struct Rewriting {
    redirects: Box<[Replacing]>,
    cookie_domains: Box<[Replacing]>,
    cookie_paths: Box<[Replacing]>,
    cookie_flags: Box<[Flags]>,
}

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

impl Rewriting {
    /// `None`: all stay as they are.
    pub fn of(level: &Level) -> Option<Rewriting> {
        let rewriting = Rewriting {
            redirects: level.redirects.iter().map(Replacing::of_beginning).collect(),
            cookie_domains: level.cookie_domains.iter().map(Replacing::of_domain).collect(),
            cookie_paths: level.cookie_paths.iter().map(Replacing::of_beginning).collect(),
            cookie_flags: level.cookie_flags.iter().map(Flags::of).collect(),
        };
        (!rewriting.redirects.is_empty() || rewriting.has_cookies()).then_some(rewriting)
    }

    fn has_cookies(&self) -> bool {
        !self.cookie_domains.is_empty()
            || !self.cookie_paths.is_empty()
            || !self.cookie_flags.is_empty()
    }

    fn put(&self, upstream: &mut ngx_http_upstream_t) {
        if !self.redirects.is_empty() {
            upstream.rewrite_redirect = Some(rewrite_redirect);
        }
        if self.has_cookies() {
            upstream.rewrite_cookie = Some(rewrite_cookie);
        }
    }

    /// What the URL becomes that stands behind `prefix` bytes. `None`: out of memory; inside: it stays.
    fn redirect(&self, r: Request, header: &[u8], prefix: usize) -> Option<Option<Vec<u8>>> {
        let (before, url) = header.split_at_checked(prefix)?;
        let url = replace_first(&self.redirects, r, url)?;
        Some(url.map(|url| [before, &url].concat()))
    }

    /// What the cookie becomes; as above.
    fn cookie(&self, r: Request, header: &[u8]) -> Option<Option<Vec<u8>>> {
        let Some(mut cookie) = Cookie::read(header) else { return Some(None) };
        let mut is_changed = false;
        for attribute in cookie.attributes() {
            for (name, all) in
                [(&b"domain"[..], &self.cookie_domains), (b"path", &self.cookie_paths)]
            {
                let Some(value) = attribute.value_of(name).filter(|_| !all.is_empty()) else {
                    continue;
                };
                if let Some(value) = replace_first(all, r, value)? {
                    attribute.set_value(value);
                    is_changed = true;
                }
            }
        }
        if let Some(changes) = Flags::first(&self.cookie_flags, r, cookie.name())? {
            cookie.change_flags(changes);
            is_changed = true;
        }
        Some(is_changed.then(|| cookie.write()))
    }
}

fn rewriting_of<'r>(r: Request<'r>) -> Option<&'r Rewriting> {
    of(r)?.effects.rewriting.as_ref()
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
            if let (Some(rewriting), Some(mut upstream)) =
                (rewriting_of(request), request.upstream())
                && (*request.main_conf::<MainConf>(MODULE.get())).protocols.of(request).0
                    == Protocol::Http
            {
                rewriting.put(upstream.as_mut());
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
    unsafe { rewrite(r, header, |rewriting, r, value| rewriting.redirect(r, value, prefix)) }
}

unsafe extern "C" fn rewrite_cookie(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
) -> ngx_int_t {
    // SAFETY: as above.
    unsafe { rewrite(r, header, |rewriting, r, value| rewriting.cookie(r, value)) }
}

/// # Safety
/// A live request, and a header of its response.
unsafe fn rewrite(
    r: *mut ngx_http_request_t,
    header: *mut ngx_table_elt_t,
    new_value: impl FnOnce(&Rewriting, Request, &[u8]) -> Option<Option<Vec<u8>>>,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: the caller's promise.
        let (r, value) = unsafe { (Request::from_raw(r), &mut (*header).value) };
        let Some(rewriting) = rewriting_of(r) else { return DECLINED };
        // SAFETY: its text lives as long as the request.
        match new_value(rewriting, r, unsafe { bytes(*value) }) {
            None => ERROR,
            Some(None) => DECLINED,
            Some(Some(new)) => put(r, value, new),
        }
    })
}

/// Behind a header's value nginx expects a zero.
fn put(r: Request, value: &mut ngx_str_t, mut new: Vec<u8>) -> ngx_int_t {
    new.push(0);
    let Some([text @ .., 0]) = r.pool().copy(&new) else { return ERROR };
    *value = borrowed(text);
    OK
}
