//! Connections to endpoints that wait for their next request: `wasm_upstream_select … keepalive=N`.
//!
//! nginx's own `keepalive` compares the wanted address with one waiting connection after the other. All backends share one
//! upstream block, so that there are many of them: with a thousand endpoints the comparing took twice as long as everything
//! else that nginx does for a request. Here they are found by their endpoint, and by all else that makes a connection what it
//! is. What is kept, and when it is closed, is as nginx has it (ngx_http_upstream_keepalive_module).

use std::cell::RefCell;
use std::ffi::c_void;
use std::ptr::{NonNull, null_mut};

use ngx::ffi::{
    NGX_PEER_FAILED, ngx_close_connection, ngx_connection_t, ngx_current_msec, ngx_cycle,
    ngx_destroy_pool, ngx_event_t, ngx_exiting, ngx_handle_read_event, ngx_http_upstream_t,
    ngx_log_t, ngx_peer_connection_t, ngx_ssl_shutdown, ngx_terminate, ngx_uint_t,
};
use wick_native::bits;
use wick_native::code::{AGAIN, OK};
use wick_native::event;
use wick_native::guard::guard;

use super::destination::Destination;
use super::table::{Place, Table};

type Connection = NonNull<ngx_connection_t>;

/// When a connection is not kept, or no longer.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How many connections a worker keeps; 0: none.
    pub max_idle: usize,
    pub timeout_ms: usize,
    /// Requests over one connection.
    pub requests: usize,
    /// Age at which it gets no further request.
    pub time_ms: usize,
}

/// nginx's own values, but for `max_idle`.
impl Default for Limits {
    fn default() -> Limits {
        Limits { max_idle: 0, timeout_ms: 60_000, requests: 1000, time_ms: 3_600_000 }
    }
}

/// The waiting connections of one upstream block in this worker. Lives as long as the configuration.
pub struct Idle {
    limits: Limits,
    /// Made when the first connection is kept, so never in the master.
    waiting: RefCell<Option<Waiting>>,
}

struct Waiting {
    table: Table<Destination, Connection>,
    /// What the `data` of the connection at each place points to.
    tickets: Box<[Ticket]>,
}

/// How a connection that is closed finds its entry.
struct Ticket {
    idle: NonNull<Idle>,
    place: Place,
}

impl Idle {
    pub fn new(limits: Limits) -> Idle {
        Idle { limits, waiting: RefCell::new(None) }
    }

    /// A connection for the next request, the one that waited shortest. `log`: that of the request.
    #[inline]
    pub fn take(&self, to: &Destination, log: *mut ngx_log_t) -> Option<Connection> {
        let connection = self.waiting.borrow_mut().as_mut()?.table.take(to)?;
        // SAFETY: connections are live while they wait.
        unsafe { wake(connection.as_ptr(), log) };
        Some(connection)
    }

    /// Takes the connection of an attempt that ended over from `peer`, if another request may use it.
    ///
    /// # Safety
    /// `peer` is that of `upstream`, a live request's; nginx is freeing it with `state`. The connection leads to `to`.
    #[inline]
    pub unsafe fn keep(
        &self,
        to: Destination,
        peer: *mut ngx_peer_connection_t,
        upstream: *const ngx_http_upstream_t,
        state: ngx_uint_t,
    ) {
        // SAFETY: the caller's promise.
        let Some(connection) = NonNull::new(unsafe { (*peer).connection }) else { return };
        let failed = state & NGX_PEER_FAILED as usize != 0;
        // SAFETY: the caller's promise.
        unsafe {
            let c = connection.as_ptr();
            if failed || !self.may_stay(c, &*upstream) || ngx_handle_read_event((*c).read, 0) != OK
            {
                return;
            }
            (*peer).connection = null_mut();
            self.put(to, connection);
            if bits::event::READY.is_set((*c).read) {
                on_read((*c).read); // closed meanwhile, or something came that nobody asked for
            }
        }
    }

    unsafe fn may_stay(&self, c: *const ngx_connection_t, upstream: &ngx_http_upstream_t) -> bool {
        // SAFETY: a live connection; the other words are this thread's.
        unsafe {
            use bits::event::{EOF, ERROR, TIMEDOUT};
            let (c, read, write) = (&*c, (*c).read, (*c).write);
            let is_sound = !(EOF.is_set(read) | ERROR.is_set(read) | TIMEDOUT.is_set(read))
                && !(ERROR.is_set(write) | TIMEDOUT.is_set(write));
            let is_over = bits::upstream::KEEPALIVE.is_set(upstream)
                & bits::upstream::REQUEST_BODY_SENT.is_set(upstream);
            let is_young = ngx_current_msec.wrapping_sub(c.start_time) <= self.limits.time_ms;
            let has_more = c.requests < self.limits.requests;
            let is_worker_staying = ngx_terminate == 0 && ngx_exiting == 0;
            is_sound && is_over && is_young && has_more && is_worker_staying
        }
    }

