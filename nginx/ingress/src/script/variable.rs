//! `$script_NAME`: a variable of scripts, for text of the configuration.

use ngx::ffi::{
    NGX_HTTP_VAR_NOCACHEABLE, NGX_HTTP_VAR_PREFIX, ngx_http_request_t, ngx_http_variable_value_t,
    ngx_int_t, ngx_str_t,
};
use wick_native::conf::Conf;
use wick_native::text::bytes;
use wick_native::variable;

use super::kept::find;

const PREFIX: &[u8] = b"script_";

/// `None`: nginx refuses, and has said why.
pub fn declare(conf: Conf) -> Option<()> {
    let flags = NGX_HTTP_VAR_PREFIX | NGX_HTTP_VAR_NOCACHEABLE;
    variable::declare(conf, PREFIX, flags, |variable| variable.get_handler = Some(get))
}

/// Empty until a script sets it, as a variable of `set` is.
unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    name: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request, the place for the value and, of a prefix, the whole name.
    unsafe {
        let name = bytes(*std::ptr::with_exposed_provenance::<ngx_str_t>(name));
        let name = &name[PREFIX.len().min(name.len())..];
        variable::answer(r, value, |r| {
            Ok(Some(find(r).and_then(|state| state.get(name)).unwrap_or_default()))
        })
    }
}
