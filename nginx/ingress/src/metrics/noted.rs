//! What a request carries from its route to its end: the number of a set of labels, in the place of a variable's value.

use wick_native::request::Request;
use wick_native::variable;

use super::conf::MainConf;
use super::endpoint_table::EndpointMetrics;
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
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).requests.as_ref() }
}

/// `None`: attempts are not counted by endpoint.
#[inline]
pub fn endpoint_metrics(r: Request<'_>) -> Option<&EndpointMetrics> {
    // SAFETY: as above.
    unsafe { (*r.main_conf::<MainConf>(MODULE.get())).endpoints.as_ref() }
}

#[inline]
pub fn note(r: Request, metrics: &Metrics, what: u64) {
    variable::note(r, metrics.settings.noted_at, what as usize);
}

/// `None`: nothing, as when a request fails before a location is looked for.
#[inline]
pub fn noted(r: Request, metrics: &Metrics) -> Option<u64> {
    variable::noted(r, metrics.settings.noted_at).map(|what| what as u64)
}
