//! One engine of libmodsecurity for a process, which all sets and transactions share.

use std::path::Path;
use std::ptr::NonNull;

use crate::library::{Library, RawEngine};
use crate::log_lines;

/// The library, ready to be used. It stays as long as the process.
pub struct Engine {
    pub(crate) library: Library,
    pub(crate) raw: NonNull<RawEngine>,
}

// SAFETY: the engine is written to while it is made; afterwards threads only read it. Its collections, which transactions share, have locks of their own.
unsafe impl Send for Engine {}
// SAFETY: as above.
unsafe impl Sync for Engine {}

impl Engine {
    /// # Errors: why the library cannot be used.
    pub fn load(path: &Path) -> Result<&'static Engine, String> {
        let library = Library::load(path)?;
        // SAFETY: functions of the library, in the order that its headers ask for.
        let raw = unsafe { (library.init)() };
        let raw = NonNull::new(raw).ok_or("libmodsecurity cannot start")?;
        // SAFETY: the engine that was just made; a text and a function that live as long as the process.
        unsafe {
            (library.set_connector_info)(raw.as_ptr(), c"wick".as_ptr());
            (library.set_log_cb)(raw.as_ptr(), log_lines::collect);
        }
        Ok(Box::leak(Box::new(Engine { library, raw })))
    }
}
