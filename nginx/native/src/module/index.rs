//! A module's place in nginx's arrays.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Where nginx keeps a module's configurations and contexts: the `ctx_index` of an HTTP module, the `index` of a core module.
/// The module's tables set it before any of the module's directives, handlers and filters is called.
pub struct ModuleIndex(AtomicUsize);

impl ModuleIndex {
    /// For a static.
    pub const fn unset() -> ModuleIndex {
        ModuleIndex(AtomicUsize::new(usize::MAX))
    }

    #[inline(always)]
    pub fn get(&self) -> usize {
        self.0.load(Relaxed)
    }

    /// Called by the module's tables.
    pub fn set(&self, index: usize) {
        self.0.store(index, Relaxed);
    }
}
