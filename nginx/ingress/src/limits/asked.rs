//! Which requests were asked, and what became of them, told as nginx's own modules tell it: `$limit_req_status` and `$limit_conn_status`.
//!
//! A request that passes leaves nginx's bits alone: its modules let whatever has one go on unasked, and their zones hold beside our limits. One that is
//! refused sets them, so that nobody asks it again on its way to an error page.

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::bits;
use wick_native::conf::Conf;
use wick_native::request::Request;
use wick_native::variable::{self, declare_note, index};

use super::directive::{MODULE, MainConf};

/// The variable, which has no value that anybody could read.
const NAME: &[u8] = b"ingress_limits_asked";

/// What was noted.
mod noted {
    pub const NOTHING: usize = 0;
    pub const PASSED: usize = 1;
    /// It counts as one of the client's at a time.
    pub const PASSED_AS_CONNECTION: usize = 2;
}

/// Of `r->limit_req_status`.
const REQUEST_REJECTED: u32 = 3;
/// Of `r->limit_conn_status`.
const CONNECTION_REJECTED: u32 = 2;

/// Words of nginx for its bits. Source: ngx_http_limit_req_module.c, ngx_http_limit_conn_module.c.
const OF_REQUESTS: [&[u8]; 5] =
    [b"PASSED", b"DELAYED", b"REJECTED", b"DELAYED_DRY_RUN", b"REJECTED_DRY_RUN"];
const OF_CONNECTIONS: [&[u8]; 3] = [b"PASSED", b"REJECTED", b"REJECTED_DRY_RUN"];

pub fn declare(conf: Conf) -> Option<()> {
    declare_note(conf, NAME, 0, noted::NOTHING)?;
    let noted_at = index(conf, NAME)?;
    // SAFETY: the parser is inside `http`, and nothing else refers to the configuration.
    unsafe { (*conf.http_main::<MainConf>(MODULE.get())).noted_at = noted_at };
    variable::replace(conf, b"limit_req_status", request_status)?;
    variable::replace(conf, b"limit_conn_status", connection_status)
}

/// Not again where nginx has redirected it inside, nor when nginx's modules have refused it.
pub fn was(r: Request) -> bool {
    // SAFETY: a live request.
    let is_refused = unsafe {
        bits::request::LIMIT_REQ_STATUS.get(r.as_ptr()) == REQUEST_REJECTED
            || bits::request::LIMIT_CONN_STATUS.get(r.as_ptr()) == CONNECTION_REJECTED
    };
    is_refused || word(r) != noted::NOTHING
}

/// The request goes on.
pub fn pass(r: Request, is_connection: bool) {
    let word = if is_connection { noted::PASSED_AS_CONNECTION } else { noted::PASSED };
    variable::note(r, noted_at(r), word);
}

pub fn refuse_request(r: Request) {
    // SAFETY: a live request.
    unsafe { bits::request::LIMIT_REQ_STATUS.set(r.as_ptr(), REQUEST_REJECTED) };
}

pub fn refuse_connection(r: Request) {
    pass(r, false);
    // SAFETY: a live request.
    unsafe { bits::request::LIMIT_CONN_STATUS.set(r.as_ptr(), CONNECTION_REJECTED) };
}

unsafe extern "C" fn request_status(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        variable::answer(r, value, |r| {
            let of_nginx = bits::request::LIMIT_REQ_STATUS.get(r.main().as_ptr());
            let is_ours = word(r) != noted::NOTHING;
            Ok(told(&OF_REQUESTS, of_nginx, is_ours))
        })
    }
}

unsafe extern "C" fn connection_status(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request and the place for the value.
    unsafe {
        variable::answer(r, value, |r| {
            let of_nginx = bits::request::LIMIT_CONN_STATUS.get(r.main().as_ptr());
            let is_ours = word(r) == noted::PASSED_AS_CONNECTION;
            Ok(told(&OF_CONNECTIONS, of_nginx, is_ours))
        })
    }
}

/// nginx's modules are asked after ours: what they say is the last word.
fn told(words: &[&'static [u8]], of_nginx: u32, is_ours: bool) -> Option<&'static [u8]> {
    let nth = of_nginx.max(is_ours.into()).checked_sub(1)?;
    words.get(nth as usize).copied()
}

fn word(r: Request) -> usize {
    variable::noted(r.main(), noted_at(r)).unwrap_or(noted::NOTHING)
}

fn noted_at(r: Request) -> usize {
    // SAFETY: the module's main configuration.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).noted_at }
}
