//! Connections of QUIC while workers are replaced, by a reload or by another nginx that inherits the sockets.
//!
//! Workers before and after have the same sockets of UDP. Stock nginx has both read what comes: new workers answer packets of connections that they
//! do not know with a stateless reset, and ending ones throw new connections away. Here one process reads a socket at a time:
//!
//! 1. New workers wait for their turn ([`turns`]); the ones before serve everybody meanwhile.
//! 2. A worker that is asked to end has idle connections closed by nginx, as ever. Those that are in use get sockets of their own ([`own_socket`]),
//!    to which the kernel gives what their clients send. Handshakes that are under way come to their end first.
//! 3. It ends its turn.
//!
//! Without sockets of their own, where the kernel refuses them, connections in use are reset by the new workers: clients know at once.

mod own_socket;
mod turns;

use std::cell::RefCell;
use std::pin::Pin;
use std::ptr::fn_addr_eq;

use libc::c_int;
use ngx::ffi::{
    NGX_LOG_ERR, ngx_connection_t, ngx_core_conf_t, ngx_core_module, ngx_cycle_t,
    ngx_event_recvmsg, ngx_event_t, ngx_get_connection, ngx_listening_t,
};
use wick_native::guard::guard;
use wick_native::module::core_conf;
use wick_native::timer::Timer;
use wick_native::{bits, core_module, log};

use self::own_socket::{Abandoned, OwnSocket, has_handshaken};
use self::turns::Turns;
use crate::http_listeners::all;

core_module! {
    pub static TABLE: "ingress_quic";
    init_module: give_to_workers,
    init_process: start,
}

/// How long handshakes have that are under way when a worker is asked to end.
const HANDSHAKES_MS: u64 = 2_000;

/// What a process keeps for its sockets of QUIC, until its end.
struct Worker {
    cycle: *mut ngx_cycle_t,
    turns: RefCell<Turns>,
    abandoned: Abandoned,
    timer: Pin<Box<Timer<&'static Worker>>>,
}

/// In the master: sockets at the address of others have to be of the same user, and workers may be of another one.
///
/// # Safety
/// `cycle` comes into force.
unsafe fn give_to_workers(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise; the core module made its configuration. One that is not opened, as for `nginx -t`, is refused.
    unsafe {
        let core = core_conf::<ngx_core_conf_t>(cycle, ngx_core_module.index);
        if libc::geteuid() == 0 {
            for ls in all(cycle).filter(|ls| (**ls).type_ == libc::SOCK_DGRAM) {
                libc::fchown((*ls).fd, (*core).user, (*core).group);
            }
        }
    }
}

/// Behind the event module, which has the worker listen, and behind `accept`, which may have it listen no more.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise.
    let own: Vec<_> = unsafe { all(cycle).filter(|ls| is_own_quic(*ls)).collect() };
    let Some(first) = own.first() else { return };
    // SAFETY: a listener of this process, which has its descriptor.
    let fd = unsafe { (**first).fd };
    let worker: &'static Worker = Box::leak(Box::new(Worker {
        cycle,
        turns: RefCell::new(Turns::of(&own)),
        abandoned: Abandoned::new(),
        timer: Timer::new(),
    }));
    take_turns(worker);
    on_exit(worker, fd);
}

/// Whether this process reads the socket of a listener, and as QUIC.
///
/// # Safety
/// A live listener, in a process that listens.
unsafe fn is_own_quic(ls: *const ngx_listening_t) -> bool {
    // SAFETY: the caller's promise. One without a connection belongs to another worker.
    unsafe {
        let Some(connection) = (*ls).connection.as_ref() else { return false };
        let plain: unsafe extern "C" fn(*mut ngx_event_t) = ngx_event_recvmsg;
        let is_plain = (*connection.read).handler.is_some_and(|read| fn_addr_eq(read, plain));
        (*ls).type_ == libc::SOCK_DGRAM && !is_plain && bits::event::ACTIVE.is_set(connection.read)
    }
}

