//! `$ingress_tls_host`: the record under which the handshake of a request's connection was made.

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::conf::Conf;
use wick_native::variable;

use super::handshake::{Handshake, handshake};

pub fn declare(conf: Conf) -> Option<()> {
    variable::declare(conf, b"ingress_tls_host", 0, |variable| {
        variable.get_handler = Some(tls_host);
    })
}

unsafe extern "C" fn tls_host(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe { variable::answer(r, value, |r| Ok(handshake(r).and_then(Handshake::record_name))) }
}
