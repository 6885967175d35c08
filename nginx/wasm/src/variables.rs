//! The counters as variables: `$wasm_faults`, `$wasm_fallbacks`, `$wasm_instances`, `$wasm_repairs`; `$wasm_zones` and `$wasm_policies`.

use ngx::ffi::{
    NGX_HTTP_VAR_NOCACHEABLE, ngx_cycle, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::conf::Conf;
use wick_native::variable::{self, answer_printed};

use crate::conf::of_cycle;
use crate::zones;

/// In the order of [`crate::counters::Counters::all`].
const NAMES: [&[u8]; 4] = [b"wasm_faults", b"wasm_fallbacks", b"wasm_instances", b"wasm_repairs"];

/// A preconfiguration hook.
pub fn declare(conf: Conf) -> Option<()> {
    NAMES.into_iter().enumerate().try_for_each(|(place, name)| {
        variable::declare(conf, name, NGX_HTTP_VAR_NOCACHEABLE, |variable| {
            variable.get_handler = Some(get);
            variable.data = place;
        })
    })?;
    variable::declare(conf, b"wasm_policies", NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(get_policies);
    })?;
    variable::declare(conf, b"wasm_zones", NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(get_zones);
    })
}

/// What policies did, as JSON; empty without `policy_directory`.
unsafe extern "C" fn get_policies(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: a live request of the cycle in force, and its value to fill.
    unsafe {
        answer_printed(r, value, |_| {
            let counters = (*of_cycle(ngx_cycle)).policies.counters;
            Some(counters.map_or_else(|| "[]".into(), |counters| counters.json()))
        })
    }
}

/// How full the zones are, as JSON.
unsafe extern "C" fn get_zones(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    _: usize,
) -> ngx_int_t {
    // SAFETY: as above.
    unsafe { answer_printed(r, value, |_| Some(zones::json(&(*of_cycle(ngx_cycle)).zones))) }
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    place: usize,
) -> ngx_int_t {
    // SAFETY: as above.
    unsafe {
        answer_printed(r, value, |_| Some((*of_cycle(ngx_cycle)).counters.as_ref()?.all()?[place]))
    }
}