fn take_turns(worker: &'static Worker) {
    if worker.turns.borrow_mut().take() {
        worker.timer.as_ref().set(turns::AGAIN_MS, take_turns, worker);
    }
}

/// nginx closes idle connections when it is asked to end: one of ours that looks idle is told first, since it is older than all of clients.
fn on_exit(worker: &'static Worker, fd: c_int) {
    // SAFETY: a worker is starting; the connection is ours until its end, and `fd` stays open. Marked as a listening one, it is none that was
    // forgotten when the worker ends.
    unsafe {
        let c = ngx_get_connection(fd, log::of_cycle());
        let Some(watcher) = c.as_mut() else {
            return report("worker_connections are too few to be told of the worker's end");
        };
        watcher.data = std::ptr::from_ref(worker).cast_mut().cast();
        (*watcher.read).handler = Some(exits);
        (*watcher.read).log = log::of_cycle();
        bits::event::ACCEPT.set(watcher.read, 1);
        bits::connection::IDLE.set(watcher, 1);
    }
}

unsafe extern "C" fn exits(event: *mut ngx_event_t) {
    guard((), || {
        // SAFETY: the event of `on_exit`, whose connection is not closed.
        let worker = unsafe {
            let watcher = (*event).data.cast::<ngx_connection_t>();
            bits::connection::IDLE.set(watcher, 0);
            bits::connection::CLOSE.set(watcher, 0);
            &*(*watcher).data.cast::<Worker>()
        };
        for c in worker.clients() {
            // SAFETY: a live connection of QUIC. nginx would close one in the middle of its handshake.
            unsafe {
                if !has_handshaken(c) {
                    bits::connection::IDLE.set(c, 0);
                }
            }
        }
        worker.timer.as_ref().set(0, hand_over, worker);
    })
}

/// Idle connections are closed, or closing: others stay.
fn hand_over(worker: &'static Worker) {
    for c in worker.clients() {
        // SAFETY: a live connection of QUIC.
        if let Err(error) = unsafe { OwnSocket::open(c, &worker.abandoned) } {
            report(&format!("a connection gets no socket of its own: {error}"));
        }
    }
    worker.turns.borrow_mut().end();
    worker.timer.as_ref().set(HANDSHAKES_MS, retire_rest, worker);
}

/// What nginx has said to all others: no further requests.
fn retire_rest(worker: &'static Worker) {
    for c in worker.clients() {
        // SAFETY: a live connection of QUIC, told as `ngx_close_idle_connections` does. It may be gone afterwards.
        unsafe {
            if !bits::connection::IDLE.is_set(c) {
                bits::connection::IDLE.set(c, 1);
                bits::connection::CLOSE.set(c, 1);
                if let Some(handler) = (*(*c).read).handler {
                    handler((*c).read);
                }
            }
        }
    }
}

impl Worker {
    /// Of QUIC, open ones. Any of them may be closed while the next is asked for.
    fn clients(&self) -> impl Iterator<Item = *mut ngx_connection_t> {
        // SAFETY: the cycle of this process has as many connections; those that are free have no descriptor.
        unsafe {
            let (first, count) = ((*self.cycle).connections, (*self.cycle).connection_n);
            (0..count).map(move |nth| first.add(nth)).filter(|c| is_client(*c))
        }
    }
}

/// Connections of QUIC have the descriptor of their listener; their streams are of another type.
///
/// # Safety
/// One of the connections of this process.
unsafe fn is_client(c: *mut ngx_connection_t) -> bool {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(ls) = (*c).listening.as_ref() else { return false };
        let is_open = (*c).fd != -1 && (*c).type_ == libc::SOCK_DGRAM;
        is_open && (*c).fd == ls.fd && c != ls.connection && !(*c).pool.is_null()
    }
}

fn report(what: &str) {
    log::write(log::of_cycle(), NGX_LOG_ERR as usize, format_args!("QUIC: {what}"));
}
