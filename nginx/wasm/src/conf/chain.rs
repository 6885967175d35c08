//! The filters that a location's requests pass, in order.

use std::ptr::{NonNull, null_mut};

use wick_native::request::Request;

use super::MainConf;
use crate::module;

/// The filters of one configuration level; lives as long as the cycle.
pub struct Chain {
    pub main: NonNull<MainConf>,
    /// Indices of `MainConf::roots`; their order is the order of calls in every step.
    pub roots: Vec<usize>,
}

/// A level's own chain, or the one it inherits; null: no filter.
pub struct LocConf {
    pub chain: *mut Chain,
}

impl Default for LocConf {
    fn default() -> LocConf {
        LocConf { chain: null_mut() }
    }
}

/// The chain of the location that `r` is in now.
#[inline]
pub fn of_request(r: Request<'_>) -> Option<&Chain> {
    // SAFETY: the module made the configuration, and the cycle outlives its requests.
    unsafe { (*r.loc_conf::<LocConf>(module::HTTP.get())).chain.as_ref() }
}
