//! What the module keeps of the configuration: for all requests, and per location.

use super::table::Metrics;

/// `None`: nothing is counted.
#[derive(Default)]
pub struct MainConf(pub Option<Metrics>);

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
