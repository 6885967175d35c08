//! What a connection that is handed on brings along: the name of its backend, which the stream module asks for by a variable, or the address that
//! the client has connected to, by which its stream is found.

use std::ffi::c_void;
use std::net::SocketAddr;
use std::ptr::NonNull;

use wick_native::connection::Connection;
use wick_native::stream::session::Session;

/// In the connection's pool.
enum Handed<'c> {
    ToBackend(&'c [u8]),
    ToStream(SocketAddr),
}

/// Notes the backend that `connection` goes to. `None`: out of memory.
pub fn to_backend(connection: Connection<'_>, backend: &[u8]) -> Option<()> {
    note(connection, Handed::ToBackend(&*connection.pool().copy(backend)?))
}

/// Notes where the client has connected to. `None`: out of memory.
pub fn to_stream(connection: Connection<'_>, at: SocketAddr) -> Option<()> {
    note(connection, Handed::ToStream(at))
}

fn note<'c>(connection: Connection<'c>, handed: Handed<'c>) -> Option<()> {
    let pool = connection.pool();
    let handed = pool.put(handed)?;
    pool.on_destroy(mark, handed.as_ptr().cast())
}

/// By this function what was noted is found again; there is nothing to be done when the connection ends.
unsafe extern "C" fn mark(_: *mut c_void) {}

/// The backend of a session; it has none if its connection was not handed on.
pub fn backend(s: Session<'_>) -> Option<&[u8]> {
    match handed(s)? {
        Handed::ToBackend(backend) => Some(backend),
        Handed::ToStream(_) => None,
    }
}

/// Address and port of ours that the client of a session has connected to, whose stream it is. `None`: it was not handed on to one.
pub fn stream_address(s: Session<'_>) -> Option<SocketAddr> {
    match handed(s)? {
        Handed::ToStream(at) => Some(*at),
        Handed::ToBackend(_) => None,
    }
}

fn handed(s: Session<'_>) -> Option<&Handed<'_>> {
    let handed: NonNull<Handed<'_>> = s.connection().pool().kept_for(mark)?.cast();
    // SAFETY: `note` put it into this very pool, and nobody else registers this function.
    Some(unsafe { handed.as_ref() })
}
