//! What a request carries from its route to its end: the number of a set of labels, in the place of a variable's value. That outlives
//! internal redirects, for instance to error pages, which clear all else that a module keeps with a request.

use std::ptr::without_provenance_mut;

use ngx::ffi::{ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::request::Request;

use super::conf::MainConf;
use super::index::MODULE;
use super::table::Metrics;

/// The variable, which has no value that anybody could read.
pub const NAME: &[u8] = b"ingress_series";

/// In the place of a set of labels: the request is not counted.
pub const UNCOUNTED: u64 = u64::MAX;

/// `None`: nothing is counted.
#[inline]
pub fn metrics(r: Request<'_>) -> Option<&Metrics> {
    // SAFETY: the module's main configuration, which outlives the request.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).0.as_ref() }
}

#[inline]
pub fn note(r: Request, metrics: &Metrics, what: u64) {
    // SAFETY: the array has a place for each index.
    unsafe { put((*r.as_ptr()).variables.add(metrics.settings.noted_at), what) };
}

/// `None`: nothing, as when a request fails before a location is looked for.
#[inline]
pub fn noted(r: Request, metrics: &Metrics) -> Option<u64> {
    // SAFETY: as above.
    unsafe {
        let value = (*r.as_ptr()).variables.add(metrics.settings.noted_at);
        bits::value::NOT_FOUND.is_set(value).then(|| (*value).data.addr() as u64)
    }
}

/// # Safety
/// A variable's value of a live request.
unsafe fn put(value: *mut ngx_http_variable_value_t, what: u64) {
    // SAFETY: the caller's promise. nginx does not look at the data of what is not there.
    unsafe {
        bits::value::NOT_FOUND.set(value, 1);
        (*value).data = without_provenance_mut(what as usize);
    }
}

/// The variable's handler.
pub unsafe extern "C" fn absent(
    _: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes the place for the value.
    unsafe { put(value, UNCOUNTED) };
    OK
}
