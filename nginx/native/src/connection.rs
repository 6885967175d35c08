//! Connections of clients that nobody has read from yet.

use std::io;
use std::marker::PhantomData;
use std::net::SocketAddr;
use std::ptr::{NonNull, copy_nonoverlapping, null_mut};

use ngx::ffi::{
    ngx_connection_local_sockaddr, ngx_connection_t, ngx_create_temp_buf, ngx_event_t, ngx_log_t,
};

use crate::address::socket_address;
use crate::code::OK;
use crate::pool::Pool;
use crate::text::bytes;

/// A connection that nginx has accepted, and that is open for `'c`.
#[derive(Clone, Copy)]
pub struct Connection<'c>(NonNull<ngx_connection_t>, PhantomData<&'c ngx_connection_t>);

/// What lies in the socket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peeked {
    /// This many bytes; at least one.
    Bytes(usize),
    Nothing,
    /// The client has closed, or something is wrong: the next read says so again.
    End,
}

impl<'c> Connection<'c> {
    /// # Safety
    /// `c` is an open connection, and is not closed before `'c` ends.
    pub unsafe fn from_raw(c: *mut ngx_connection_t) -> Connection<'c> {
        // SAFETY: the caller's promise.
        Connection(unsafe { NonNull::new_unchecked(c) }, PhantomData)
    }

    pub fn as_ptr(self) -> *mut ngx_connection_t {
        self.0.as_ptr()
    }

    pub fn pool(self) -> Pool<'c> {
        // SAFETY: a connection has a pool as long as it is open.
        unsafe { Pool::from_raw((*self.as_ptr()).pool) }
    }

    pub fn log(self) -> *mut ngx_log_t {
        // SAFETY: an open connection.
        unsafe { (*self.as_ptr()).log }
    }

    pub fn read_event(self) -> *mut ngx_event_t {
        // SAFETY: an open connection.
        unsafe { (*self.as_ptr()).read }
    }

    /// The peer's address as text, without port.
    pub fn peer(self) -> &'c [u8] {
        // SAFETY: the text lies in the connection's pool.
        unsafe { bytes((*self.as_ptr()).addr_text) }
    }

    /// The peer's address and port; `None`: it is on a unix socket.
    #[inline]
    pub fn peer_address(self) -> Option<SocketAddr> {
        // SAFETY: an open connection has an address.
        unsafe { socket_address((*self.as_ptr()).sockaddr.cast()) }
    }

    /// Address and port of ours that the peer has connected to. `None`: on a unix socket, or the kernel does not say.
    pub fn local_address(self) -> Option<SocketAddr> {
        let c = self.as_ptr();
        // SAFETY: an open connection; nginx sets its local address, or has done so.
        unsafe {
            let is_known = ngx_connection_local_sockaddr(c, null_mut(), 0) == OK;
            is_known.then(|| socket_address((*c).local_sockaddr.cast())).flatten()
        }
    }

    /// Whether it is TCP or a unix socket, not UDP.
    #[inline]
    pub fn is_stream(self) -> bool {
        // SAFETY: an open connection.
        unsafe { (*self.as_ptr()).type_ == libc::SOCK_STREAM }
    }

    /// Whether a PROXY header was read.
    pub fn has_proxy_header(self) -> bool {
        // SAFETY: an open connection.
        unsafe { !(*self.as_ptr()).proxy_protocol.is_null() }
    }

    /// How many bytes went to the peer.
    pub fn sent_bytes(self) -> u64 {
        // SAFETY: an open connection.
        u64::try_from(unsafe { (*self.as_ptr()).sent }).unwrap_or(0)
    }

    /// What the other side gets before all that was read ahead and all that the peer will send. `None`: out of memory.
    pub fn put_first(self, bytes: &[u8]) -> Option<()> {
        // SAFETY: an open connection; what was read ahead, if anything was, lies between `pos` and `last`.
        unsafe {
            let c = self.as_ptr();
            let ahead: &[u8] = match (*c).buffer.as_ref() {
                None => &[],
                Some(read) => {
                    let len = read.last.offset_from_unsigned(read.pos);
                    std::slice::from_raw_parts(read.pos, len)
                }
            };
            let all = [bytes, ahead].concat();
            let buffer = NonNull::new(ngx_create_temp_buf((*c).pool, all.len()))?.as_ptr();
            copy_nonoverlapping(all.as_ptr(), (*buffer).last, all.len());
            (*buffer).last = (*buffer).last.add(all.len());
            (*c).buffer = buffer;
        }
        Some(())
    }

    /// Copies what has come, and leaves it where it is.
    pub fn peek(self, buffer: &mut [u8]) -> Peeked {
        // SAFETY: an open descriptor, which does not block, and a buffer of that length.
        let n = unsafe {
            let fd = (*self.as_ptr()).fd;
            libc::recv(fd, buffer.as_mut_ptr().cast(), buffer.len(), libc::MSG_PEEK)
        };
        match n {
            1.. => Peeked::Bytes(n as usize),
            -1 if io::Error::last_os_error().kind() == io::ErrorKind::WouldBlock => Peeked::Nothing,
            _ => Peeked::End,
        }
    }
}
