//! A datagram on its way to a neighbour: both its addresses, each behind its length, and its bytes.

use ngx::ffi::{ngx_connection_t, sockaddr, socklen_t};

/// A datagram of UDP has no more, and addresses of IP are short.
pub const MAX_BYTES: usize = 65_536 + 2 * 64;

pub struct Message<'m> {
    /// Addresses as the kernel writes them.
    pub local: &'m [u8],
    pub peer: &'m [u8],
    pub datagram: &'m mut [u8],
}

/// One that is to be sent.
pub struct Written(Vec<u8>);

impl Written {
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

impl Message<'_> {
    /// `None`: an address is no such as IP has.
    ///
    /// # Safety
    /// `c` is a live connection with both its addresses.
    pub unsafe fn of(c: *const ngx_connection_t, datagram: &[u8]) -> Option<Written> {
        // SAFETY: the caller's promise.
        let (local, peer) = unsafe {
            let local = address((*c).local_sockaddr, (*c).local_socklen);
            (local, address((*c).sockaddr, (*c).socklen))
        };
        let lengths = [u8::try_from(local.len()).ok()?, u8::try_from(peer.len()).ok()?];
        Some(Written([&lengths, local, peer, datagram].concat()))
    }

    /// `None`: it is none.
    pub fn read(bytes: &mut [u8]) -> Option<Message<'_>> {
        let (&mut [local, peer], rest) = bytes.split_first_chunk_mut()?;
        let (local, rest) = rest.split_at_mut_checked(local.into())?;
        let (peer, datagram) = rest.split_at_mut_checked(peer.into())?;
        Some(Message { local, peer, datagram })
    }
}

/// # Safety
/// An address of this length.
unsafe fn address<'a>(address: *const sockaddr, len: socklen_t) -> &'a [u8] {
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(address.cast(), len as usize) }
}
