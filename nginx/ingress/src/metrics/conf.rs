//! What the module keeps of the configuration: for all requests, and per location.

use super::endpoint_table::EndpointMetrics;
use super::table::Metrics;
use crate::zone::ZoneUses;

/// `None`: nothing is counted.
#[derive(Default)]
pub struct MainConf {
    pub requests: Option<Metrics>,
    /// Attempts, by endpoint.
    pub endpoints: Option<EndpointMetrics>,
    pub zones: ZoneUses,
}

/// Whether requests that end in a location are counted; `None`: as around it.
#[derive(Default)]
pub struct LocConf(pub Option<bool>);

impl LocConf {
    pub fn inherit(outer: &LocConf, inner: &mut LocConf) {
        inner.0 = inner.0.or(outer.0);
    }

    #[inline]
    pub fn counts(&self) -> bool {
        self.0 == Some(true)
    }
}
