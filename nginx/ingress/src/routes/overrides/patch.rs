//! Numbers written over those of a configuration.

use std::ffi::c_void;

use ngx::ffi::{
    NGX_CONF_BITMASK_SET, NGX_HTTP_UPSTREAM_FT_ERROR, NGX_HTTP_UPSTREAM_FT_HTTP_403,
    NGX_HTTP_UPSTREAM_FT_HTTP_404, NGX_HTTP_UPSTREAM_FT_HTTP_429, NGX_HTTP_UPSTREAM_FT_HTTP_500,
    NGX_HTTP_UPSTREAM_FT_HTTP_502, NGX_HTTP_UPSTREAM_FT_HTTP_503, NGX_HTTP_UPSTREAM_FT_HTTP_504,
    NGX_HTTP_UPSTREAM_FT_INVALID_HEADER, NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT,
    NGX_HTTP_UPSTREAM_FT_OFF, NGX_HTTP_UPSTREAM_FT_TIMEOUT, ngx_http_complex_value_t,
    ngx_http_core_loc_conf_t, ngx_http_upstream_conf_t,
};
use wick_routes::{Buffers, NextUpstream, Overrides, Own};

/// What nginx has for an absent size while it reads its configuration.
const UNSET: usize = usize::MAX;

/// nginx's bits of [`NextUpstream::WORDS`].
const NEXT_UPSTREAM: [u32; NextUpstream::WORDS.len()] = [
    NGX_HTTP_UPSTREAM_FT_ERROR,
    NGX_HTTP_UPSTREAM_FT_TIMEOUT,
    NGX_HTTP_UPSTREAM_FT_INVALID_HEADER,
    NGX_HTTP_UPSTREAM_FT_HTTP_500,
    NGX_HTTP_UPSTREAM_FT_HTTP_502,
    NGX_HTTP_UPSTREAM_FT_HTTP_503,
    NGX_HTTP_UPSTREAM_FT_HTTP_504,
    NGX_HTTP_UPSTREAM_FT_HTTP_403,
    NGX_HTTP_UPSTREAM_FT_HTTP_404,
    NGX_HTTP_UPSTREAM_FT_HTTP_429,
    NGX_HTTP_UPSTREAM_FT_NON_IDEMPOTENT,
    NGX_HTTP_UPSTREAM_FT_OFF,
];

/// `array` is the location's array of configurations from now on.
pub fn core(core: &mut ngx_http_core_loc_conf_t, array: *mut *mut c_void, numbers: &Overrides) {
    core.loc_conf = array;
    replace(
        &mut core.client_max_body_size,
        numbers.client_max_body_size_bytes.map(|bytes| bytes as i64),
    );
    replace(&mut core.client_body_buffer_size, size(numbers.client_body_buffer_size_bytes));
    replace(&mut core.client_body_timeout, size(numbers.client_body_timeout_ms));
    replace(&mut core.send_timeout, size(numbers.send_timeout_ms));
    replace(&mut core.absolute_redirect, numbers.absolute_redirect.map(isize::from));
    replace(&mut core.port_in_redirect, numbers.port_in_redirect.map(isize::from));
}

/// Values as nginx keeps those that may have variables; all zero they are constants of 0.
pub type Rates = [ngx_http_complex_value_t; 2];

/// The rates of responses; `values` live as long as `core`.
pub fn rates(core: &mut ngx_http_core_loc_conf_t, values: &mut Rates, numbers: &Overrides) {
    let [rate, after] = values;
    point(&mut core.limit_rate, rate, numbers.limit_rate_bytes);
    point(&mut core.limit_rate_after, after, numbers.limit_rate_after_bytes);
}

fn point(
    place: &mut *mut ngx_http_complex_value_t,
    value: &mut ngx_http_complex_value_t,
    bytes: Option<u64>,
) {
    if let Some(bytes) = bytes {
        value.u.size = bytes as usize;
        *place = value;
    }
}

/// What every protocol has.
pub fn upstream(upstream: &mut ngx_http_upstream_conf_t, numbers: &Overrides) {
    replace(&mut upstream.connect_timeout, size(numbers.proxy_connect_timeout_ms));
    replace(&mut upstream.send_timeout, size(numbers.proxy_send_timeout_ms));
    replace(&mut upstream.read_timeout, size(numbers.proxy_read_timeout_ms));
    replace(&mut upstream.next_upstream, numbers.proxy_next_upstream.map(mask));
    replace(&mut upstream.next_upstream_tries, size(numbers.proxy_next_upstream_tries));
    replace(&mut upstream.next_upstream_timeout, size(numbers.proxy_next_upstream_timeout_ms));
    replace(&mut upstream.buffer_size, size(numbers.proxy_buffer_size_bytes));
}

/// What a protocol has besides whose errors may have a page.
pub fn interception(upstream: &mut ngx_http_upstream_conf_t, numbers: &Overrides) {
    replace(&mut upstream.intercept_errors, numbers.proxy_intercept_errors.map(isize::from));
}

/// What a protocol with buffers has besides.
pub fn buffers(upstream: &mut ngx_http_upstream_conf_t, numbers: &Overrides) {
    replace(&mut upstream.buffering, numbers.proxy_buffering.map(isize::from));
    replace(&mut upstream.request_buffering, numbers.proxy_request_buffering.map(isize::from));
    let own = Own {
        busy: set(upstream.busy_buffers_size_conf),
        file_write: set(upstream.temp_file_write_size_conf),
    };
    let location = Buffers {
        first: upstream.buffer_size,
        number: upstream.bufs.num as usize,
        size: upstream.bufs.size,
        busy: upstream.busy_buffers_size,
        file_write: upstream.temp_file_write_size,
        max_file: upstream.max_temp_file_size,
    };
    let now = location.with(own, numbers);
    upstream.buffer_size = now.first;
    upstream.bufs.num = now.number as isize;
    upstream.bufs.size = now.size;
    upstream.busy_buffers_size = now.busy;
    upstream.temp_file_write_size = now.file_write;
    upstream.max_temp_file_size = now.max_file;
}

fn replace<T>(place: &mut T, number: Option<T>) {
    if let Some(number) = number {
        *place = number;
    }
}

fn size(number: Option<u32>) -> Option<usize> {
    number.map(|number| number as usize)
}

fn set(size: usize) -> Option<usize> {
    Some(size).filter(|size| *size != UNSET)
}

/// `off` beside other words is `off` alone, as nginx merges it.
fn mask(next: NextUpstream) -> usize {
    let bits = next.words().fold(0, |bits, word| bits | NEXT_UPSTREAM[word]);
    let bits = if bits & NGX_HTTP_UPSTREAM_FT_OFF != 0 { NGX_HTTP_UPSTREAM_FT_OFF } else { bits };
    (NGX_CONF_BITMASK_SET | bits) as usize
}
