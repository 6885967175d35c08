//! Gives a datagram to the connection that it is for, as nginx does with one that it has read.
//!
//! Source: ngx_quic_recvmsg of nginx 1.25 to 1.30.

use std::ffi::c_void;
use std::mem::zeroed;
use std::ptr::{copy_nonoverlapping, null_mut};

use ngx::ffi::{
    ngx_buf_t, ngx_connection_t, ngx_listening_t, ngx_queue_t, ngx_rbtree_node_t, ngx_sockaddr_t,
    ngx_str_t, socklen_t,
};
use wick_native::bits;
use wick_tls::{OWN_ID_BYTES, QuicPacket};

use super::message::Message;

/// `ngx_quic_socket_t`, whose header nginx-sys has not: an id of a connection of ours.
#[repr(C)]
struct QuicSocket {
    udp: UdpConnection,
    _quic: *mut c_void,
    _queue: ngx_queue_t,
    id: ServerId,
    sockaddr: ngx_sockaddr_t,
    socklen: socklen_t,
}

/// `ngx_quic_server_id_t`: padded behind its bytes.
#[repr(C)]
struct ServerId {
    _sequence: u64,
    _len: usize,
    bytes: [u8; OWN_ID_BYTES],
}

/// `ngx_udp_connection_t` where there is QUIC: before, it had no key.
#[repr(C)]
struct UdpConnection {
    node: ngx_rbtree_node_t,
    connection: *mut ngx_connection_t,
    buffer: *mut ngx_buf_t,
    key: ngx_str_t,
}

/// To a connection of one of the listeners; if none is meant, to nobody.
///
/// # Safety
/// Listeners of QUIC of this worker, in its event loop.
pub unsafe fn deliver(listeners: impl Iterator<Item = *mut ngx_listening_t>, message: Message) {
    let Some(packet) = QuicPacket::first_of(message.datagram) else { return };
    let id = packet.destination;
    // SAFETY: the caller's promise.
    unsafe {
        let found = listeners.into_iter().find_map(|ls| {
            let root = (*ls).rbtree.root;
            find(root, (*ls).rbtree.sentinel, crc32(id), id, message.local)
        });
        if let Some(socket) = found
            && message.peer.len() <= size_of::<ngx_sockaddr_t>()
        {
            hand_over(socket, message);
        }
    }
}

/// # Safety
/// A tree of connections by the hash of their ids, of which equal ones are on either side.
unsafe fn find(
    node: *mut ngx_rbtree_node_t,
    sentinel: *mut ngx_rbtree_node_t,
    hash: u32,
    id: &[u8],
    local: &[u8],
) -> Option<*mut QuicSocket> {
    // SAFETY: the caller's promise.
    unsafe {
        if node == sentinel {
            return None;
        }
        let key = (*node).key;
        let either = |side| find(side, sentinel, hash, id, local);
        match (hash as usize).cmp(&key) {
            std::cmp::Ordering::Less => either((*node).left),
            std::cmp::Ordering::Greater => either((*node).right),
            std::cmp::Ordering::Equal if is_meant(node.cast(), id, local) => Some(node.cast()),
            std::cmp::Ordering::Equal => either((*node).left).or_else(|| either((*node).right)),
        }
    }
}

/// Also whether nginx has the structure as we do: the key of the tree points into it, and behind it is the client's address, or nothing so far.
///
/// # Safety
/// A node of such a tree.
unsafe fn is_meant(socket: *mut QuicSocket, id: &[u8], local: &[u8]) -> bool {
    // SAFETY: the caller's promise; a connection in the tree is open, with its local address.
    unsafe {
        let udp = &(*socket).udp;
        let is_known = udp.key.data.cast_const() == (&raw const (*socket).id.bytes).cast();
        let own = std::slice::from_raw_parts(udp.key.data, udp.key.len);
        let c = udp.connection;
        let at = (*c).local_sockaddr.cast::<u8>();
        let at = std::slice::from_raw_parts(at, (*c).local_socklen as usize);
        let is_address = [0, (*c).socklen].contains(&(*socket).socklen);
        is_known && is_address && own == id && at == local
    }
}

/// # Safety
/// A connection's socket that was found just now.
unsafe fn hand_over(socket: *mut QuicSocket, message: Message) {
    // SAFETY: the caller's promise; the address fits. The handler may close the connection, whose structure stays.
    unsafe {
        let c: *mut ngx_connection_t = (*socket).udp.connection;
        let udp = &raw mut (*socket).udp;
        (*c).udp = udp.cast();
        let address = (&raw mut (*socket).sockaddr).cast();
        copy_nonoverlapping(message.peer.as_ptr(), address, message.peer.len());
        (*socket).socklen = message.peer.len() as socklen_t;
        let mut buffer: ngx_buf_t = zeroed();
        let bytes = message.datagram.as_mut_ptr_range();
        (buffer.pos, buffer.start) = (bytes.start, bytes.start);
        (buffer.last, buffer.end) = (bytes.end, bytes.end);
        (*udp).buffer = &raw mut buffer;
        let event = (*c).read;
        bits::event::READY.set(event, 1);
        bits::event::ACTIVE.set(event, 0);
        if let Some(handler) = (*event).handler {
            handler(event);
        }
        // Closed, or under another id.
        if let Some(udp) = (*c).udp.cast::<UdpConnection>().as_mut() {
            udp.buffer = null_mut();
        }
        bits::event::READY.set(event, 0);
        bits::event::ACTIVE.set(event, 1);
    }
}

/// As `ngx_crc32_long`, which nginx has inline.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |crc: u32, _| (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
    !bytes.iter().fold(!0, |crc, byte| (0..8).fold(crc ^ u32::from(*byte), step))
}
