//! Sockets of UDP that several processes have: whose turn it is to read one, and sockets for one peer only.

use std::io::{self, ErrorKind};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

use libc::{c_int, sockaddr, socklen_t};

/// What came of asking for a socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turn {
    /// It is this process's, until [`end_turn`] or its end.
    Own,
    OfAnother,
    /// This kernel has no locks for sockets.
    Unknown,
}

/// Asks that no other process has its turn at a socket that was inherited: a record lock of the socket itself. It belongs to a process, not to a
/// descriptor, so processes with the same socket exclude each other; and the kernel takes it back from one that dies.
pub fn take_turn(socket: RawFd) -> Turn {
    match lock(socket, libc::F_WRLCK as _) {
        Ok(()) => Turn::Own,
        Err(error) => match error.kind() {
            ErrorKind::WouldBlock | ErrorKind::PermissionDenied => Turn::OfAnother,
            _ => Turn::Unknown,
        },
    }
}

/// Lets others have theirs.
pub fn end_turn(socket: RawFd) {
    let _ = lock(socket, libc::F_UNLCK as _); // one that has none is where it should be
}

fn lock(socket: RawFd, kind: libc::c_short) -> io::Result<()> {
    // SAFETY: all zeros is a lock of the whole file, of which kind is said next; it outlives the call.
    unsafe {
        let mut lock: libc::flock = std::mem::zeroed();
        lock.l_type = kind;
        done(libc::fcntl(socket, libc::F_SETLK, &lock))
    }
}

/// An address of ours or of a peer's.
#[derive(Clone, Copy)]
pub struct Address {
    pub at: *const sockaddr,
    pub len: socklen_t,
}

/// A socket beside others of `reuseport` at the same address: datagrams of this peer come to it, and no others. What came for others while it was
/// made is dropped.
///
/// # Errors
/// Others at the address belong to another user, the port is one of those that only root may have, or there are no descriptors left.
///
/// # Safety
/// Live addresses of the same family, with their lengths.
pub unsafe fn connected(own: Address, peer: Address, tells_own: bool) -> io::Result<OwnedFd> {
    // SAFETY: the caller's promise; a new descriptor is nobody else's.
    unsafe {
        let family = c_int::from((*own.at).sa_family);
        let kind = libc::SOCK_DGRAM | libc::SOCK_NONBLOCK | libc::SOCK_CLOEXEC;
        let fd = libc::socket(family, kind, 0);
        done(fd)?;
        let socket = OwnedFd::from_raw_fd(fd);
        switch_on(&socket, libc::SOL_SOCKET, libc::SO_REUSEPORT)?;
        if tells_own {
            tell_own_address(&socket, family)?;
        }
        done(libc::bind(fd, own.at, own.len))?;
        done(libc::connect(fd, peer.at, peer.len))?;
        drop_strays(&socket);
        Ok(socket)
    }
}

/// Of each datagram: to which address of ours it came.
fn tell_own_address(socket: &OwnedFd, family: c_int) -> io::Result<()> {
    match family {
        libc::AF_INET6 => switch_on(socket, libc::IPPROTO_IPV6, libc::IPV6_RECVPKTINFO),
        _ => switch_on(socket, libc::IPPROTO_IP, libc::IP_PKTINFO),
    }
}

fn switch_on(socket: &OwnedFd, level: c_int, option: c_int) -> io::Result<()> {
    let on: c_int = 1;
    let len = size_of_val(&on) as socklen_t;
    // SAFETY: an open descriptor, and a number that outlives the call.
    done(unsafe {
        libc::setsockopt(socket.as_raw_fd(), level, option, (&raw const on).cast(), len)
    })
}

/// Between `bind` and `connect` it was a socket for everybody.
fn drop_strays(socket: &OwnedFd) {
    let mut byte = 0_u8;
    // SAFETY: an open descriptor that does not block, and a byte of ours; the rest of a datagram is cut off.
    while unsafe { libc::recv(socket.as_raw_fd(), (&raw mut byte).cast(), 1, 0) } >= 0 {}
}

