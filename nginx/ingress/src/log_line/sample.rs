//! `ingress_log_sample $NAME $CONDITION $RATE`: a variable that says which requests are logged: all that fail, and of the others a part.
//!
//! It is `0` where CONDITION is `0` or empty. Else it is `1` for a status from 400 on, and for RATE (0 to 1) of all others: by chance, so that what
//! is left out is nobody's choice. A RATE that is no number is 1. It is for `access_log … if=$NAME`.

use ngx::ffi::{
    NGX_HTTP_VAR_NOCACHEABLE, ngx_http_request_t, ngx_http_variable_value_t, ngx_int_t,
};
use wick_native::conf::{Answer, CONF_ERROR, CONF_OK, Conf, refuse};
use wick_native::request::Request;
use wick_native::variable;

use crate::random;

/// The first status that is an error; one that a client did not wait for is 499.
const ERRORS: u64 = 400;

struct Sample {
    /// Indexes.
    condition: usize,
    rate: usize,
}

pub fn ingress_log_sample(conf: Conf) -> Answer {
    let names =
        conf.words().skip(1).map(|word| word.strip_prefix(b"$")).collect::<Option<Vec<_>>>();
    let Some([name, condition, rate]) = names.as_deref() else {
        return refuse(c"takes three variables");
    };
    let index = |name| variable::index(conf, name);
    let (Some(condition), Some(rate)) = (index(condition), index(rate)) else { return CONF_ERROR };
    let Some(sample) = conf.pool().put(Sample { condition, rate }) else { return CONF_ERROR };
    let declared = variable::declare(conf, name, NGX_HTTP_VAR_NOCACHEABLE, |variable| {
        variable.get_handler = Some(get);
        variable.data = sample.as_ptr().addr();
        sample.as_ptr().expose_provenance();
    });
    declared.map_or(CONF_ERROR, |()| CONF_OK)
}

unsafe extern "C" fn get(
    r: *mut ngx_http_request_t,
    value: *mut ngx_http_variable_value_t,
    sample: usize,
) -> ngx_int_t {
    // SAFETY: nginx passes a live request, the place for the value, and what the directive left with the variable, which lives as
    // long as the configuration.
    unsafe {
        let sample = &*std::ptr::with_exposed_provenance::<Sample>(sample);
        variable::answer(r, value, |r| Ok(Some(if sample.is_logged(r) { b"1" } else { b"0" })))
    }
}

impl Sample {
    fn is_logged(&self, r: Request) -> bool {
        let is_meant = !matches!(variable::at(r, self.condition), None | Some(b"" | b"0"));
        is_meant
            && match variable::at(r, self.rate) {
                Some(b"1") | None => true,
                Some(rate) => r.logged_status() >= ERRORS || by_chance(rate),
            }
    }
}

#[cold]
fn by_chance(rate: &[u8]) -> bool {
    let rate = std::str::from_utf8(rate).ok().and_then(|text| text.parse::<f64>().ok());
    match (rate, random::fraction()) {
        (Some(rate), Some(fraction)) => fraction < rate,
        _ => true,
    }
}
