//! Chains of buffers, in which nginx passes bodies on.

use std::ptr::NonNull;

use ngx::ffi::ngx_chain_t;

/// One link of an output or body chain after the other.
///
/// # Safety
/// `chain` and all its links are live while the iterator is.
pub unsafe fn links(chain: *mut ngx_chain_t) -> impl Iterator<Item = NonNull<ngx_chain_t>> {
    // SAFETY: the caller's promise.
    std::iter::successors(NonNull::new(chain), |link| NonNull::new(unsafe { link.as_ref().next }))
}
