//! What a worker keeps for the requests of one configuration, so that none of them allocates it anew.

use std::cell::Cell;

use crate::limited_log::LimitedLog;
use crate::matching::Matching;

#[derive(Default)]
pub struct Worker {
    pub matching: Matching,
    /// The memory in which texts are put together; taken while one is.
    pub scratch: Cell<Vec<u8>>,
    /// Requests that get an error.
    pub errors: LimitedLog,
    /// Texts that are no patterns: each is looked at once, so its line must not wait behind those of requests.
    pub bad_patterns: LimitedLog,
}
