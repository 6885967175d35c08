//! The directive `ingress_route_default NAME VALUE`: what `$route_NAME` is for requests whose route says nothing.
//!
//! A `map` from one variable to another would do the same for some 700 instructions of every request.

use ngx::ffi::{
    NGX_HTTP_VAR_CHANGEABLE, ngx_http_get_indexed_variable, ngx_http_request_t,
    ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::code::{ERROR, OK};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::text::bytes;
use wick_native::variable::{self, fill, index};

use crate::literals::PREFIX;

/// Where the value comes from; it lives in the configuration's pool.
enum Default {
    /// Index of another variable.
    Variable(usize),
    Text(&'static [u8]),
}

pub fn ingress_route_default(conf: Conf) -> Answer {
    let words: Vec<&[u8]> = conf.words().collect();
    match Default::read(conf, words[2]) {
        Some(default) => set(conf, words[1], default),
        None => CONF_ERROR,
    }
}

impl Default {
    /// `$name`, or text without variables. `None`: the log says why.
    fn read(conf: Conf, value: &[u8]) -> Option<Default> {
        let word = |name: &[u8]| name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
        match value.strip_prefix(b"$") {
            Some(name) if !name.is_empty() && word(name) => {
                index(conf, name).map(Default::Variable)
            }
            None if !value.contains(&b'$') => {
                // SAFETY: a copy in the configuration's pool lives as long as the variable.
                Some(Default::Text(unsafe { bytes(conf.pool().copy_str(value)?) }))
            }
            _ => {
                let value = value.escape_ascii();
                conf.error(format_args!(
                    "\"ingress_route_default\" takes one variable, or text without any, not \"{value}\""
                ));
                None
            }
        }
    }
}

fn set(conf: Conf, name: &[u8], default: Default) -> Answer {
    let Some(default) = conf.pool().put(default) else { return CONF_ERROR };
    let whole = [PREFIX, name].concat();
    let declared = variable::declare(conf, &whole, NGX_HTTP_VAR_CHANGEABLE, |variable| {
        if variable.get_handler.replace(get).is_some() {
            return refuse(c"is duplicate");
        }
        variable.data = default.as_ptr().expose_provenance();
        CONF_OK
    });
    declared.unwrap_or(CONF_ERROR)
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    data: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request, the place for the value, and what the directive left: a Default.
    unsafe {
        match &*std::ptr::with_exposed_provenance::<Default>(data) {
            Default::Text(text) => fill(&mut *value, text),
            Default::Variable(index) => {
                let other = ngx_http_get_indexed_variable(r, *index);
                if other.is_null() {
                    return ERROR;
                }
                *value = *other;
            }
        }
    }
    OK
}
