//! `ingress_quic_neighbours DIRECTORY`: connections of QUIC go on in workers that end.
//!
//! The workers of two configurations have the same sockets, and no datagram says which of them it is for: nginx has either read what
//! comes, so that after a reload connections stand still and handshakes begin with a worker that is about to end
//! (nginx/nginx#425). Here a worker that ends reads the sockets no more, and a worker gives what is for no connection of its own to its
//! neighbours, those with the same sockets. They know each other by unix sockets in the directory, called by number and process.
//!
//! A datagram that is lost on the way is one that the network might have lost.

mod delivery;
mod message;
mod neighbours;

use std::cell::OnceCell;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

use ngx::ffi::{
    NGX_CONF_TAKE1, NGX_LOG_WARN, NGX_MAIN_CONF, ngx_connection_t, ngx_core_conf_t,
    ngx_core_module, ngx_cycle, ngx_cycle_t, ngx_event_actions, ngx_event_handler_pt, ngx_event_t,
    ngx_exiting, ngx_get_connection, ngx_http_close_connection, ngx_http_init_connection,
    ngx_int_t, ngx_listening_t, ngx_worker,
};
use wick_native::bits;
use wick_native::code::OK;
use wick_native::conf::{Answer, CONF_OK, Conf};
use wick_native::core_module;
use wick_native::guard::guard;
use wick_native::log;
use wick_native::module::{ModuleIndex, core_conf};
use wick_tls::{QuicKind, QuicPacket};

use self::message::Message;
use self::neighbours::Neighbours;
use crate::http_listeners::{all, is_http};

static MODULE: ModuleIndex = ModuleIndex::unset();

core_module! {
    pub static TABLE: "ingress_quic";
    directives {
        "ingress_quic_neighbours": NGX_MAIN_CONF | NGX_CONF_TAKE1 => set;
    }
    conf: Directory => MODULE,
    init_conf: hand_over,
    init_process: start,
    exit_process: end,
}

/// Where neighbours find each other; `None`: they do not.
#[derive(Default)]
struct Directory(Option<PathBuf>);

fn set(cf: Conf) -> Answer {
    let path = cf.words().nth(1).map(|path| PathBuf::from(OsStr::from_bytes(path)));
    // SAFETY: the core module made it; nobody else uses it while the configuration is read.
    unsafe { (*core_conf::<Directory>(cf.cycle(), MODULE.get())).0 = path };
    CONF_OK
}

/// The directory belongs to who workers run as.
///
/// # Safety
/// `cycle` is live and its configuration was read.
unsafe fn hand_over(cycle: *mut ngx_cycle_t) -> Option<()> {
    // SAFETY: the caller's promise; nginx's core module keeps an ngx_core_conf_t, and comes before us.
    unsafe {
        let Some(path) = &(*core_conf::<Directory>(cycle, MODULE.get())).0 else { return Some(()) };
        let core = &*core_conf::<ngx_core_conf_t>(cycle, ngx_core_module.index);
        if libc::geteuid() == 0
            && let Err(error) = std::os::unix::fs::chown(path, Some(core.user), Some(core.group))
        {
            let path = path.display();
            let line = format_args!("cannot give \"{path}\" to workers: {error}");
            log::write((*cycle).log, NGX_LOG_WARN as usize, line);
        }
    }
    Some(())
}

thread_local! {
    static WORKER: OnceCell<Worker> = const { OnceCell::new() };
}

struct Worker {
    neighbours: Neighbours,
    /// nginx's own, which reads a socket.
    read: ngx_event_handler_pt,
}

fn with<R>(otherwise: R, work: impl FnOnce(&Worker) -> R) -> R {
    WORKER.with(|worker| worker.get().map_or(otherwise, work))
}

/// Behind the event module, which has the worker listen. Without neighbours it serves as nginx does.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn start(cycle: *mut ngx_cycle_t) {
    // SAFETY: the caller's promise.
    unsafe {
        let Some(path) = &(*core_conf::<Directory>(cycle, MODULE.get())).0 else { return };
        let own: Vec<_> = own_listeners(cycle).collect();
        let Some(first) = own.first() else { return };
        let read = (*(*(**first).connection).read).handler;
        let neighbours = match Neighbours::join(path, ngx_worker) {
            Ok(neighbours) => neighbours,
            Err(error) => {
                let line = format_args!("QUIC does not outlive a reload, no socket there: {error}");
                return log::write((*cycle).log, NGX_LOG_WARN as usize, line);
            }
        };
        if watch(cycle, &neighbours).is_none() {
            return;
        }
        for ls in own {
            (*ls).handler = Some(accepted);
            (*(*(*ls).connection).read).handler = Some(readable);
        }
        WORKER.with(|worker| drop(worker.set(Worker { neighbours, read })));
    }
}