/// The first byte of the datagram that comes next; it stays there. `None`: there is none.
pub fn first_byte(socket: RawFd) -> Option<u8> {
    let mut byte = 0_u8;
    let flags = libc::MSG_PEEK | libc::MSG_DONTWAIT;
    // SAFETY: as above; an empty datagram is one of zero bytes.
    let count = unsafe { libc::recv(socket, (&raw mut byte).cast(), 1, flags) };
    (count >= 0).then_some(byte)
}

fn done(result: c_int) -> io::Result<()> {
    if result < 0 { Err(io::Error::last_os_error()) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use std::mem::size_of_val;
    use std::net::{SocketAddrV4, UdpSocket};

    use super::*;

    /// A socket of `reuseport` at `port` of this machine, 0: at any.
    fn shared(port: u16) -> UdpSocket {
        // SAFETY: a new descriptor, which is nobody else's.
        let socket =
            unsafe { OwnedFd::from_raw_fd(libc::socket(libc::AF_INET, libc::SOCK_DGRAM, 0)) };
        switch_on(&socket, libc::SOL_SOCKET, libc::SO_REUSEPORT).expect("an option of the kernel");
        let at = local(port);
        // SAFETY: an open descriptor and an address that outlives the call.
        done(unsafe { libc::bind(socket.as_raw_fd(), address(&at).at, address(&at).len) })
            .expect("a free port");
        UdpSocket::from(socket)
    }

    fn local(port: u16) -> libc::sockaddr_in {
        libc::sockaddr_in {
            sin_family: libc::AF_INET as _,
            sin_port: port.to_be(),
            sin_addr: libc::in_addr { s_addr: u32::from_ne_bytes([127, 0, 0, 1]) },
            sin_zero: [0; 8],
        }
    }

    fn address(of: &libc::sockaddr_in) -> Address {
        Address { at: std::ptr::from_ref(of).cast(), len: size_of_val(of) as socklen_t }
    }

    fn port_of(socket: &UdpSocket) -> u16 {
        socket.local_addr().expect("an address").port()
    }

    #[test]
    fn a_peer_has_a_socket_of_its_own_and_others_have_the_shared_one() {
        let listening = shared(0);
        let (at, peer, other) = (port_of(&listening), shared(0), shared(0));
        let (own, to) = (local(at), local(port_of(&peer)));
        // SAFETY: live addresses.
        let of_peer = unsafe { connected(address(&own), address(&to), true) }.expect("a socket");
        let target = SocketAddrV4::new([127, 0, 0, 1].into(), at);
        peer.send_to(b"p", target).expect("sent");
        other.send_to(b"o", target).expect("sent");
        assert_eq!(first_byte(of_peer.as_raw_fd()), Some(b'p'));
        assert_eq!(first_byte(listening.as_raw_fd()), Some(b'o'));
        drop(of_peer);
        listening.recv(&mut [0; 1]).expect("what others sent");
        peer.send_to(b"q", target).expect("sent");
        assert_eq!(first_byte(listening.as_raw_fd()), Some(b'q'));
    }

    #[test]
    fn a_socket_is_read_by_one_process_at_a_time() {
        let socket = shared(0);
        let fd = socket.as_raw_fd();
        // SAFETY: the child only asks the kernel, and ends.
        let turn_of_child = || unsafe {
            let child = libc::fork();
            if child == 0 {
                libc::_exit(i32::from(take_turn(fd) == Turn::Own));
            }
            let mut status = 0;
            libc::waitpid(child, &raw mut status, 0);
            libc::WEXITSTATUS(status) == 1
        };
        assert!(turn_of_child(), "nobody had it, and the child's ended with it");
        assert_eq!(take_turn(fd), Turn::Own);
        assert!(!turn_of_child());
        end_turn(fd);
        assert!(turn_of_child());
    }
}
