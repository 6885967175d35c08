//! `$redirect_uri` and `$redirect_host`, which routes make redirects of.

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{NoAnswer, answer};

use super::add;
use crate::routes::conf::{LocConf, MODULE};

/// Declares `$redirect_uri` and `$redirect_host`; `None` when nginx refuses and has said why.
pub fn declare(conf: Conf) -> Option<()> {
    add(conf, "redirect_uri", redirect_uri)?;
    add(conf, "redirect_host", redirect_host)
}

/// Path and arguments as the client sent them, without one slash at their end.
unsafe extern "C" fn redirect_uri(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { answer(r, value, |r| Ok(Some(without_slash(r)))) }
}

fn without_slash(r: Request<'_>) -> &[u8] {
    let uri = r.unparsed_uri();
    uri.strip_suffix(b"/").unwrap_or(uri)
}

/// What the `host=` of the server block's `ingress_route` says, without a port.
unsafe extern "C" fn redirect_host(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { answer(r, value, |r| Ok(Some(without_port(host(r)?)))) }
}

fn host(r: Request<'_>) -> Result<&[u8], NoAnswer> {
    // SAFETY: every location has our LocConf; tables live as long as the configuration.
    let table =
        unsafe { (*r.loc_conf::<LocConf>(MODULE.get())).routes.map(|table| table.as_ref()) };
    table.map_or(Some(r.host()), |table| table.redirect_host(r)).ok_or(NoAnswer)
}

/// The host before a `:` and what follows it; those of an address in brackets are not meant.
fn without_port(host: &[u8]) -> &[u8] {
    let bracketed = host.iter().rposition(|byte| *byte == b']').map_or(0, |end| end + 1);
    let port = host[bracketed..].iter().position(|byte| *byte == b':');
    port.map_or(host, |at| &host[..bracketed + at])
}
