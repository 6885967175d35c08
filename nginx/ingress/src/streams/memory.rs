//! How much memory a session has at first.

use ngx::ffi::ngx_cycle_t;
use wick_native::stream::has_listener;

use crate::http_listeners::all;

/// nginx gives 256 bytes, and as many again whenever they are full: a session needs some ten times that, and each further piece costs a search of
/// those before it. This is room for all that a session of a record needs, in one piece.
const SESSION_BYTES: usize = 2560;

/// Before any connection is accepted.
///
/// # Safety
/// `cycle` is live and its configuration was read.
pub unsafe fn widen(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; nobody else refers to a listener now.
    unsafe {
        for ls in all(cycle).filter(|ls| has_listener(*ls)) {
            (*ls).pool_size = (*ls).pool_size.max(SESSION_BYTES);
        }
    }
}
