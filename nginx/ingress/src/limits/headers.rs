//! What responses say of their route's limits, where it wants that (draft-ietf-httpapi-ratelimit-headers-06).

use wick_limits::{Limits, Rate, Standing};
use wick_native::headers::{Side, add};
use wick_native::request::Request;

/// Of two rates the one is told that will refuse first.
pub fn granted(r: Request, limits: &Limits, standing: Standing) {
    if !limits.has_headers {
        return;
    }
    let rates = limits.rates.iter().zip(standing);
    let known = rates.filter_map(|(rate, excess)| rate.map(|rate| (rate, excess)));
    if let Some((rate, excess)) = known.min_by_key(|(rate, excess)| rate.left(*excess)) {
        tell(r, rate, rate.left(excess), rate.full_in(excess));
    }
}

/// Of a request that a rate has refused; `nth`: of `Limits::rates`.
pub fn refused(r: Request, limits: &Limits, nth: usize, excess: u64) {
    let Some(rate) = limits.rates[nth].filter(|_| limits.has_headers) else { return };
    tell(r, rate, 0, rate.retry_in(excess));
    put(r, b"Retry-After", rate.retry_in(excess));
}

fn tell(r: Request, rate: Rate, left: u64, reset_seconds: u64) {
    put(r, b"RateLimit-Limit", rate.at_once());
    put(r, b"RateLimit-Remaining", left);
    put(r, b"RateLimit-Reset", reset_seconds);
}

/// A response without it, when memory ends, is as good.
fn put(r: Request, name: &[u8], value: u64) {
    let _ = add(r, Side::Response, name, value.to_string().as_bytes());
}