    unsafe fn put(&self, to: Destination, connection: Connection) {
        let mut waiting = self.waiting.borrow_mut();
        let waiting = waiting.get_or_insert_with(|| self.room());
        let (place, displaced) = waiting.table.put(to, connection);
        let ticket = &raw const waiting.tickets[place as usize];
        // SAFETY: live connections; the ticket stays where it is as long as `self`.
        unsafe {
            lull(connection.as_ptr(), ticket, self.limits.timeout_ms);
            if let Some(displaced) = displaced {
                close(displaced.as_ptr());
            }
        }
    }

    fn room(&self) -> Waiting {
        let idle = NonNull::from(self);
        let tickets = (0..self.limits.max_idle).map(|place| Ticket { idle, place: place as Place });
        Waiting { table: Table::new(self.limits.max_idle), tickets: tickets.collect() }
    }
}

unsafe fn lull(c: *mut ngx_connection_t, ticket: *const Ticket, timeout_ms: usize) {
    // SAFETY: the caller's: a live connection that no request uses any more.
    unsafe {
        let (read, write) = ((*c).read, (*c).write);
        bits::event::DELAYED.set(read, 0);
        event::set_timer(read, timeout_ms);
        event::stop_timer(write);
        (*write).handler = Some(on_write);
        (*read).handler = Some(on_read);
        (*c).data = ticket.cast_mut().cast();
        bits::connection::IDLE.set(c, 1);
        log_to(c, (*ngx_cycle).log);
    }
}

unsafe fn wake(c: *mut ngx_connection_t, log: *mut ngx_log_t) {
    // SAFETY: the caller's: a live connection, which is a request's from now on.
    unsafe {
        bits::connection::IDLE.set(c, 0);
        (*c).sent = 0;
        (*c).data = null_mut();
        log_to(c, log);
        event::stop_timer((*c).read);
    }
}

unsafe fn log_to(c: *mut ngx_connection_t, log: *mut ngx_log_t) {
    // SAFETY: the caller's: a live connection to an upstream, which has a pool.
    unsafe {
        (*c).log = log;
        (*(*c).read).log = log;
        (*(*c).write).log = log;
        (*(*c).pool).log = log;
    }
}

unsafe extern "C" fn on_write(_: *mut ngx_event_t) {}

/// A waiting connection has something to read: its end, mostly. Or it waited too long, or nginx wants it closed.
unsafe extern "C" fn on_read(event: *mut ngx_event_t) {
    // SAFETY: nginx calls with the event of a live connection, whose data is the ticket that `lull` put there.
    guard((), || unsafe {
        let c = (*event).data.cast::<ngx_connection_t>();
        if !bits::connection::CLOSE.is_set(c)
            && !bits::event::TIMEDOUT.is_set(event)
            && is_silent(c)
        {
            bits::event::READY.set(event, 0);
            if ngx_handle_read_event(event, 0) == OK {
                return;
            }
        }
        let ticket = &*(*c).data.cast::<Ticket>();
        if let Some(waiting) = ticket.idle.as_ref().waiting.borrow_mut().as_mut() {
            waiting.table.remove(ticket.place);
        }
        close(c);
    })
}

/// Whether nothing came, not even the end.
unsafe fn is_silent(c: *const ngx_connection_t) -> bool {
    let mut byte = 0_u8;
    // SAFETY: the caller's: an open connection; room for one byte.
    let read = unsafe { libc::recv((*c).fd, (&raw mut byte).cast::<c_void>(), 1, libc::MSG_PEEK) };
    read == -1 && std::io::Error::last_os_error().kind() == std::io::ErrorKind::WouldBlock
}

unsafe extern "C" fn close(c: *mut ngx_connection_t) {
    // SAFETY: nginx, or the caller: a live connection that nobody refers to any more.
    guard((), || unsafe {
        if !(*c).ssl.is_null() {
            bits::tls::NO_WAIT_SHUTDOWN.set((*c).ssl, 1);
            bits::tls::NO_SEND_SHUTDOWN.set((*c).ssl, 1);
            if ngx_ssl_shutdown(c) == AGAIN {
                (*(*c).ssl).handler = Some(close);
                return;
            }
        }
        ngx_destroy_pool((*c).pool);
        ngx_close_connection(c);
    })
}
