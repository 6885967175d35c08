//! Connections of clients that nobody has read from yet.

use std::io;
use std::marker::PhantomData;
use std::ptr::NonNull;

use ngx::ffi::{ngx_connection_t, ngx_event_t, ngx_log_t};

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