/// # Safety
/// `cycle` is live; of a process it is only that of the worker.
unsafe fn end(_: *mut ngx_cycle_t) {
    with((), |worker| worker.neighbours.leave());
}

/// The sockets of QUIC that this worker reads.
///
/// # Safety
/// `cycle` is the one of this process.
unsafe fn own_listeners(cycle: *mut ngx_cycle_t) -> impl Iterator<Item = *mut ngx_listening_t> {
    // SAFETY: the caller's promise. HTTP by datagrams is QUIC; a listener without a connection belongs to another worker.
    unsafe {
        all(cycle).filter(|ls| {
            let ls = *ls;
            let handled = (*ls).handler;
            let is_ours = handled.is_some_and(|it| it as *const () == accepted as *const ());
            (*ls).type_ == libc::SOCK_DGRAM
                && !(*ls).connection.is_null()
                && (is_http(ls) || is_ours)
        })
    }
}

/// Has the event loop watch what neighbours send. `None`: it cannot.
///
/// # Safety
/// `cycle` is the one of this process; the socket is open as long as it.
unsafe fn watch(cycle: *mut ngx_cycle_t, neighbours: &Neighbours) -> Option<()> {
    // SAFETY: the caller's promise.
    unsafe {
        let c = ngx_get_connection(neighbours.descriptor(), (*cycle).log).as_mut()?;
        let event = &mut *c.read;
        event.log = (*cycle).log;
        event.handler = Some(forwarded);
        // nginx's word for what is no connection of a client's, and may be open when a worker ends.
        bits::event::CHANNEL.set(event, 1);
        let add = ngx_event_actions.add?;
        (add(event, (libc::EPOLLIN | libc::EPOLLRDHUP) as ngx_int_t, 0) == OK).then_some(())
    }
}

/// Something lies in a socket. A worker that ends leaves it to those that go on.
unsafe extern "C" fn readable(event: *mut ngx_event_t) {
    // SAFETY: nginx calls with the event of a listener of this worker.
    unsafe {
        if ngx_exiting != 0 && with(false, |worker| worker.neighbours.are_any()) {
            if let Some(forget) = ngx_event_actions.del {
                forget(event, (libc::EPOLLIN | libc::EPOLLRDHUP) as ngx_int_t, 0);
            }
            return;
        }
        if let Some(read) = with(None, |worker| worker.read) {
            read(event);
        }
    }
}

/// What listeners call in the place of `ngx_http_init_connection`: with a datagram that is for no connection of this worker, and with each
/// stream of one that is, which has no buffer.
unsafe extern "C" fn accepted(c: *mut ngx_connection_t) {
    // SAFETY: nginx calls with a connection that only it and this function know of, whose buffer is the datagram.
    unsafe {
        let is_theirs = (*c).type_ == libc::SOCK_DGRAM
            && (*c).buffer.as_ref().is_some_and(|buffer| {
                let len = buffer.last.offset_from_unsigned(buffer.pos);
                let datagram = std::slice::from_raw_parts(buffer.pos, len);
                guard(false, || pass_on(c, datagram))
            });
        if is_theirs {
            ngx_http_close_connection(c);
        } else {
            ngx_http_init_connection(c);
        }
    }
}

/// Whether it is for others, which have got it now. An Initial with an id like ours may go on with a handshake of theirs, or begin one here.
///
/// # Safety
/// As `accepted`.
unsafe fn pass_on(c: *const ngx_connection_t, datagram: &[u8]) -> bool {
    let Some(packet) = QuicPacket::first_of(datagram) else { return false };
    let is_wanted = match packet.kind {
        QuicKind::Known => true,
        QuicKind::Initial => packet.may_be_ours(),
        QuicKind::Other => false,
    };
    if !is_wanted || !with(false, |worker| worker.neighbours.are_any()) {
        return false;
    }
    // SAFETY: the caller's promise: both addresses are of the connection.
    let Some(message) = (unsafe { Message::of(c, datagram) }) else { return false };
    with((), |worker| worker.neighbours.send(message.bytes()));
    packet.kind == QuicKind::Known
}

/// Neighbours have sent something.
unsafe extern "C" fn forwarded(_: *mut ngx_event_t) {
    let mut buffer = vec![0; message::MAX_BYTES];
    // No more at once than would let others wait.
    for _ in 0..64 {
        let Some(len) = with(None, |worker| worker.neighbours.receive(&mut buffer)) else { break };
        guard((), || {
            let Some(message) = Message::read(&mut buffer[..len]) else { return };
            // SAFETY: the event loop of a worker, whose cycle is set.
            unsafe {
                let own = own_listeners(ngx_cycle);
                delivery::deliver(own, message);
            }
        });
    }
}
