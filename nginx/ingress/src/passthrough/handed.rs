//! What a connection that is handed on brings along: the name of its backend, which the stream module asks for by a variable.

use std::ffi::c_void;
use std::ptr::NonNull;

use wick_native::connection::Connection;
use wick_native::stream::session::Session;

/// In the connection's pool.
struct Handed<'c> {
    backend: &'c [u8],
}

/// Notes where `connection` goes. `None`: out of memory.
pub fn note(connection: Connection<'_>, backend: &[u8]) -> Option<()> {
    let pool = connection.pool();
    let backend = &*pool.copy(backend)?;
    let handed = pool.put(Handed { backend })?;
    pool.on_destroy(mark, handed.as_ptr().cast())
}

/// By this function what was noted is found again; there is nothing to be done when the connection ends.
unsafe extern "C" fn mark(_: *mut c_void) {}

/// The backend of a session; it has none if its connection was not handed on.
pub fn backend(s: Session<'_>) -> Option<&[u8]> {
    let handed: NonNull<Handed<'_>> = s.connection().pool().kept_for(mark)?.cast();
    // SAFETY: `note` put it into this very pool, and nobody else registers this function.
    Some(unsafe { handed.as_ref() }.backend)
}
