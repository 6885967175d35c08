//! Which requests were admitted: they come back where nginx redirects them inside, which clears what a module keeps.

use std::ffi::c_void;

use wick_native::request::Request;

/// Known by its address, as the data of a clean-up that does nothing.
static MARK: u8 = 0;

fn mark() -> *mut c_void {
    (&raw const MARK).cast_mut().cast()
}

/// `None`: out of memory.
pub fn note(r: Request) -> Option<()> {
    unsafe extern "C" fn nothing(_: *mut c_void) {}
    r.pool().on_destroy(nothing, mark())
}

pub fn was(r: Request) -> bool {
    r.pool().destroys(mark())
}
