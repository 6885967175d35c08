//! Addresses of sockets.

use std::net::{IpAddr, SocketAddr};

/// `None`: of neither family.
///
/// # Safety
/// A live address, whose family says which structure it is.
#[inline]
pub(crate) unsafe fn socket_address(address: *const libc::sockaddr) -> Option<SocketAddr> {
    // SAFETY: the caller's promise.
    unsafe {
        match i32::from((*address).sa_family) {
            libc::AF_INET => {
                let v4 = &*address.cast::<libc::sockaddr_in>();
                let ip = IpAddr::from(v4.sin_addr.s_addr.to_ne_bytes());
                Some(SocketAddr::new(ip, u16::from_be(v4.sin_port)))
            }
            libc::AF_INET6 => {
                let v6 = &*address.cast::<libc::sockaddr_in6>();
                let ip = IpAddr::from(v6.sin6_addr.s6_addr);
                Some(SocketAddr::new(ip, u16::from_be(v6.sin6_port)))
            }
            _ => None,
        }
    }
}
