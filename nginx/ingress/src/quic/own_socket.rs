//! A socket for one client, which gives what that sends to nginx's code for QUIC as a listening socket does.
//!
//! nginx looks for connections by their listener, so datagrams of any socket find theirs. It answers by the listening socket, which stays open.

use std::cell::{Cell, RefCell};
use std::io::{Error, ErrorKind, Result};
use std::os::fd::{AsRawFd, IntoRawFd};
use std::pin::Pin;
use std::ptr::{NonNull, null_mut};
use std::rc::Rc;

use ngx::ffi::{
    ngx_close_connection, ngx_connection_t, ngx_event_t, ngx_get_connection, ngx_listening_t,
};
use wick_native::connection::Connection;
use wick_native::guard::guard;
use wick_native::timer::Timer;
use wick_native::udp::{Address, connected, first_byte};
use wick_native::{bits, event};

/// Kept in the pool of the client's connection.
pub struct OwnSocket {
    /// nginx's, of our descriptor; null when it was given up.
    socket: Cell<*mut ngx_connection_t>,
    client: *mut ngx_connection_t,
    abandoned: Abandoned,
}

/// Sockets that nobody needs any more. nginx may just be reading one, so they are closed after that.
#[derive(Clone)]
pub struct Abandoned(Rc<Closer>);

struct Closer {
    sockets: RefCell<Vec<*mut ngx_connection_t>>,
    timer: Pin<Box<Timer<*const Closer>>>,
}

impl OwnSocket {
    /// # Errors
    /// The kernel refuses it, or there is no memory: the connection stays without.
    ///
    /// # Safety
    /// A live connection of QUIC.
    pub unsafe fn open(c: *mut ngx_connection_t, abandoned: &Abandoned) -> Result<()> {
        // SAFETY: the caller's promise.
        unsafe {
            let socket = begin(c)?;
            let own =
                OwnSocket { socket: Cell::new(socket), client: c, abandoned: abandoned.clone() };
            let kept = Connection::from_raw(c).pool().keep(own).ok_or(ErrorKind::OutOfMemory)?;
            (*socket).data = kept.as_ptr().cast();
            if !event::watch((*socket).read) {
                kept.as_ref().give_up();
                return Err(Error::last_os_error());
            }
            Ok(())
        }
    }

    fn give_up(&self) {
        if let Some(socket) = NonNull::new(self.socket.replace(null_mut())) {
            self.abandoned.close_soon(socket.as_ptr());
        }
    }
}

impl Drop for OwnSocket {
    fn drop(&mut self) {
        self.give_up();
    }
}

/// A connection of nginx's for a new socket, which is not watched yet.
///
/// # Safety
/// As for [`OwnSocket::open`].
unsafe fn begin(c: *mut ngx_connection_t) -> Result<*mut ngx_connection_t> {
    // SAFETY: the caller's promise: it has both addresses, and a listener.
    unsafe {
        let ls = (*c).listening;
        let own = Address { at: (*c).local_sockaddr.cast(), len: (*c).local_socklen };
        let peer = Address { at: (*c).sockaddr.cast(), len: (*c).socklen };
        let descriptor = connected(own, peer, bits::ngx_listening_s::WILDCARD.is_set(ls))?;
        let socket = ngx_get_connection(descriptor.as_raw_fd(), &raw mut (*ls).log);
        let Some(made) = socket.as_mut() else { return Err(ErrorKind::OutOfMemory.into()) };
        let _ = descriptor.into_raw_fd(); // nginx closes it with its connection
        made.type_ = libc::SOCK_DGRAM;
        made.listening = ls;
        made.log = &raw mut (*ls).log;
        (*made.read).log = made.log;
        (*made.read).handler = Some(receive);
        // Not one that was forgotten, should the worker end first.
        bits::event::ACCEPT.set(made.read, 1);
        Ok(socket)
    }
}

unsafe extern "C" fn receive(event: *mut ngx_event_t) {
    guard((), || {
        // SAFETY: the event of `begin`; what the socket is for lives until it is given up, and is not watched afterwards.
        unsafe {
            let socket = (*event).data.cast::<ngx_connection_t>();
            let own = &*(*socket).data.cast::<OwnSocket>();
            // Nothing: the kernel had an error for us, such as that the client is gone.
            let Some(byte) = first_byte((*socket).fd) else { return };
            if is_initial(byte) && has_handshaken(own.client) {
                return own.give_up();
            }
            read_as_listener(event, (*socket).listening);
        }
    })
}

/// Of a connection that does not exist yet (RFC 9000, 17.2.2). The client has come anew from the same port, and this worker takes nobody any more:
/// without a socket of its own the old connection is lost, with it the new one would be.
fn is_initial(first_byte: u8) -> bool {
    first_byte & 0xf0 == 0xc0
}

/// # Safety
/// A live connection of QUIC.
pub unsafe fn has_handshaken(c: *const ngx_connection_t) -> bool {
    // SAFETY: the caller's promise.
    unsafe { (*c).ssl.as_ref().is_some_and(|tls| bits::tls::HANDSHAKED.is_set(tls)) }
}

/// # Safety
/// `event` is the read event of a socket of UDP, `ls` a listener of QUIC in this process.
unsafe fn read_as_listener(event: *mut ngx_event_t, ls: *const ngx_listening_t) {
    // SAFETY: the caller's promise.
    unsafe {
        if let Some(read) = (*(*(*ls).connection).read).handler {
            read(event);
        }
    }
}

impl Abandoned {
    pub fn new() -> Abandoned {
        Abandoned(Rc::new(Closer { sockets: RefCell::default(), timer: Timer::new() }))
    }

    fn close_soon(&self, socket: *mut ngx_connection_t) {
        // SAFETY: an open connection of ours; what is not watched has no event.
        unsafe {
            if bits::event::ACTIVE.is_set((*socket).read) {
                let _ = event::unwatch((*socket).read); // it is closed in any case
            }
        }
        self.0.sockets.borrow_mut().push(socket);
        self.0.timer.as_ref().set(0, close_all, Rc::as_ptr(&self.0));
    }
}

fn close_all(closer: *const Closer) {
    // SAFETY: the timer is the closer's, which cancels it when it is dropped.
    let sockets = unsafe { &*closer }.sockets.take();
    for socket in sockets {
        // SAFETY: each was abandoned once, and is open.
        unsafe { ngx_close_connection(socket) };
    }
}
