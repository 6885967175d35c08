//! Attempts of a request, each counted at its endpoint when the request has ended.

use ngx::ffi::{ngx_http_upstream_state_t, ngx_msec_t};
use wick_metrics::{EndpointLabels, Family};
use wick_native::request::Request;
use wick_native::text::bytes;
use wick_native::variable;

use super::attempt::failure;
use super::endpoint_table::EndpointMetrics;
use super::noted::endpoint_metrics;

/// Nothing happens where it is not asked for.
#[inline(always)]
pub fn count(r: Request) {
    if let Some(endpoints) = endpoint_metrics(r) {
        count_attempts(r, endpoints);
    }
}

/// Those without a peer stand between the attempts before an internal redirect, to an error page, and those behind it.
fn count_attempts(r: Request, endpoints: &EndpointMetrics) {
    let attempts = r.attempts();
    let behind = attempts.iter().rposition(|attempt| attempt.peer.is_null()).map_or(0, |at| at + 1);
    let (before, last) = attempts.split_at(behind);
    let settings = &endpoints.settings;
    count_at(last, backend(r, settings.backend_at, settings.alternative_at), endpoints);
    if !before.is_empty() {
        let failed = backend(r, settings.failed_backend_at, settings.failed_alternative_at);
        count_at(before, failed, endpoints);
    }
}

/// The backend that the endpoints are of: a canary's where one took the request.
#[inline]
fn backend<'r>(r: Request<'r>, backend_at: usize, alternative_at: usize) -> &'r [u8] {
    let named = |index| variable::at(r, index).filter(|name| !name.is_empty());
    named(alternative_at).or_else(|| named(backend_at)).unwrap_or_default()
}

fn count_at(attempts: &[ngx_http_upstream_state_t], backend: &[u8], endpoints: &EndpointMetrics) {
    for (nth, attempt) in attempts.iter().enumerate() {
        if attempt.peer.is_null() {
            continue;
        }
        // SAFETY: a peer's name lives as long as the request.
        let endpoint = unsafe { bytes(*attempt.peer) };
        let Some(cells) = endpoints.cells(&EndpointLabels { backend, endpoint }) else { continue };
        cells.request();
        if attempt.header_time != ngx_msec_t::MAX {
            cells.observe(Family::HeaderDuration, attempt.header_time as u64);
        }
        let was_made_again = attempts.get(nth + 1).is_some_and(|next| !next.peer.is_null());
        if let Some(cause) = failure(attempt, was_made_again) {
            cells.failed(cause);
        }
    }
}
