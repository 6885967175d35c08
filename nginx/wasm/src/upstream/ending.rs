//! What became of an attempt.

use ngx::ffi::ngx_msec_t;
use wick_abi::attempt::{NO_TIME, Outcome};

use crate::clock::NS_PER_MS;

pub struct Ending {
    /// nginx, or the status that it got, says that the attempt failed.
    pub failed: bool,
    pub outcome: Outcome,
    /// Of the response, 0 without a head.
    pub status: u32,
    /// Nanoseconds, or [`NO_TIME`].
    pub connect_time: u64,
    pub first_byte_time: u64,
}

impl Ending {
    /// Of a choice that nobody connected to, because something else serves.
    pub const UNUSED: Ending = Ending {
        failed: false,
        outcome: Outcome::Inconclusive,
        status: 0,
        connect_time: NO_TIME,
        first_byte_time: NO_TIME,
    };
}

/// What nginx has for a time that it did not measure.
pub const UNKNOWN: ngx_msec_t = ngx_msec_t::MAX;

/// Of a time that nginx measured, or did not.
pub fn nanoseconds(time: ngx_msec_t) -> u64 {
    if time == UNKNOWN { NO_TIME } else { time as u64 * NS_PER_MS }
}
