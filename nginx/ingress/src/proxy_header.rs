//! PROXY headers that lie in the socket, read as nginx reads them.
//!
//! No module of nginx's.

use ngx::ffi::ngx_proxy_protocol_read;
use wick_native::connection::Connection;

/// Takes a header out of the socket, where these very bytes lie: nginx has its addresses then. `None`: it cannot be read, or taken, and the
/// connection has none; of what cannot be read the log says so.
pub fn take(connection: Connection, header: &mut [u8]) -> Option<()> {
    let c = connection.as_ptr();
    let start = header.as_mut_ptr();
    // SAFETY: an open connection, and the ends of the bytes; what is received are these again.
    unsafe {
        if ngx_proxy_protocol_read(c, start, start.add(header.len())).is_null() {
            return None;
        }
        let taken = (*c).recv.map(|recv| recv(c, start, header.len()));
        if taken != Some(header.len() as isize) {
            (*c).proxy_protocol = std::ptr::null_mut();
            return None;
        }
    }
    Some(())
}
