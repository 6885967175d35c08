//! An endpoint that was chosen for one attempt, in the form nginx connects with.

use std::mem::MaybeUninit;
use std::net::IpAddr;
use std::ptr::NonNull;

use ngx::ffi::{ngx_peer_connection_t, ngx_str_t};
use wick_abi::{Address, AddressText};
use wick_native::request::Request;

/// Lives in the request's pool, because nginx keeps address and name until the log phase. The choices
/// of a request hang together, the latest first.
pub struct Choice {
    pub previous: Option<NonNull<Choice>>,
    pub address: Address,
    /// The filter's own number for it, see the attempt record.
    pub tag: u32,
    socklen: libc::socklen_t,
    name: ngx_str_t,
    sockaddr: MaybeUninit<libc::sockaddr_in6>,
    text: AddressText,
}

impl Choice {
    /// Prepares a connection to `address`; `None`: out of memory.
    pub fn put(
        r: Request,
        address: &Address,
        previous: Option<NonNull<Choice>>,
    ) -> Option<NonNull<Choice>> {
        let mut sockaddr = MaybeUninit::uninit();
        let socklen = write_sockaddr(address, &mut sockaddr);
        let name = ngx_str_t { len: 0, data: std::ptr::null_mut() };
        let tag = wick_abi::attempt::NO_TAG;
        let text = address.text();
        let choice = r.pool().put(Choice {
            previous,
            address: *address,
            tag,
            socklen,
            name,
            sockaddr,
            text,
        })?;
        // SAFETY: just made; the text does not move any more.
        unsafe {
            let text = (*choice.as_ptr()).text.as_bytes();
            (*choice.as_ptr()).name = wick_native::text::borrowed(text);
        }
        Some(choice)
    }

    /// `ip:port`
    pub fn name(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// Lets nginx connect to `choice`.
    pub fn fill(choice: NonNull<Choice>, connection: &mut ngx_peer_connection_t) {
        // SAFETY: the choice lives as long as the request, so these pointers do.
        unsafe {
            connection.sockaddr = (&raw mut (*choice.as_ptr()).sockaddr).cast();
            connection.socklen = choice.as_ref().socklen;
            connection.name = &raw mut (*choice.as_ptr()).name;
        }
    }
}

fn write_sockaddr(address: &Address, to: &mut MaybeUninit<libc::sockaddr_in6>) -> libc::socklen_t {
    match address.ip {
        IpAddr::V4(ip) => {
            let v4 = libc::sockaddr_in {
                sin_family: libc::AF_INET as libc::sa_family_t,
                sin_port: address.port.to_be(),
                sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes(ip.octets()) },
                sin_zero: [0; 8],
            };
            const { assert!(size_of::<libc::sockaddr_in>() <= size_of::<libc::sockaddr_in6>()) };
            // SAFETY: large enough, and aligned at least as strictly.
            unsafe { to.as_mut_ptr().cast::<libc::sockaddr_in>().write(v4) };
            size_of::<libc::sockaddr_in>() as libc::socklen_t
        }
        IpAddr::V6(ip) => {
            to.write(libc::sockaddr_in6 {
                sin6_family: libc::AF_INET6 as libc::sa_family_t,
                sin6_port: address.port.to_be(),
                sin6_flowinfo: 0,
                sin6_addr: libc::in6_addr { s6_addr: ip.octets() },
                sin6_scope_id: 0,
            });
            size_of::<libc::sockaddr_in6>() as libc::socklen_t
        }
    }
}
