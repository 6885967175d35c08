//! Redirects: the `Location` of an answer, and the variables that routes make it of.

use std::ptr::null_mut;

use ngx::ffi::{
    NGX_ESCAPE_URI, ngx_escape_uri, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::conf::Conf;
use wick_native::guard::guard;
use wick_native::headers::{Side, add};
use wick_native::request::Request;
use wick_native::variable::fill;

use crate::conf::LocConf;
use crate::this;
use crate::variables;

/// Sets the Location of the answer. nginx makes an absolute address of a path unless `absolute_redirect` is off. `None`:
/// out of memory, or bytes that no header may have.
pub fn set_location(r: Request, location: &[u8]) -> Option<()> {
    add(r, Side::Response, b"Location", location).ok()
}

/// Leads to `path`, escaped as nginx escapes a location's name, with the request's arguments.
pub fn set_path(r: Request, path: &[u8]) -> Option<()> {
    let mut location = escape(path);
    if !r.args().is_empty() {
        location.push(b'?');
        location.extend_from_slice(r.args());
    }
    set_location(r, &location)
}

pub fn escape(path: &[u8]) -> Vec<u8> {
    let from = path.as_ptr().cast_mut();
    // SAFETY: without a destination nginx counts the bytes to escape and reads only.
    let escaped = unsafe { ngx_escape_uri(null_mut(), from, path.len(), NGX_ESCAPE_URI as usize) };
    let mut to = vec![0; path.len() + 2 * escaped];
    // SAFETY: each escaped byte takes two more than it did.
    unsafe { ngx_escape_uri(to.as_mut_ptr(), from, path.len(), NGX_ESCAPE_URI as usize) };
    to
}

/// Declares `$redirect_uri` and `$redirect_host`; `None` when nginx refuses and has said why.
pub fn declare_variables(conf: Conf) -> Option<()> {
    variables::add(conf, "redirect_uri", redirect_uri)?;
    variables::add(conf, "redirect_host", redirect_host)
}

/// Path and arguments as the client sent them, without one slash at their end.
unsafe extern "C" fn redirect_uri(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx passes a live request and the place for the value.
        let (r, value) = unsafe { (Request::from_raw(r), &mut *value) };
        let uri = r.unparsed_uri();
        fill(value, uri.strip_suffix(b"/").unwrap_or(uri));
        OK
    })
}

/// What the `host=` of the server block's `ingress_route` says, without a port.
unsafe extern "C" fn redirect_host(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    guard(ERROR, || {
        // SAFETY: nginx passes a live request and the place for the value.
        let (r, value) = unsafe { (Request::from_raw(r), &mut *value) };
        // SAFETY: every location has our LocConf; tables live as long as the configuration.
        let table = unsafe { (*r.loc_conf::<LocConf>(this())).routes.map(|table| table.as_ref()) };
        let Some(host) = table.map_or(Some(r.host()), |table| table.redirect_host(r)) else {
            return ERROR;
        };
        fill(value, without_port(host));
        OK
    })
}

/// The host before a `:` and what follows it; those of an address in brackets are not meant.
fn without_port(host: &[u8]) -> &[u8] {
    let bracketed = host.iter().rposition(|byte| *byte == b']').map_or(0, |end| end + 1);
    let port = host[bracketed..].iter().position(|byte| *byte == b':');
    port.map_or(host, |at| &host[..bracketed + at])
}
