//! Directives of other Proxy-Wasm hosts for nginx that this one accepts, so that existing
//! configurations load, and that change nothing here.

use std::ffi::{c_char, c_void};
use std::ptr::null_mut;

use ngx::ffi::{ngx_command_t, ngx_conf_parse, ngx_conf_t};
use wick_native::conf::{Answer, CONF_OK, Conf};

use super::lossy;

/// Any directive that is not needed.
pub fn directive(cf: Conf) -> Answer {
    notice(cf);
    CONF_OK
}

/// A block of them: `wasmtime { … }`, `metrics { … }`.
pub fn block(cf: Conf) -> Answer {
    notice(cf);
    let cf = cf.as_ptr();
    // SAFETY: the parser is running; its state is put back as it was.
    unsafe {
        let outside = *cf;
        (*cf).handler = Some(skip);
        let answer = ngx_conf_parse(cf, null_mut());
        *cf = outside;
        answer
    }
}

/// `proxy_wasm_isolation`, `proxy_wasm_request_headers_in_access`: only what is always so here.
pub fn fixed(cf: Conf) -> Answer {
    match cf.words().nth(1) {
        Some(b"none" | b"off") => CONF_OK,
        word => {
            cf.error(format_args!("[wasm] \"{}\" is not supported", lossy(word.unwrap_or(b""))))
        }
    }
}

unsafe extern "C" fn skip(
    _: *mut ngx_conf_t,
    _: *mut ngx_command_t,
    _: *mut c_void,
) -> *mut c_char {
    CONF_OK
}

fn notice(cf: Conf) {
    let name = lossy(cf.words().next().unwrap_or(b""));
    cf.notice(format_args!("[wasm] \"{name}\" has no effect here"));
}
