//! The filters that the requests of a location, or the sessions of a server, pass, in order.

use std::ptr::NonNull;

use super::MainConf;

/// The filters of one configuration level; lives as long as the cycle.
pub struct Chain {
    pub main: NonNull<MainConf>,
    /// Indices of `MainConf::roots`; their order is the order of calls in every step.
    pub roots: Vec<usize>,
}
