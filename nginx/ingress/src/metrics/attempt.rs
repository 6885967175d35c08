//! What nginx has noted of an attempt.

use ngx::ffi::{ngx_http_upstream_state_t, ngx_msec_t};
use wick_metrics::Cause;

/// nginx has set the status of an attempt that failed: 504 when it took too long.
pub fn cause(failed: &ngx_http_upstream_state_t) -> Cause {
    Cause::of(failed.connect_time != ngx_msec_t::MAX, has_head(failed), failed.status == 504)
}

/// What was wrong with it, whether another one was made or not; `None`: nothing, or it was not waited for.
pub fn failure(attempt: &ngx_http_upstream_state_t, was_made_again: bool) -> Option<Cause> {
    let has_failed = match attempt.status {
        0 => was_made_again,
        status => was_made_again || !has_head(attempt) || status >= 500,
    };
    has_failed.then(|| cause(attempt))
}

fn has_head(attempt: &ngx_http_upstream_state_t) -> bool {
    attempt.header_time != ngx_msec_t::MAX
}
